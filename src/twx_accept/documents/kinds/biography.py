"""The life of somebody who made a trade better."""

from twx_accept.documents.wording import both, nth
from twx_accept.documents.writing import Plan, Writer, aside, lead, told

TRADES = (
    ("clockmaker", "clocks", "the escapement of a tower clock"),
    ("botanist", "botanical plates", "the flora of the upland bogs"),
    ("glassblower", "glass vessels", "the annealing of coloured glass"),
    ("map engraver", "maps", "the shoals of the outer estuary"),
    ("hydrologist", "survey sheets", "the flow of underground rivers"),
    ("organ builder", "church organs", "the voicing of reed pipes"),
    ("seed merchant", "varieties of bean", "the storage of seed in damp cellars"),
    ("bookbinder", "bindings", "the tanning of goatskin"),
    ("lens grinder", "telescopes", "the polishing of hollow mirrors"),
    ("dialect collector", "wax recordings", "the speech of the river pilots"),
)
PARENTS = (
    "weaver",
    "schoolmistress",
    "seamstress",
    "market trader",
    "midwife",
    "herbalist",
    "lock keeper",
    "baker",
    "glover",
)
PUPILS_LIST = ("drawing", "geometry", "chemistry", "Latin", "bookkeeping", "music", "surveying", "carpentry")


