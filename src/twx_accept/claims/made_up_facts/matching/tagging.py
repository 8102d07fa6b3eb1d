"""Words of a sentence with their values, phrases, labels and parts of speech."""

from twx_accept.claims.made_up_facts.matching import dates, numbers
from twx_accept.claims.made_up_facts.matching.hedging import hedge
from twx_accept.claims.made_up_facts.matching.lexicon import closed, several
from twx_accept.claims.made_up_facts.matching.lexicon.phrases import FIRST_WORDS, LONGEST, PHRASES
from twx_accept.claims.made_up_facts.matching.speech import part_of_speech
from twx_accept.claims.made_up_facts.matching.text import Token, bare
from twx_accept.claims.made_up_facts.matching.values import Value
from twx_accept.claims.made_up_facts.matching.word import Word
from twx_accept.claims.made_up_facts.matching.words import GROUPS, Lex, lex

LABELLED = frozenset(
    {
        "ms",
        "mss",
        "vol",
        "fol",
        "order",
        "regulation",
        "law",
        "decree",
        "by-law",
        "bylaw",
        "edict",
        "directive",
        "treaty",
        "camp",
        "hut",
    }
) | frozenset(
    several(
        "line lot day ward article year round week chapter room version section page number no trench mill group type "
        "team class route flight platform figure table phase stage unit building block extension callout season "
        "volume part act scene grade level pit shaft well station hall gate bed pier dock bay lane track bus tram "
        "train road highway motorway channel issue edition step rule clause paragraph question item sample batch plot "
        "field district zone sector bridge site model mark series patient case form panel tank pump reactor engine "
        "boiler kiln oven furnace line hole drill deck cabin seat berth plate site quarter"
    )
)
_MATTER = frozenset({"noun", "verb", "adjective", "name", "adverb"})
_KEPT = frozenset({".", ",", ";", ":", "(", ")", "?", "!", '"', "-", "/", "&", "%"})


def words_of(parts: list[Token], names: frozenset[str]) -> list[Word]:
    """The words of one sentence, tagged."""
    low = [bare(part.text) for part in parts]
    found = _labels(_phrases(hedge(_values(parts, low, names))))
    _tag(found)
    if not any(word.tag in {"verb", "auxiliary"} for word in found):
        _find_verb(found)
    for word in found:
        word.content = word.value is not None or bool(word.label) or word.tag in _MATTER
    return found


def openers_of(parts: list[Token]) -> set[str]:
    """The words of a sentence of which names tell whether they are names."""
    return {
        word.low
        for at, part in enumerate(parts[:2])
        if part.kind == "word" and _opens(parts, at)
        for word in _worded(part, bare(part.text), True, frozenset())
    }


def _opens(parts: list[Token], at: int) -> bool:
    """Whether a capital says nothing there: at the beginning, or right after a quote or colon that stands there."""
    return at == 0 or (at == 1 and parts[0].text in {'"', ":"})


def _find_verb(found: list[Word]) -> None:
    """An unknown verb: the first inflected word right behind a noun in a sentence that has no other verb."""
    for at in range(1, len(found)):
        word, before = found[at], found[at - 1]
        following = found[at + 1] if at + 1 < len(found) else None
        plural = before.lex.form == "s" and before.lex.lemma != before.low and not before.name
        fits = before.tag in {"noun", "name"} and not plural and word.tag == "noun" and not word.name
        if (
            fits
            and word.lex.form in {"s", "ed"}
            and not before.owner
            and following is not None
            and following.tag not in {"mark", "noun"}
        ):
            word.tag = "verb"
            return
    for at in range(1, len(found) - 1):
        word, before = found[at], found[at - 1]
        if (
            word.tag == "noun"
            and not word.name
            and word.lex.verb
            and word.lex.form in {"s", "base"}
            and before.tag in {"noun", "name", "value"}
            and not before.owner
            and (before.value is not None or (word.lex.form == "s") != _plural(before))
        ):
            word.tag = "verb"
            return


def _plural(word: Word) -> bool:
    return word.lex.form == "s" and word.lex.lemma != word.low and not word.name and word.value is None


