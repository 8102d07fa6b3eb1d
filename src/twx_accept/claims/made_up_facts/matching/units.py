"""Units and currencies: each word or sign with its dimension and its exact size in it."""

_PREFIXES = {
    "": 1.0,
    "kilo": 1e3,
    "mega": 1e6,
    "giga": 1e9,
    "tera": 1e12,
    "milli": 1e-3,
    "micro": 1e-6,
    "nano": 1e-9,
    "centi": 1e-2,
    "hecto": 1e2,
    "deci": 1e-1,
}
_SIGNS = {
    "": 1.0,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "m": 1e-3,
    "\u00b5": 1e-6,
    "\u03bc": 1e-6,
    "n": 1e-9,
    "c": 1e-2,
    "h": 1e2,
}
_METRIC = {
    "metre meter": ("m", "m"),
    "gram gramme": ("g", "g"),
    "litre liter": ("l L", "l"),
    "watt": ("W", "W"),
    "volt": ("V", "V"),
    "byte": ("B", "B"),
    "hertz": ("Hz", "Hz"),
    "joule": ("J", "J"),
    "newton": ("N", "N"),
    "pascal": ("Pa", "Pa"),
    "bar": ("bar", "bar"),
    "ampere amp": ("A", "A"),
    "watt-hour": ("Wh", "Wh"),
    "bit": ("", "bit"),
}
_OTHERS = {
    "tonne": ("g", 1e6), "t": ("g", 1e6), "ton": ("ton", 1), "lb": ("lb", 1), "lbs": ("lb", 1),
    "pound": ("pound", 1), "ounce": ("oz", 1),
    "oz": ("oz", 1), "stone": ("stone", 1), "carat": ("carat", 1), "foot": ("ft", 1), "ft": ("ft", 1),
    "inch": ("in", 1), "yard": ("yd", 1),
    "mile": ("mile", 1), "mi": ("mile", 1), "mph": ("mile/h", 1), "kph": ("km/h", 1), "kmh": ("km/h", 1),
    "knot": ("knot", 1),
    "fathom": ("fathom", 1), "league": ("league", 1), "hectare": ("ha", 1), "ha": ("ha", 1), "acre": ("acre", 1),
    "gallon": ("gallon", 1), "pint": ("pint", 1), "bushel": ("bushel", 1), "light-year": ("ly", 1), "parsec": ("pc", 1),
    "second": ("s", 1), "sec": ("s", 1), "s": ("s", 1), "minute": ("s", 60), "min": ("s", 60), "hour": ("s", 3600),
    "h": ("s", 3600), "hr": ("s", 3600),
    "hrs": ("s", 3600), "ms": ("s", 1e-3), "millisecond": ("s", 1e-3), "microsecond": ("s", 1e-6),
    "day": ("day", 1), "week": ("day", 7),
    "fortnight": ("day", 14), "month": ("month", 1), "year": ("month", 12), "yr": ("month", 12),
    "yrs": ("month", 12), "decade": ("month", 120), "century": ("month", 1200),
    "%": ("%", 1), "percent": ("%", 1), "\u2030": ("%", 0.1), "\u00b0": ("deg", 1), "degree": ("deg", 1),
    "\u00b0C": ("C", 1), "\u00b0F": ("F", 1),
    "celsius": ("C", 1), "centigrade": ("C", 1), "fahrenheit": ("F", 1), "K": ("K", 1), "kelvin": ("K", 1),
    "decibel": ("dB", 1), "dB": ("dB", 1),
    "rpm": ("rpm", 1), "horsepower": ("hp", 1), "hp": ("hp", 1), "dozen": ("", 12), "mm2": ("m2", 1e-6),
    "m2": ("m2", 1), "m3": ("m3", 1), "km2": ("m2", 1e6),
    "euro": ("EUR", 1), "eur": ("EUR", 1), "dollar": ("$", 1), "usd": ("USD", 1), "gbp": ("GBP", 1),
    "sterling": ("GBP", 1), "cent": ("cent", 1), "pence": ("GBP", 0.01),
    "penny": ("GBP", 0.01), "p": ("GBP", 0.01), "franc": ("franc", 1), "chf": ("franc", 1), "crown": ("crown", 1),
    "krone": ("krone", 1), "kroner": ("krone", 1),
    "krona": ("krona", 1), "kronor": ("krona", 1), "sol": ("sol", 1), "peso": ("peso", 1), "rupee": ("rupee", 1),
    "yen": ("yen", 1), "yuan": ("yuan", 1),
    "rand": ("rand", 1), "mark": ("mark", 1), "pfennig": ("pfennig", 1), "guilder": ("guilder", 1),
    "florin": ("florin", 1),
    "shilling": ("shilling", 1), "lira": ("lira", 1), "zloty": ("zloty", 1), "forint": ("forint", 1),
    "thaler": ("thaler", 1), "ducat": ("ducat", 1),
    "guinea": ("guinea", 1), "rouble": ("rouble", 1), "ruble": ("rouble", 1), "kopeck": ("kopeck", 1),
    "dinar": ("dinar", 1), "dirham": ("dirham", 1),
}  # fmt: skip
CURRENCIES = {
    "\u00a3": "GBP", "\u20ac": "EUR", "$": "$", "\u00a5": "yen", "US$": "USD", "A$": "AUD", "C$": "CAD",
    "NZ$": "NZD", "HK$": "HKD", "USD": "USD", "EUR": "EUR",
    "GBP": "GBP", "CHF": "franc", "Rs": "rupee", "SEK": "krona", "NOK": "krone", "DKK": "krone", "AUD": "AUD",
    "CAD": "CAD",
}  # fmt: skip
_LONG = {unit for unit, _ in _OTHERS.values() if unit.isalpha() and len(unit) > 3}
MONEY = frozenset({*CURRENCIES.values(), *_LONG, "cent", "sol"}) - {
    "degree", "month", "mile", "fathom", "league", "acre", "gallon", "pint", "bushel", "carat", "knot", "stone"
}  # fmt: skip
_ALIKE = (
    {"pound", "GBP"}, {"pound", "lb"}, {"deg", "C"}, {"deg", "F"}, {"deg", "K"}, {"$", "USD"}, {"$", "AUD"},
    {"$", "CAD"}, {"$", "NZD"},
    {"$", "HKD"}, {"cent", "pence"},
)  # fmt: skip
ALIKE = frozenset((one, other) for pair in _ALIKE for one in pair for other in pair)


