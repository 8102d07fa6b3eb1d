"""What is no statement at all: refusals, headings, questions, rubbish, talk about the answer itself."""

import re

from twx_accept.claims.made_up_facts.matching.lexicon import several
from twx_accept.claims.made_up_facts.matching.reading import Sentence

LONGEST = 600
_LETTERS = re.compile(r"[^\W\d_]")
_REFUSAL = re.compile(
    r"^(?:(?:i'm|i am|we are|we're)\s+(?:really\s+|very\s+|so\s+)?(?:sorry|afraid|unable|not able)|sorry\b|i "
    r"apologi[sz]e|apologies|unfortunately,? i|"
    r"i (?:can't|cannot|can not|could not|couldn't|won't|will not|am unable|do not have|don't have|must decline|"
    r"don't know|do not know|"
    r"have no (?:information|access|way))|as an? (?:ai|artificial|language|large|assistant)|i'm (?:just )?an? "
    r"(?:ai|language)|"
    r"(?:no|not enough) (?:information|facts|context)\b.{0,40}(?:provided|given|available|found)|this request|my "
    r"(?:guidelines|apologies))",
    re.IGNORECASE,
)
_META = re.compile(
    r"^(?:based on (?:the|this) (?:passage|text)|facts? extract|the (?:passage|text|excerpt) (?:discusses|describes|"
    r"is about|provides|gives|talks|covers|deals|is titled)|here (?:are|is|'s)|here's|sure\b|certainly\b|of "
    r"course\b|okay\b|ok\b|yes\b|no problem|below (?:are|is)|"
    r"the following (?:are|is|facts|list)|"
    r"these are|this is (?:a|the) (?:list|summary)|i (?:have|'ve) (?:listed|extracted|read|found|identified)|i "
    r"hope|i will|i'll|let me|let's|"
    r"feel free|please\b|note:|note that (?:the|all) (?:facts|list)|disclaimer|in summary:?$|to summari[sz]e:?$|"
    r"facts?:?$|that is all|that's all|end of|"
    r"if you (?:need|want|would|have)|thank you for|thanks for|do you|would you|you (?:can|may) (?:ask|find)|the "
    r"(?:passage|text) (?:states|says|mentions|contains|lists) "
    r"(?:the following|these|several|many)|(?:all|these|the above) (?:of the |the )?(?:facts|statements|points)|my "
    r"(?:task|answer|list)|"
    r"as (?:requested|asked)|(?:the )?(?:passage|text|document|excerpt)\s*:|assistant\s*:|user\s*:|system\s*:|"
    r"output\s*:|answer\s*:)",
    re.IGNORECASE,
)
_PROMPT = re.compile(
    r"^(?:(?:now |carefully |please )?(?:read|list|extract|write|output|print|give|provide|state|identify|"
    r"summari[sz]e|return|answer|use|do not|don't|"
    r"make sure|ensure|only|one fact|each fact|respond|reply|generate|produce|copy|begin|start)\b(?!\s+(?:by|was|"
    r"were|is|are|has|had))).{0,300}"
    r"\b(?:facts?|passage|text below|bullets?|lines?|numbering|output|list|statements?|sentences?|commentary|"
    r"explanations?|markdown|json)\b",
    re.IGNORECASE | re.DOTALL,
)
_TEMPLATE = re.compile(r"<\|?/?[a-z_]+\|?>|\[/?inst\]|\{\{|```|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}", re.IGNORECASE)
_LOOSE = several(
    "the a an and or but of which who whose with in to is are was were be has had will for from by at that than as"
)
_UNFINISHED = ("...", ",", *(f" {word}" for word in _LOOSE))
_LIST_MARK = re.compile(r"^\s*(?:[-*\u2022>#]+\s*|\(?\d{1,3}[.):]\s+|\(?[a-z][.)]\s+)", re.IGNORECASE)


def unmarked(fact: str) -> str:
    """A fact without the mark of a list before it."""
    short = fact[: LONGEST * 2].strip()
    return _LIST_MARK.sub("", short, count=1).strip()


def no_statement(fact: str, plain: str) -> str | None:  # noqa: C901 a list of patterns
    """Why a text is no fact, or None; ``plain`` is the text without markup and list marks."""
    if not _LETTERS.search(plain):
        return "it has no words"
    if _TEMPLATE.search(fact):
        return "it holds marks of a template"
    if plain.endswith("?") or plain.rstrip("\"')").endswith("?"):
        return "it is a question"
    if plain.endswith(":"):
        return "it ends like a heading"
    if _REFUSAL.match(plain):
        return "it is a refusal"
    if _META.match(plain):
        return "it speaks of the answer, not of the passage's subject"
    if _PROMPT.match(plain):
        return "it repeats a task"
    if plain.startswith(("...", "and ", "or ", "but ", "which ", "who ")):
        return "it is a fragment"
    if plain.endswith(_UNFINISHED):
        return "it breaks off"
    words = plain.split()
    if len(words) < 2:
        return "it is no sentence"
    if len(set(words)) * 2 < len(words) and len(words) > 3:
        return "it repeats a word"
    return None


def no_predicate(sentence: Sentence) -> str | None:
    """Why a sentence states nothing, or None."""
    if all(clause.verb < 0 for clause in sentence.clauses):
        colon = next((word.place for word in sentence.words if word.low == ":"), 0)
        if not (0 < colon < len(sentence.words) - 1):
            return "it has no verb"
    content = [word for word in sentence.words if word.content and word.tag != "adverb"]
    if not content:
        return "it has no matter"
    return None
