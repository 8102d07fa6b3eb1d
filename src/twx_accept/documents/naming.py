"""Names of people, places and things, made from syllables; no stem is given twice within a set."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from twx_accept.documents.drawing import Draw


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_HEADS = _words(
    "Ab Ald Am And Ard Arv Bal Bant Bel Ber Bor Brad Bram Brin Cal Carv Cel Corm Cray Dal Dav Del Dor Drav Dun Eld "
    "Elm Er Esk Fal Fen Ferr Fol Gal Garr Gel Gor Grav Had Hal Harv Hel Holm Hur Ild Im Ing Jar Jel Jor Kal Kell Kes "
    "Kor Lan Lar Lev Lor Lun Mad Mal Mar Mel Mor Nar Nel Nor Ob Old Orm Ost Pel Per Pol Quar Quel Rad Ran Rav Rel Ros "
    "Sal Sarn Sel Sor Stav Tal Tarn Tel Thal Thor Tor Tul Ulv Um Urd Val Var Vel Ver Vol Wal Wend Wer Yar Yel Zal Zel "
    "Bård Jörd Lév"
)
_MIDDLES = _words(
    "a ab ad al am an ar as av e eb ed el em en er et i il im in ir is o ob ol om on or os ov u ul um un ur"
)
_PEOPLE = _words(
    "bauer bek bell berg bert brand dahl dell den der din don drin falk fors gard gren hart hof kamp ken kin kov lak "
    "land lau lind ling mann mark met mund nak nik nov quist rath rell rik ro ron sen stam strom tan ter thal ton "
    "trom vak vall van ven vik vold wen win yan zak zer"
)
_PLACES = _words(
    "bach beck borg brook burn bury by combe cott dale dorf fell field fjord ford garth gate haven heim holm "
    "holt hythe ker kirk lea lund mere minster mond mouth ness pool port reach rode sand sett shaw stad stead stoke "
    "strand thorpe toft vale ville wade wall wick wold worth"
)
_THINGS = _words(
    "ax bex bin con dine dix don dra dyne fex gan lex line lon lux max met mex mor nex nix non phon plex ra ran rex "
    "ric rix ron ta tek tex ton tor tra tran trix tron vac vane vex via vox"
)
_RIVERS = _words("a aine alde ane ath eck eel en enna ent essa ey ine ire isk ith oa ode olle onne orne oss ove ow une")
_WOMEN = _words(
    "Adela Agneta Alba Alena Amalia Anneke Ariadne Åsa Astrid Beatrix Birgit Bronwen Carlotta Cecily Clemence "
    "Cordelia Dagmar Daria Delphine Edda Edith Elspeth Emilia Enid Esme Eugenia Fatima Felicity Fenna Flora Frieda "
    "Gerda Greta Gudrun Hedwig Helga Hilda Honora Ida Ilse Imogen Ines Ingrid Iris Isolde Ivana Jadwiga Johanna "
    "Josepha Katya Kirsten Lavinia Leonie Linnea Lotte Lucinda Ludmila Magda Malin Marguerite Marisol Matilda Mercy "
    "Mina Mirela Nadia Neve Nora Odette Odile Olga Orla Ottilie Paloma Perpetua Petra Philippa Ragna Ramona Renata "
    "Rosalind Roxana Runa Sabine Saskia Selma Sibyl Signe Solveig Svetlana Tamar Tatiana Thea Theodora Tilda Ulla Una "
    "Ursula Valeria Vera Vivian Wanda Wilhelmina Winifred Xenia Yolanda Yvette Zelda Zora Zoë"
)
_MEN = _words(
    "Aldo Alaric Ambrose Anatole Anders Anselm Arvid Augustin Axel Balthasar Barnaby Bastian Benedikt Bertram Bogdan "
    "Bruno Caspar Cedric Clement Conrad Cornelius Cyril Dario Desmond Dietrich Dmitri Edgar Edmund Egon Einar Eldred "
    "Emeric Emil Ernst Evander Fabian Felix Ferdinand Florian Gaspard Gerard Gideon Gilbert Godfrey Gregor Gunnar "
    "Gustav Hakon Harald Hector Hilary Horace Hugo Ignatius Igor Ivor Jasper Jerome Joachim Jonas Joost Julius Jürgen "
    "Karel Kaspar Klaus Konstantin Lambert Laszlo Leander Leopold Lorcan Lothar Lucian Ludovic Magnus Marius Matthias "
    "Maurice Milan Mordecai Nestor Nikolai Octavian Olaf Oskar Oswin Otto Pascal Peregrine Quentin Ragnar Rainer Ralf "
    "René Roderick Roland Rufus Rupert Ruprecht Sebald Severin Sigurd Silas Stellan Tancred Tarquin Thaddeus Theobald "
    "Tobias Torsten Ulrich Urban Valentin Viktor Waldemar Wendell Werner Wolfram Xaver Yannick Zoltan"
)
_LETTERS = "BCDFGHKLMNPRSTVWX"  # without vowels, so that no plate is a word

_OPEN, _ROLE, _CLOSE = "\x02", "\x03", "\x04"  # a mention of somebody, before it is worded
_MENTION = re.compile(f"{_OPEN}([^{_ROLE}]*){_ROLE}([^{_CLOSE}]*){_CLOSE}")

# What the syllables could make by chance and the world knows.
_KNOWN = frozenset(
    _words(
        "Alder Andover Bertelsmann Calder Dalton Darwin Dover Elland Ferrari Gorky Halland Harwich Iceland Ingmar "
        "Ireland Jordan Jutland Kelvin Lambeth Lorentz Malin Malta Mandela Markov Marlin Marley Merlin Moravia Morden "
        "Norland Norway Norwich Oldham Orlando Oslo Pelham Poland Rolland Roland Salford Salzburg Sandwich Selkirk "
        "Stavanger Telford Torbay Valeria Vermont Walton Warwick Welland Yarmouth Zealand Zelda Holland Holmfirth "
        "Holm Halton Borland Delhi Melbourne Melton Bolton Kendal Galton Milton Weston Norton Morton Burton"
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody. The last name belongs to nobody else of the set.

    ``name`` and ``last`` are mentions, which ``introduced`` words: the first one in a passage says the whole name.
    """

    first: str
    family: str
    woman: bool
    role: str

    @property
    def name(self) -> str:
        """A mention by name, in a sentence that says itself who this is."""
        return f"{_OPEN}{self.first} {self.family}{_ROLE}{_CLOSE}"

    @property
    def last(self) -> str:
        """A mention in passing: where it is the first, the role is told with the name."""
        return f"{_OPEN}{self.first} {self.family}{_ROLE}{self.role}{_CLOSE}"

    @property
    def they(self) -> str:
        """``she`` or ``he``."""
        return "she" if self.woman else "he"

    @property
    def them(self) -> str:
        """``her`` or ``him``."""
        return "her" if self.woman else "him"

    @property
    def their(self) -> str:
        """``her`` or ``his``."""
        return "her" if self.woman else "his"