def biography(w: Writer) -> Plan:
    """Birth, schooling, moves, works, quarrels, money and death of one person."""
    p, rival, teacher = w.person(), w.person("the rival"), w.person()
    trade, works, subject = w.one(*TRADES)
    town, city, last_home = w.place(), w.place(), w.place()
    born = w.day(1812, 1893)
    age, died_at = w.n(19, 31), w.n(58, 88)
    died = born.plus(died_at * 365 + died_at // 4 + w.n(20, 300))
    moved, founded = born.year + age, born.year + age + w.n(3, 9)
    fewer, more = w.two(12, 96)
    siblings, ordinal = w.count(3, 9), w.n(2, 4)
    parent = w.one(*PARENTS)
    lessons = w.some(3, *PUPILS_LIST)
    wage, prize = w.n(110, 480, 5), w.n(600, 4800, 50)
    share, pupils = w.percent(12, 45), w.count(4, 12)
    they, their, name, last = p.they, p.their, p.name, p.last
    years = (
        died.year - born.year - (0 if (died.value.month, died.value.day) >= (born.value.month, born.value.day) else 1)
    )
    opening = told(
        (f"{name} was born in {town} on {born}.", f"{name} was a(n) {trade}."),
        f"{name}, a(n) {trade}, was born on {born.said} in {town}.",
        f"The {trade} {name} came into the world at {town} on {born.said}.",
        f"It was in {town}, on {born.said}, that the {trade} {name} was born.",
        f"Born in {town} on {born.said}, {name} [would become|grew up to be] a(n) {trade}.",
    )
    youth = (
        told(
            f"{name} was the {nth(ordinal)} of {siblings} children.",
            f"[{they}|{last}] was the {nth(ordinal)} of {siblings.said} children [in the {last} household|of the "
            f"{last} "
            f"family].",
            f"Of the {siblings.said} {last} children {they} was the {nth(ordinal)}.",
            f"There were {siblings.said} children in the {last} house, and {they} came {nth(ordinal)}.",
        ),
        told(
            f"{name}'s mother was a(n) {parent} in {town}.",
            f"{last}'s mother earned the family's bread as a(n) {parent} in {town}.",
            f"As a(n) {parent} in {town}, {their} mother kept the {last} family fed.",
            f"The household in {town} lived on what {their} mother made as a(n) {parent}.",
        ),
        told(
            f"{teacher.name} taught {name} {both(lessons)}.",
            f"{teacher.name}, [a retired purser|a lodger|the parish clerk], taught {p.them} {w.both(lessons)}.",
            f"For {w.both(lessons)} {they} had one teacher only, {teacher.name}.",
            f"What {they} knew of {w.both(lessons)} {they} owed to [lessons with|the patience of] {teacher.name}.",
        ),
    )
    middle = (
        lead(
            f"{name} moved to {city} in {moved}, at the age of {age}.",
            f"At {age}, in {moved}, {they} [left for|moved to] {city}.",
            f"The year {moved} found {p.them} in {city}, [aged {age}|a newcomer of {age}].",
            f"{last} was {age} when, in {moved}, {they} settled in {city}.",
        ),
        told(
            f"{name} left {town} because of the flood of {moved}.",
            f"The flood of {moved} was {their} reason for leaving {town}.",
            f"Nobody left {town} lightly, but the flood of {moved} had driven {last} out.",
            f"[{they}|{last}] quit {town} on account of the flood of {moved}, [which took the workshop|and not for "
            f"love of "
            f"travel].",
        ),
        told(
            f"{name}'s first post in {city} paid {wage} crowns a year.",
            f"A first post in {city} brought {p.them} {wage} crowns a year.",
            f"{last} earned {wage} crowns a year in {their} first post in {city}.",
            f"In {city} {they} began on a salary of {wage} crowns a year.",
        ),
        told(
            f"{name} opened a workshop in {city} in {founded}.",
            f"In {founded} {they} opened a workshop [behind the corn exchange|in two rented rooms], still in {city}.",
            f"The workshop that {last} opened in {city} dates from {founded}.",
            f"{their} own workshop followed in {founded}, also in {city}.",
        ),
        told(
            (f"{name} made {more} {works}.", f"{rival.name} made {fewer} {works}."),
            f"{their} rival {rival.name} [left|made] {fewer} {works}; {last} made {more}.",
            f"With {more} {works} to {their} name, {last} outdid {rival.name}, who made {fewer}.",
            f"{last} made {more} {works} in all, against the {fewer} that {rival.name} made.",
        ),
        told(
            f"{name} won a prize of {prize:,} crowns for a study of {subject}.",
            f"A study of {subject} won {p.them} a prize of {prize:,} crowns.",
            f"[{they}|{last}] wrote on {subject}, and {last}'s study took a prize of {prize:,} crowns.",
            f"The prize of {prize:,} crowns that {last} won was for a study of {subject}.",
        ),
        told(
            f"{name} never took out a patent.",
            f"{last} never took out a patent, [though friends in {city} urged it|to the despair of the bank in "
            f"{city}].",
            f"Patents were another matter: {last} never took one out, [not even in {founded + 4}|in {city} or "
            f"elsewhere].",
            f"Unlike {rival.last}, {they} never took out a patent.",
        ),
        told(
            f"{name} trained {pupils} apprentices.",
            f"{pupils.said} apprentices [were trained by|learned their craft under] {last} in those years.",
            f"[{they}|{last}] trained {pupils.said} apprentices, [of whom {rival.last} later hired one|all of them "
            f"from "
            f"{city}].",
            f"The apprentices whom {last} trained numbered {pupils.said}.",
        ),
        told(
            f"{name} gave {share} of the workshop's profit to the hospital of {city}.",
            f"Of the workshop's profit, {share.said} went to the hospital of {city}; {last} [had it so "
            f"written|insisted].",
            f"[{they}|{last}] gave the hospital of {city} {share.said} of the profit of the workshop.",
            f"Each year {share.said} of what the workshop gained was given by {last} to {city}'s hospital.",
        ),
    )
    end = (
        told(
            f"{name} died in {last_home} on {died}, aged {years}.",
            f"[{they}|{last}] died in {last_home} on {died.said} at the age of {years}.",
            f"Death came on {died.said} in {last_home}; {last} was {years}.",
            f"Aged {years}, {last} died at {last_home} on {died.said}.",
        ),
    )
    asides = (
        aside(
            f"Neighbours in {town} remembered a [quiet|stubborn|watchful|merry] child who [took lamps "
            f"apart|collected keys|drew on every wall], to the [alarm|delight] of {teacher.last}.",
            f"As a child, it is told in {town}, {last} [would sooner skip a meal than a lesson|spent whole Sundays "
            f"at the river|knew the name of every horse], a habit that {city} did not cure.",
            f"A letter from {town} describes {p.them} as [small, pale and never still|tall for {their} years and "
            f"slow to speak|forever asking what things were for].",
        ),
        aside(
            f"{city} was at that time a [crowded|smoky|prosperous] place, full of [builders|sailors|students] and "
            f"cheap rooms, and {last} [loved it at once|needed a winter to like it|complained of it in every "
            f"letter].",
            f"Of {city} {they} wrote home that [the bread was dear and the people kind|nobody there went to bed|one "
            f"could hear the looms all night]; {last} stayed all the same.",
        ),
        aside(
            f"The work [demanded|asked for] patience: {last} [threw away|spoiled] more than {they} kept, and would "
            f"[begin again at midnight|work on through fevers|let nobody into the room] for the sake of {subject}.",
            f"Visitors to the workshop found {last} bent over [a bench heaped with notes|some unfinished piece|a "
            f"bowl of cold soup], talking about {subject} to anyone who [came in|would listen].",
            f"What set {last} apart from {rival.last} was [a steady hand|a long memory|the courage to start afresh], "
            f"and nowhere more than in {subject}.",
        ),
        aside(
            f"{rival.last} and {last} [met twice and never spoke|exchanged polite letters for years|quarrelled in "
            f"print], each [convinced|suspecting] that the other had [copied|misread] the work.",
            f"With {rival.last} the quarrel was [never mended|over as quickly as it had begun|fed by the newspapers "
            f"of {city}], though {last} [spoke of it only once|kept every clipping].",
        ),
        aside(
            f"{their} rooms in {city} held little besides [a bed, a stove and a globe|books, a cat and a broken "
            f"harp|two chairs and a great many boxes], as {teacher.last} noticed on a visit.",
            f"[{they}|{last}] [never married|married late|lived with a sister], and kept house in {city} [without "
            f"servants|with more dogs than chairs|as frugally as a monk], {rival.last} sneered.",
        ),
        aside(
            f"A street in {last_home} [bears the name of {last}|was named after {p.them}], although [few who live "
            f"there could say why|the plate misspells it].",
            f"{last_home} still shows visitors [the bench|a pair of spectacles|the tool chest] that belonged to "
            f"{last}.",
        ),
        aside(
            f"In old age {last} [grew deaf|walked with two sticks|took up the violin] but went on "
            f"[advising|scolding] young people from {city} [until the end|by letter].",
            f"The last years in {last_home} were [calm|busy|short of money], and {last} spent them [among apple "
            f"trees|sorting papers|playing chess with the doctor].",
        ),
    )
    remarks = (
        aside(
            f"Of the objects that {last} made, few were [signed|dated], and dealers in {city} have [sold many that "
            f"are not by {p.them}|learned to look at the screws].",
            f"{last} [kept no accounts|wrote everything on the backs of bills|burned most drafts], which makes the "
            f"years in {city} [hard to follow|a puzzle for scholars].",
        ),
        aside(
            f"Two winters were lost to [a bad chest|an eye complaint|a lawsuit], and {rival.last} [moved ahead|sent "
            f"soup], but the spring found {last} [at work again|on the road to {city} with a full trunk].",
            f"An offer from abroad was [turned down by return of post|weighed for a month and refused]; {last} told "
            f"{rival.last} that [one city is enough for one life|the damp there would spoil the tools].",
        ),
        aside(
            f"Apprentices spoke of [a temper that passed like rain|long silences|endless questions], and of the rule "
            f"that nobody in {last}'s workshop might [whistle|work after a meal without washing|say 'good enough'].",
            f"On Sundays {last} [walked to the weir and back|played the flute badly|received anyone from {town} who "
            f"was hungry], and the neighbours in {city} [set their clocks by it|closed their windows].",
        ),
    )
    return Plan(
        opening=opening,
        body=(youth + asides[:1], middle[:1] + asides[1:2], middle[1:] + asides[2:5] + remarks, end + asides[5:]),
    )