def _words() -> dict[str, tuple[str, float]]:
    words = dict(_OTHERS)
    for names, (_, base) in _METRIC.items():
        for name in names.split():
            for prefix, size in _PREFIXES.items():
                words[prefix + name] = (base, size)
    return words


def _signs() -> dict[str, tuple[str, float]]:
    signs: dict[str, tuple[str, float]] = {}
    for abbreviations, base in _METRIC.values():
        for sign in abbreviations.split():
            for prefix, size in _SIGNS.items():
                signs[prefix + sign] = (base, size)
    signs["hPa"] = ("Pa", 1e2)
    signs["mbar"] = signs["millibar"] = ("Pa", 1e2)
    return signs


WORDS = _words()
WORDS["millibar"] = ("Pa", 1e2)
WORDS["hectopascal"] = ("Pa", 1e2)
SIGNS = _signs()
# Too short to be told from words or from other things.
for _short in ("mi", "min", "h", "s", "t", "p", "ha", "ms", "hp"):
    SIGNS[_short] = _OTHERS[_short]
    if _short in WORDS:
        del WORDS[_short]


def unit_of(text: str, glued: bool) -> tuple[str, float] | None:
    """The dimension and size of a unit's word or sign. ``glued``: it stands right at its number."""
    if text in SIGNS and (
        glued or len(text) > 1 or text in {"m", "g", "l", "V", "W", "N", "K", "A", "J", "t", "h", "s"}
    ):
        return SIGNS[text]
    if len(text) <= 2 and text in _OTHERS:
        return _OTHERS[text] if text in {"K", "lb", "ft", "oz", "yr", "hr", "dB", "%", "\u00b0"} else None
    low = text.lower()
    if low in WORDS:
        return WORDS[low]
    for ending, put in (("ies", "y"), ("es", ""), ("s", ""), ("es", "e")):
        if low.endswith(ending) and len(low) > 3 and low[: -len(ending)] + put in WORDS:
            return WORDS[low[: -len(ending)] + put]
    return WORDS.get({"feet": "foot", "inches": "inch"}.get(low, low))


def same_unit(one: str, other: str) -> bool:
    """Whether two dimensions may be the same one."""
    return one == other or (one, other) in ALIKE