class Names:
    """Gives out names, each of them once."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def person(self, draw: Draw, role: str) -> Person:
        """Somebody new. ``role`` is what stands before a name, such as ``inspector``; it may be empty."""
        woman = draw.chance(50)
        first = draw.one(_WOMEN if woman else _MEN)
        return Person(first=first, family=self._stem(draw, _PEOPLE), woman=woman, role=role)

    def place(self, draw: Draw) -> str:
        """A place: ``Tarnemere``."""
        return self._stem(draw, _PLACES)

    def river(self, draw: Draw) -> str:
        """A river, lake or mountain: ``Velorne``."""
        return self._stem(draw, _RIVERS)

    def thing(self, draw: Draw) -> str:
        """A make, a firm, a ship: ``Velodyne``."""
        return self._stem(draw, _THINGS)

    def code(self, draw: Draw) -> str:
        """A number on a plate: ``TK-417``."""
        return self._new(lambda: f"{draw.one(_LETTERS)}{draw.one(_LETTERS)}-{draw.number(112, 989)}")

    def _stem(self, draw: Draw, endings: tuple[str, ...]) -> str:
        return self._new(lambda: _joined(draw.one(_HEADS), draw.one(_MIDDLES), draw.one(endings)))

    def _new(self, make: Callable[[], str]) -> str:
        while (name := make()) in self._given or name in _KNOWN:
            pass
        self._given.add(name)
        return name


def _joined(head: str, middle: str, ending: str) -> str:
    """The parts as one word that can be spoken: no letter three times, no vowel doubled where two parts meet."""
    word = head
    for part in (middle, ending):
        word += part[1:] if word[-1] == part[0] else part
    return word


def introduced(text: str) -> str:
    """Word the mentions of people: the first of each by the whole name, the others by the last name."""
    known: set[str] = set()

    def worded(mention: re.Match[str]) -> str:
        name, role = mention[1], mention[2]
        if name in known:
            return name.rpartition(" ")[2]
        known.add(name)
        return f"{role} {name}".lstrip()

    return _MENTION.sub(worded, text)


def in_full(text: str) -> str:
    """Word every mention of people by the whole name."""
    return _MENTION.sub(r"\1", text)
