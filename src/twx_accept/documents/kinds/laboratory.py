"""The account of a trial in a laboratory."""

from twx_accept.documents.wording import both, tenths
from twx_accept.documents.writing import Plan, Writer, aside, lead, told

SUBJECTS = (
    ("adhesive", "joint", "held a load of", "N", "birch plywood"),
    ("varnish", "panel", "withstood a pressure of", "kPa", "spruce board"),
    ("filter cloth", "sample", "let through a flow of", "ml a minute", "river water"),
    ("insulating foam", "block", "carried a weight of", "kg", "concrete"),
    ("fishing line", "length", "bore a pull of", "N", "sea water"),
    ("glaze", "tile", "withstood a shock of", "J", "red clay"),
)
METHODS = (
    "a climate chamber",
    "a tensile tester",
    "an infrared camera",
    "a salt bath",
    "a microbalance",
    "a shaking table",
)
CAUSES = ("trapped air", "uneven mixing", "a contaminated batch", "moisture in the drum", "too short a wait")
FLAWS = ("cracks", "blisters", "yellow stains", "loose edges", "pinholes")


def laboratory_trial(w: Writer) -> Plan:
    """Question, samples, conditions, two results, a failure and its cause, cost, and what was not shown."""
    head, assistant, sponsor = w.person("trial leader"), w.person("the assistant"), w.thing()
    first, second, town = w.code(), w.code(), w.place()
    product, piece, did, unit, on = w.one(*SUBJECTS)
    start = w.day(1978, 2023)
    weeks = w.count(3, 12)
    weak = w.n(110, 420)
    strong = weak * w.n(2, 3)
    many, failed = w.n(48, 240, 2), w.n(2, 9)
    heat, humidity, margin = w.n(41, 88), w.percent(35, 95), w.n(2, 9)
    methods = w.some(3, *METHODS)
    flaw, cause, other = w.one(*FLAWS), *w.some(2, *CAUSES)
    cost, hours = w.n(2400, 68000, 100), w.n(14, 96)
    low = w.n(12, 40)
    high = low + w.n(6, 30)
    cheap, dear = w.two(31, 290)
    drop, cycles = w.percent(3, 29), w.n(140, 900, 10)
    ratio = strong // weak
    often = {2: "twice", 3: "three times"}[ratio]
    each = f"each {piece}"
    pieces = f"{many} {piece}s"
    one, two = f"the {product} {first}", f"the {product} {second}"
    opening = told(
        (f"The laboratory in {town} compared {one} with {two}.", f"The trial of {one} began on {start}."),
        f"On {start.said} the laboratory in {town} began a trial that compared {one} with {second}.",
        f"Is {one} better than {second}? To compare them, the laboratory in {town} began a trial on {start.said}.",
        f"A trial begun on {start.said} in the laboratory at {town} compared two makes of {product}, {first} and "
        f"{second}.",
        f"The laboratory in {town} compared {one} with {second} in a trial that began on {start.said}.",
    )
    method = (
        told(
            f"The trial of {one} lasted {weeks} weeks.",
            f"The trial lasted {weeks.said} weeks, [{assistant.last} keeping the log|as {sponsor} had wished].",
            f"It took {weeks.said} weeks [in {town}|from the first reading by {assistant.last} to the last].",
        ),
        told(
            f"The trial of {one} used {pieces}.",
            f"{pieces} were used, [half for {first}|cut by {assistant.last}].",
            f"In all {pieces} were used, all on {on}.",
            f"{assistant.last} prepared {pieces}, and every one was used.",
        ),
        told(
            f"{head.name} led the trial of {one}.",
            f"{head.name} led the trial; {assistant.last} assisted.",
            f"The trial was led by {head.name}, [of the {town} staff|new to {town}].",
            f"Leading it was {head.name}.",
        ),
        told(
            f"The samples of {one} were kept at {heat} \u00b0C and {humidity} humidity.",
            f"All samples were kept at {heat} \u00b0C and {humidity.said} humidity.",
            f"At {heat} \u00b0C and a humidity of {humidity.said} the samples were kept until needed.",
        ),
        told(
            f"The trial of {one} made use of {both(methods)}.",
            f"The instruments were {w.both(methods)}.",
            f"Use was made of {w.both(methods)}, [two of them lent by {sponsor}|all calibrated in {town}].",
            f"For measuring, {head.last} had the use of {w.both(methods)}.",
        ),
        told(
            f"{first} was stored for {hours} hours before the trial.",
            f"Before the trial {first} was stored for {hours} hours.",
            f"For {hours} hours before the trial {first} lay in storage, [locked|as its maker asks|{assistant.last} "
            f"notes].",
        ),
    )
    result = (
        lead(
            (f"{first} {did} {strong} {unit}.", f"{second} {did} {weak} {unit}."),
            f"On average {each} with {first} {did} {strong} {unit}, and with {second} {weak} {unit}.",
            f"{first} {did} {strong} {unit}, {second} only {weak} {unit}.",
            f"While {second} {did} {weak} {unit}, {first} {did} {strong} {unit}.",
        ),
        told(
            f"The result of {first} was {often} as high as that of {second}.",
            f"The figure for {first} was {often} as high as that for {second}.",
            f"{head.last} notes that {first} did {often} as high as {second}.",
            f"The result of {first}, then, was {often} as high as that of {second}.",
        ),
        told(
            f"The error of the measurements in {town} was {margin}%.",
            f"The error of measurement is given as {margin}% [by {assistant.last}|for the {town} bench].",
            f"{assistant.last} puts the error of the measurements at {margin}%.",
        ),
        told(
            f"{failed} of the {piece}s with {second} showed {flaw}.",
            f"{failed} {piece}s with {second} showed {flaw}.",
            f"{flaw} showed on {failed} of the {piece}s that had been given {second}.",
            f"Of the {piece}s with {second}, {failed} showed {flaw}.",
        ),
        told(
            (f"The {flaw} on {second} were caused by {cause}.", f"The {flaw} on {second} were not caused by {other}."),
            f"{head.last} traced the {flaw} on {second} to {cause}, and not to {other}.",
            f"The {flaw} on {second} were caused by {cause}; {other} was looked for and was not the cause.",
            f"It was not {other} but {cause} that caused the {flaw} on {second}.",
        ),
        told(
            f"{first} lost {drop} of its strength after {cycles} cycles.",
            f"After {cycles} cycles {first} had lost {drop.said} of its strength.",
            f"{first} lost {drop.said} of its strength in the course of {cycles} cycles.",
            f"{cycles} cycles cost {first} {drop.said} of its strength.",
        ),
        told(
            f"The working range of {first} is {low} \u00b0C to {high} \u00b0C.",
            f"{first} works in a range of {low} \u00b0C to {high} \u00b0C.",
            f"From {low} \u00b0C to {high} \u00b0C: that is the working range of {first}.",
        ),
        told(
            (f"{first} costs {tenths(dear)} francs a litre.", f"{second} costs {tenths(cheap)} francs a litre."),
            f"{first} costs more, {tenths(dear)} francs a litre, than {second}, at {tenths(cheap)} francs.",
            f"A litre of {second} costs {tenths(cheap)} francs, one of {first} {tenths(dear)} francs.",
        )
        if product in ("adhesive", "varnish", "glaze")
        else told(
            (f"{first} costs {tenths(dear)} francs a kilogram.", f"{second} costs {tenths(cheap)} francs a kilogram."),
            f"{first} costs more, {tenths(dear)} francs a kilogram, than {second}, at {tenths(cheap)} francs.",
            f"A kilogram of {second} costs {tenths(cheap)} francs, one of {first} {tenths(dear)} francs.",
        ),
    )
    end = (
        told(
            f"{sponsor} paid {cost:,} francs for the trial in {town}.",
            f"{sponsor} paid {cost:,} francs for the trial.",
            f"The bill of {cost:,} francs was paid by {sponsor}.",
            f"For the trial {sponsor} paid the laboratory {cost:,} francs.",
        ),
        told(
            f"The trial in {town} did not test {first} outdoors.",
            f"{first} was not tested outdoors, [{head.last} cautions|which {sponsor} may yet pay for].",
            f"What {town} did not do was test {first} outdoors.",
            f"Outdoors, {head.last} stresses, {first} was not tested.",
        ),
    )
    asides = (
        aside(
            f"Both makes [are sold in plain tins|came from the same shop|had been bought without a word to their "
            f"makers], and neither {first} nor {second} was [known to the testers by name|favoured by any tester].",
            f"So that nobody could guess, {assistant.last} [painted over the labels|poured both into like jars], and "
            f"the key to {first} and {second} [lay in a sealed envelope|was kept by a porter].",
        ),
        aside(
            f"The work was [slow|dull|pleasant]: {assistant.last} [set up the rows each morning|came in on "
            f"Sundays|spoiled the first row], and {head.last} [read the dials|checked every figure twice|wrote the "
            f"report].",
            f"Much depended on [clean hands|steady air|the order of the steps], and {head.last} had the doors in "
            f"{town} [taped|guarded|kept shut until each row was done].",
        ),
        aside(
            f"One series was [dropped|begun again] after [the power failed|a window blew open|a cleaner moved the "
            f"tray], a loss that {assistant.last} [records with regret|made good within the time].",
            f"An early hitch, [a loose clamp|a scale that stuck|a mislabelled tray], was [found by "
            f"{assistant.last}|mended before it could do harm], and no reading of {first} [was affected|had to be "
            f"thrown away].",
        ),
        aside(
            f"{sponsor} had [no say in the design|asked to see the raw figures|hoped for a clearer answer], and the "
            f"laboratory [sent its full notes|kept half of each sample in {town}|thanks it for patience].",
            f"It was {sponsor} that [first raised the question|wanted {second} looked at], after [complaints from "
            f"the trade|a quarrel with a supplier], and {town} [took it up gladly|agreed with some doubt].",
        ),
        aside(
            f"The broken pieces of {second} [fill a drawer|were photographed and kept|show a grey edge], and "
            f"{head.last} [passes them round at lectures|will part with them on request].",
            f"To the naked eye {first} and {second} look [alike|quite different once dry|the same until they are "
            f"scratched], but [under the lens|in the hand] {assistant.last} [never confused them|could tell them at "
            f"once].",
        ),
        aside(
            f"Whether the same would hold for {on} from [another source|a damper store|another year] is [open|not "
            f"for this report to say], and {head.last} [invites others to repeat it|plans a second round in {town}].",
            f"A shop that uses {on} should [try {first} on scrap before|not throw {second} away yet], {head.last} "
            f"[adds|advises], for [bench and workshop are two worlds|no trial answers everything].",
        ),
    )
    remarks = (
        aside(
            f"The bench on which {first} was tested had been [levelled afresh|bolted to the floor of the cellar in "
            f"{town}], since [a tram passes near by|an earlier series had been spoilt by footsteps].",
            f"Weights and gauges were [checked against those of the harbour office|sent away to be compared], and "
            f"{assistant.last} [kept the certificates|repeated the check half-way through].",
        ),
        aside(
            f"Before the start {head.last} wrote down [what would count as better|which figures would be thrown out "
            f"and why], and [gave the sheet to {sponsor}|pinned it up in {town}].",
            f"The plan had been [read by two outsiders|published beforehand], so that neither {sponsor} nor "
            f"{head.last} could [shift the goal|choose among the results].",
        ),
        aside(
            f"Of {second} there was [barely enough|plenty in store], while {first} had to be [ordered twice|fetched "
            f"by {assistant.last} in person].",
            f"Rain on the roof of the {town} laboratory [made the dry days hard to keep dry|was the only noise], "
            f"{assistant.last} notes in the [log|margin].",
        ),
    )
    return Plan(
        opening=opening,
        body=(method + asides[:3] + remarks, result + asides[3:4], end + asides[4:]),
        between=w.one(" ", "\n\n"),
    )