def _values(  # noqa: C901 one pass over all sorts of tokens
    parts: list[Token], low: list[str], names: frozenset[str]
) -> list[Word]:
    found: list[Word] = []
    at = 0
    while at < len(parts):
        value = None
        word, part = low[at], parts[at]
        if part.kind == "number" or word in _BEGIN or word.split("-", 1)[0] in _BEGIN:
            value = dates.date(parts, low, at) or dates.time(parts, low, at) or numbers.number(parts, low, at)
            if part.kind == "number" and at and parts[at - 1].text == "." and not part.spaced and value is None:
                value = None
        if (
            value
            and value[0].kind == "number"
            and low[at - 1] in {"in", "of"}
            and any(
                other.value is not None and other.value.either and other.value.kind == "number" for other in found[-5:]
            )
        ):
            if found[-1].low in {"in", "of"}:
                found.pop()
            at = max(value[1], at + 1)
            continue
        if value:
            found.append(_valued(value[0], parts[at]))
            at = max(value[1], at + 1)
            continue
        if word == "s" and at and parts[at - 1].text == "'":
            pass
        elif part.kind == "word":
            found.extend(_worded(part, word, _opens(parts, at), names))
        elif (
            part.text == "."
            and found
            and not part.spaced
            and (
                found[-1].low in closed.HONORIFICS
                or found[-1].low in {"no", "nos", "st"}
                or (len(found[-1].text) == 1 and found[-1].text.isupper())
            )
            and at + 1 < len(parts)
        ):
            pass
        elif part.text in _KEPT:
            found.append(Word(part.text, part.text, _MARK, tag="mark", start=part.start))
        at += 1
    return found


_MARK = lex(".")
_BEGIN = frozenset(
    {
        *numbers.STARTERS,
        *dates.MONTHS,
        "noon",
        "midday",
        "midnight",
        "the",
        "$",
        "\u00a3",
        "\u20ac",
        "\u00a5",
        "us",
        "a",
        "c",
        "nz",
        "hk",
        "usd",
        "eur",
        "gbp",
        "chf",
        "-",
        "+",
        "\u00b1",
    }
) - {"", "second"} | {"second"}


def _valued(value: Value, part: Token) -> Word:
    text = value.text or part.text
    return Word(text, text.lower(), _MARK, tag="value", value=value, keys=frozenset(), start=part.start)


def _worded(part: Token, low: str, first: bool, names: frozenset[str]) -> list[Word]:
    text = part.text
    extra: list[Word] = []
    if low.endswith("n't") and len(low) > 3:
        base = {"can": "can", "wo": "will", "sha": "shall"}.get(low[:-3], low[:-3])
        return [Word(text, base, lex(base)), Word("not", "not", lex("not"))]
    if low.endswith(("'ll", "'re", "'ve", "'d", "'m")):
        ending = {"'ll": "will", "'re": "are", "'ve": "have", "'m": "am", "'d": "would"}[low[low.rindex("'") :]]
        extra = [Word(ending, ending, lex(ending))]
        low, text = low[: low.rindex("'")], text[: text.rindex("'")]
    owner = low.endswith(("'s", "s'"))
    if low.endswith("'s"):
        low, text = low[:-2], text[:-2]
        if low in {"it", "he", "she", "that", "there", "here", "what", "who"}:
            return [Word(text, low, lex(low)), Word("is", "is", lex("is"))]
    elif low.endswith("'"):
        low, text = low[:-1], text[:-1]
    low = low.rstrip(".") if "." in low and not low.startswith(("a.m", "p.m")) else low
    low = low.replace(".", "") if low not in {"a.m.", "p.m."} else low
    known = lex(low)
    capital = text[:1].isupper()
    guessed = not _everyday(low, known) and not (low.endswith("ing") and names)
    name = capital and (not first or low in names or guessed) and low not in _CLOSED
    name = name or (low[:1].isdigit() and low[-1:].isalpha())
    if low in dates.MONTHS or low in _WEEKDAYS:
        name = False
    return [Word(text, low, known, name=name, owner=owner, start=part.start), *extra]


_WEEKDAYS = frozenset(several("monday tuesday wednesday thursday friday saturday sunday"))
_CLOSED = (
    closed.DETERMINERS
    | closed.PRONOUNS
    | closed.PREPOSITIONS
    | closed.CONJUNCTIONS
    | closed.SUBORDINATORS
    | closed.NEGATORS
) - {"may", "will"}


def _everyday(low: str, known: Lex) -> bool:
    if low in _CLOSED or known.verb or known.lemma in GROUPS or low in closed.ADVERBS or known.degree is not None:
        return True
    return known.lemma in closed.LIGHT or known.lemma in closed.GENERIC or low in closed.AUXILIARIES


def _phrases(found: list[Word]) -> list[Word]:
    done: list[Word] = []
    at = 0
    while at < len(found):
        word = found[at]
        if not word.name and (word.lex.lemma in FIRST_WORDS or word.low in FIRST_WORDS):
            length, meaning = _phrase(found, at)
            if meaning:
                done.extend(_stand_ins(meaning, word))
                at += length
                continue
        done.append(word)
        at += 1
    return done


def _stand_ins(meaning: str, word: Word) -> list[Word]:
    stand = []
    for piece in meaning.split():
        known = lex(piece)
        if word.lex.form in {"ed", "past", "ing", "s"} and known.verb:
            known = Lex(known.lemma, word.lex.form, True, False, known.keys, known.poles, known.degree, known.role)
        stand.append(Word(word.text, piece, known, start=word.start))
    return stand


