"""Comparatives and superlatives: the dimension that they measure, and its direction."""

# dimension: words for more of it / words for less of it (positive forms)
_SCALES = """
length: long lengthy / short brief
height: high tall / low
width: wide broad / narrow
depth: deep / shallow
weight: heavy massive / light
size: big large great / small little tiny
age: old / young new
earliness: early / late
speed: fast quick rapid swift / slow
heat: hot warm / cold cool mild
strength: strong powerful / weak
number: many much / few
price: dear expensive costly / cheap inexpensive
quality: good / bad poor
frequency: common frequent usual / rare infrequent uncommon seldom
thickness: thick / thin
density: dense / sparse
hardness: hard / soft
difficulty: difficult hard / easy simple
loudness: loud noisy / quiet silent
brightness: bright / dark dim faint
nearness: near close / far distant
wealth: rich wealthy / poor
health: healthy / sick ill
wetness: wet damp moist / dry
sharpness: sharp / blunt
safety: safe / dangerous risky
cleanliness: clean / dirty
fullness: full / empty
steepness: steep / gentle
roughness: rough / smooth
popularity: popular / unpopular
""".strip()
_IRREGULAR = {
    "more": ("number", 1), "less": ("number", -1), "fewer": ("number", -1), "better": ("quality", 1),
    "worse": ("quality", -1),
    "further": ("nearness", -1), "farther": ("nearness", -1), "elder": ("age", 1), "most": ("number", 1),
    "least": ("number", -1),
    "fewest": ("number", -1), "best": ("quality", 1), "worst": ("quality", -1), "furthest": ("nearness", -1),
    "farthest": ("nearness", -1),
    "eldest": ("age", 1), "maximum": ("number", 1), "minimum": ("number", -1),
}  # fmt: skip


def _forms(word: str, ending: str) -> str:
    if word.endswith("e"):
        return word + ending[1:]
    if word.endswith("y"):
        return word[:-1] + "i" + ending
    if word in {"big", "hot", "thin", "wet", "dim"}:
        return word + word[-1] + ending
    return word + ending


def _table() -> dict[str, tuple[str, int, str]]:
    table = {}
    for line in _SCALES.splitlines():
        dimension, _, sides = line.partition(": ")
        for side, end in zip(sides.split(" / "), (1, -1), strict=True):
            for word in side.split():
                table[word] = (dimension, end, "")
                table[_forms(word, "er")] = (dimension, end, "er")
                table[_forms(word, "est")] = (dimension, end, "est")
    for word, (dimension, end) in _IRREGULAR.items():
        form = "est" if word.endswith(("st", "mum")) else "er"
        table[word] = (dimension, end, form)
    table.update({"early": ("earliness", 1, ""), "later": ("earliness", -1, "er"), "latest": ("earliness", -1, "est")})
    return table


DEGREES = _table()
DEGREES["well"] = ("quality", 1, "")
POSITIVE = {
    _forms(word, ending): word
    for line in _SCALES.splitlines()
    for word in line.partition(": ")[2].replace(" / ", " ").split()
    for ending in ("er", "est")
}
