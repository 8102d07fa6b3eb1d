"""The label of an object in a museum."""

from twx_accept.documents.wording import both, tenths
from twx_accept.documents.writing import Plan, Writer, aside, lead, told

OBJECTS = (
    ("drinking horn", "silver", "a hunting scene"),
    ("travelling clock", "brass", "a ring of stars"),
    ("christening bowl", "pewter", "two doves"),
    ("writing box", "walnut", "a ship in full sail"),
    ("salt cellar", "glazed clay", "a vine with grapes"),
    ("powder flask", "copper", "a leaping stag"),
    ("butter mould", "pearwood", "a swan"),
    ("sea chest", "oak", "a compass rose"),
    ("hand bell", "bronze", "a row of saints"),
    ("warming pan", "beaten copper", "a crowing cock"),
)
COLOURS = ("red", "ochre", "green", "white", "black", "blue", "gold")
DAMAGE = ("woodworm", "a fall in transit", "damp", "a clumsy repair", "soot", "salt in the air")
USES = ("weddings", "the blessing of nets", "harvest suppers", "guild meetings", "funerals", "the opening of the fair")


def museum_label(w: Writer) -> Plan:
    """Maker, date, size, material, use, owners, price, repair, and a comparison with a second piece."""
    maker, collector = w.person(), w.person()
    restorer, painter = w.person("the restorer"), w.person("the painter")
    town, finder_town, museum = w.place(), w.place(), w.place()
    thing, material, scene = w.one(*OBJECTS)
    code, second = w.code(), w.code()
    made = w.n(1560, 1790)
    newer = made + w.n(11, 60)
    bought = w.day(1880, 1968)
    small, large = w.two(112, 880)
    weight, price = w.n(12, 94), w.n(140, 9600, 10)
    colours, use, damage = w.some(3, *COLOURS), w.one(*USES), w.one(*DAMAGE)
    share, jewels, repaired = w.percent(4, 38), w.count(3, 12), bought.year + w.n(2, 40)
    months, pieces, hall = w.count(3, 12), w.n(14, 88), w.n(2, 19)
    years = w.n(21, 140)
    it = f"{thing} {code}"
    opening = told(
        (f"The {it} was made by {maker.name}.", f"The {it} was made in {town} in {made}."),
        f"{it}. Made by {maker.name}, {town}, {made}.",
        f"This {thing}, {code}, was made by {maker.name} in {town} in {made}.",
        f"{maker.name} made this {thing} ({code}) in {made}, in {town}.",
        f"In {made} {maker.name} of {town} made the {thing} that is shown here as {code}.",
    )
    body = (
        told(
            (f"The {it} is {tenths(large)} cm long.", f"The {thing} {second} is {tenths(small)} cm long."),
            f"[It|The {thing}|{code}] is {tenths(large)} cm long; its companion, {second}, only {tenths(small)} cm.",
            f"At {tenths(large)} cm it is longer than {second}, a second {thing}, which measures {tenths(small)} cm.",
            f"Length: {code}, {tenths(large)} cm; {second}, the {thing} beside it, {tenths(small)} cm.",
        ),
        told(
            f"The {thing} {second} is {newer - made} years younger than the {it}.",
            f"The {thing} {second}, in the same case, is {newer - made} years younger than {code}.",
            f"{newer - made} years younger than {code} is the other {thing}, {second}.",
        ),
        told(
            f"The {it} is made of {material} and weighs {tenths(weight)} kg.",
            f"[It|The {thing}|{code}] weighs {tenths(weight)} kg, all of it {material}, [to judge by {code}'s "
            f"scratches|says {restorer.last}].",
            f"{material}; {tenths(weight)} kg.",
            f"{maker.last} made it of {material}; it weighs {tenths(weight)} kg.",
        ),
        told(
            f"The {it} shows {scene}.",
            f"{maker.last} chose {scene} as its ornament.",
            f"On its front one sees {scene}, [the mark of {town}|after a print by {painter.last}].",
            f"Look for {scene}: {maker.last} [hid it in the ornament|put it where the light falls].",
        ),
        told(
            f"The {it} is painted in {both(colours)}.",
            f"Its colours are {w.both(colours)}, [renewed by {painter.last}|as bright as in {made}].",
            f"{w.both(colours)} are the colours in which {maker.last} had it painted.",
            f"Traces of paint remain on {code}, in {w.both(colours)}.",
        ),
        told(
            f"The {it} was used at {use} in {town}.",
            f"In {town} it was used at {use}.",
            f"{use} in {town} were the occasions on which it was used.",
            f"[It|The {thing}|{code}] came out for {use}, [when all {town} looked on|so the books of {town} tell].",
        ),
        told(
            f"{collector.name} bought the {it} on {bought}.",
            f"{collector.name} bought it on {bought.said}.",
            f"On {bought.said} it was bought by {collector.name}.",
            f"Bought: {bought.said}, by {collector.name}.",
        ),
        told(
            f"{collector.name} paid {price:,} thalers for the {it}.",
            f"The price that {collector.name} paid was {price:,} thalers.",
            f"{collector.name} paid {price:,} thalers for it, [more than a house in {town}|and never told the family].",
            f"It cost {collector.name} {price:,} thalers.",
        ),
        told(
            f"The {it} was damaged by {damage}.",
            f"The damage that visitors notice on {code} was done by {damage}.",
            f"{damage} damaged it[, probably in {finder_town}| before it left {finder_town}].",
            f"While it was kept in {finder_town} it was damaged by {damage}.",
        ),
        lead(
            f"{restorer.name} restored the {it} in {repaired}.",
            f"In {repaired} it was restored by {restorer.name}.",
            f"{restorer.name} restored it in {repaired}, [with glue from {finder_town}|adding nothing new].",
            f"Restored: {repaired}, by {restorer.name}.",
        ),
        told(
            f"The restoration of the {it} took {months} months.",
            f"To restore {code} took {months.said} months.",
            f"{restorer.last}'s work on it, the restoration, took {months.said} months.",
        ),
        told(
            f"{share} of the {it} is not original.",
            f"Of what the visitor sees, {share.said} is not original, [{restorer.last} reckons|as {code}'s file "
            f"shows].",
            f"{share.said} of {code} is not original.",
            f"Not original is {share.said} of the piece, in {restorer.last}'s view.",
        ),
        told(
            f"The {it} does not bear a signature.",
            f"{code} does not bear a signature, though {maker.last} signed other works.",
            f"A signature it does not bear; {maker.last}'s bill of {made} tells us who made it.",
            f"{maker.last} gave it no signature.",
        ),
        told(
            f"The {it} is set with {jewels} garnets.",
            f"{jewels.said} garnets are set in {code}.",
            f"[It|The {thing}|{code}] is set with {jewels.said} garnets, [cut in {finder_town}|one of them a later "
            f"gift from {finder_town}].",
            f"Garnets, {jewels.said} of them, are set around the rim of {code}.",
        ),
        told(
            f"The {it} lay in a cellar in {finder_town} for {years} years.",
            f"For {years} years it lay in a cellar in {finder_town}.",
            f"A cellar in {finder_town} hid it for {years} years.",
            f"[It|The {thing}|{code}] lay for {years} years in {finder_town}, in a cellar.",
        ),
        told(
            f"The museum of {museum} owns {pieces} works by {maker.name}.",
            f"This museum, that of {museum}, owns {pieces} works by {maker.last}.",
            f"Of {maker.last}'s works the museum of {museum} owns {pieces}.",
            f"{pieces} works by {maker.last} are owned by the museum of {museum}.",
        ),
        told(
            f"The {it} can be seen in room {hall} of the museum of {museum}.",
            f"{museum} museum, room {hall}, is where {code} can be seen.",
            f"[It|The {thing}|{code}] can be seen in {museum}'s museum, in room {hall}.",
        ),
    )
    asides = (
        aside(
            f"Pieces of this sort were [given to brides|shown on feast days|handed from master to pupil] in {town}, "
            f"and few [survive|came down to us whole], which makes {code} [dear to scholars|a rare guest].",
            f"A {thing} like this stood in [every better household|many a kitchen] of {town}, yet most were [melted "
            f"down|burnt|thrown out] when [fashions changed|times grew hard], and {code} was [spared by "
            f"chance|overlooked].",
        ),
        aside(
            f"About {maker.last} we know [next to nothing|only what the guild wrote down|more than usual]: [a house "
            f"by the gate|two marriages|a fine for brawling] in {town}, and [a pupil or two|a grave without a "
            f"stone].",
            f"{maker.last} was [the best hand in {town}|a newcomer to {town}|trained abroad], and the tool marks on "
            f"{code} show [a left-handed worker|haste in some places|great care].",
        ),
        aside(
            f"The curators of {museum} have [left the old dust inside|kept the dent in its side], so that [each "
            f"visitor may judge|one can see how {code} was lived with].",
            f"Please compare it with {second}, [whose lid is a later addition|where the same hand seems at work|a "
            f"plainer thing], and [note the difference in the rim|decide which {town} liked better].",
        ),
        aside(
            f"{collector.last} [kept it under the bed|showed it to nobody|lent it for weddings], and the heirs [sent "
            f"it to {museum} in a hatbox|gave it to {museum} with a page of conditions].",
            f"How it left {town} is [not known|a story with gaps|told in two ways]; {collector.last} [spoke of a "
            f"pedlar|named a dealer who never existed|would only smile].",
        ),
        aside(
            f"Under a lens one finds [the print of a thumb|a second, older drawing|letters scratched by a child] "
            f"near the foot of {code}, [which {restorer.last} chose to leave|as {painter.last} first pointed out].",
            f"{painter.last} drew it [twice|for a book on {town}], and in those drawings {code} still has [its "
            f"chain|a lid|a small foot that is now missing].",
        ),
        aside(
            f"[Is {code} heavy? Yes, say those who carried it to {museum}.|Was {code} ever dropped? More than once, "
            f"to judge by what {museum} has on file.|May {code} be touched? Alas, no, though {museum} would like "
            f"nothing better.]",
            f"The light in this corner of {museum} is [kept low|changed with the seasons] for the sake of {code}, "
            f"whose [surface is tender|colours would fade].",
        ),
    )
    remarks = (
        aside(
            f"In a letter from {town} it is called ['our old friend'|'the heavy one'], a sign that {code} was [part "
            f"of the household|not thought of as art].",
            f"School classes in {museum} are asked [who might have held {code} last|to draw it from memory|what it "
            f"would fetch at a fair]; the best answers [hang by the door|are kept in a book].",
        ),
        aside(
            f"Forgers have [copied it twice|never dared to try], and {restorer.last} can tell {code} from any copy "
            f"by [its smell|a nick in the base|the sound that it gives when tapped].",
            f"A rumour that {code} is hollow and holds [a will|a map of {town}] was [put to rest by X-rays|started "
            f"by {collector.last}, for a joke].",
        ),
        aside(
            f"During the war it was [walled up|buried in a garden] with the silver of {museum}, and came out "
            f"[green|smelling of apples], {restorer.last} remembers.",
            f"Loans of {code} are [seldom granted|out of the question] since a ship with other things from {museum} "
            f"[ran aground|was two years late].",
        ),
    )
    return Plan(opening=opening, body=(body[:9] + body[12:] + asides[:4] + remarks, body[9:12] + asides[4:]))