def _phrase(found: list[Word], at: int) -> tuple[int, str]:
    options: list[tuple[str, ...]] = [()]
    best = (0, "")
    for length in range(1, min(LONGEST, len(found) - at) + 1):
        word = found[at + length - 1]
        if word.value or word.name:
            break
        forms = {word.low, word.lex.lemma}
        options = [(*option, form) for option in options for form in forms if (*option, form) in _PREFIXES]
        if not options:
            break
        for option in options:
            if (
                option in PHRASES
                and length > 1
                and (
                    PHRASES[option] not in _GRAMMAR
                    or option[0] == "be"
                    or all(other.low == form for other, form in zip(found[at:], option, strict=False))
                )
            ):
                best = (length, PHRASES[option])
    return best


_GRAMMAR = closed.PREPOSITIONS | closed.ADVERBS | closed.CONJUNCTIONS | closed.NEGATORS
_PREFIXES = frozenset(key[:length] for key in PHRASES for length in range(1, len(key) + 1))


def _labels(found: list[Word]) -> list[Word]:
    """``Trench A``, ``Line 9``, ``Wards 4 and 6``: one word each."""
    done: list[Word] = []
    at = 0
    while at < len(found):
        word = found[at]
        following = found[at + 1] if at + 1 < len(found) else None
        mark = _mark(following)
        skip = 1
        if (
            following is not None
            and following.low == "."
            and word.low in {"no", "nos", "vol", "fol"}
            and at + 2 < len(found)
        ):
            mark, skip = _mark(found[at + 2]), 2
        counted = (
            at + 2 < len(found)
            and found[at + 2].lex.form == "s"
            and found[at + 2].lex.noun
            and word.lex.lemma not in LABELLED
        )
        gapped = counted or (
            bool(done)
            and done[-1].low in {",", "and", ";", "or"}
            and (at + 2 >= len(found) or found[at + 2].low in {",", ".", ";", "and", ")"})
        )
        if (
            mark
            and _labelling(word, done[-1] if done else None, following, at)
            and not (
                gapped and word.lex.lemma not in LABELLED and following is not None and following.value is not None
            )
        ):
            head = word.lex.lemma
            done.append(_label(word, head, mark))
            at += skip + 1
            while (
                word.lex.form == "s"
                and at + 1 < len(found)
                and found[at].low in {"and", ",", "or"}
                and _mark(found[at + 1])
            ):
                done.append(Word(found[at].text, found[at].low, found[at].lex))
                done.append(_label(word, head, _mark(found[at + 1])))
                at += 2
            continue
        done.append(word)
        at += 1
    return done


def _mark(word: Word | None) -> str:
    if word is None:
        return ""
    if word.value is not None:
        value = word.value
        plain = value.kind == "number" and not value.unit and not value.share and value.amount >= 0
        return (
            f"{value.amount:g}"
            if plain and (value.amount % 1 or value.amount < 1e6) and "," not in word.text
            else f"{value.amount:g}"
            if plain
            else ""
        )
    if word.low[:1].isdigit() and word.low[-1:].isalpha():
        return word.low
    return word.low if len(word.text) == 1 and word.text.isalpha() and word.text.isupper() and word.text != "I" else ""


def _labelling(word: Word, before: Word | None, following: Word | None, at: int) -> bool:
    if following is None or word.value is not None or word.tag == "mark" or word.low in _CLOSED - {"no"}:
        return False
    if (word.lex.form in {"ed", "past", "ing"} and not word.name) or word.low[-1:].isdigit():
        return False
    if word.lex.lemma in LABELLED:
        return word.name or at == 0 or following.value is None or word.lex.form != "s"
    return (
        word.name
        and word.low not in closed.HONORIFICS
        and following.value is not None
        and not (at and (before is not None and before.name) and following.value.amount >= 1000)
        and "," not in following.text
        and word.lex.form != "s"
        and word.low not in closed.TITLES
    )


def _label(word: Word, head: str, mark: str) -> Word:
    head = "number" if head in {"no", "nos"} else head
    text = f"{head} {mark}"
    return Word(f"{word.text} {mark}", text, word.lex, tag="name", name=word.name, label=text, keys=frozenset({text}))


def _tag(found: list[Word]) -> None:
    for at, word in enumerate(found):
        if not word.tag:
            word.tag = part_of_speech(found, at, word)
        if word.tag == "value" and word.value and word.value.kind == "ordinal":
            following = found[at + 1].lex.lemma if at + 1 < len(found) and not found[at + 1].value else ""
            if following in LABELLED:
                word.label = f"{following} {word.value.amount:g}"
        if word.name and not word.keys:
            word.keys = frozenset({word.low, word.lex.lemma})
        if not word.keys:
            word.keys = word.lex.keys if word.lex is not _MARK else frozenset({word.low})
