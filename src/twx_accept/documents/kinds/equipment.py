"""The description of a machine, as its maker or a trade paper would give it."""

from twx_accept.documents.wording import both, tenths
from twx_accept.documents.writing import Plan, Writer, aside, told

MACHINES = (
    ("bilge pump", "pumps", "litres a minute", "canal barges"),
    ("seed drill", "sows", "square metres a minute", "hillside farms"),
    ("label printer", "prints", "labels a minute", "bottling plants"),
    ("hay press", "presses", "kilograms a minute", "small dairies"),
    ("dough kneader", "kneads", "kilograms an hour", "village bakeries"),
    ("air compressor", "delivers", "litres a second", "stone yards"),
    ("core drill", "drills", "millimetres a minute", "survey teams"),
    ("snow blower", "clears", "cubic metres an hour", "mountain passes"),
    ("tile saw", "cuts", "tiles an hour", "building sites"),
)
MATERIALS = ("cast iron", "stainless steel", "aluminium", "glass fibre", "bronze", "ash wood")
PARTS = ("a hose", "a spare belt", "a carrying strap", "two fuses", "a grease gun", "a wall bracket", "a dust cover")
FAULTS = ("overheating", "low oil", "a blocked filter", "a jammed inlet", "undervoltage")


def equipment(w: Writer) -> Plan:
    """Two models of one make: size, power, output, price, upkeep, warnings, and what it is not for."""
    make, new, old = w.thing(), w.code(), w.code()
    designer, town = w.person("the designer"), w.place()
    machine, does, rate, users = w.one(*MACHINES)
    light, heavy = w.two(18, 210)
    slow = w.n(40, 320)
    fast = slow + w.n(8, slow // 2)
    price, saving = w.n(640, 9800, 10), w.percent(8, 35)
    power, noise = w.n(11, 148), w.n(52, 91)
    length, width, height = w.n(60, 190), w.n(30, 58), w.n(70, 150)
    material, fault = w.one(*MATERIALS), w.one(*FAULTS)
    parts = w.some(3, *PARTS)
    hours, guarantee = w.n(120, 900, 10), w.count(2, 7)
    cold, warm = w.n(5, 25), w.n(35, 52)
    year, tank = w.n(1961, 2022), w.n(14, 96)
    n, o = f"the {make} {new}", f"the {make} {old}"
    opening = told(
        (f"The {make} {new} is a(n) {machine}.", f"The {make} {new} was introduced in {year}."),
        f"The {make} {new} is a(n) {machine} that was introduced in {year} and is meant for {users}.",
        f"Introduced in {year}, the {new} from {make} is a(n) {machine} [built|made] for {users}.",
        f"{make} introduced the {new} in {year}; it is a(n) {machine} of the kind that {users} need.",
        f"For {users} {make} offers a(n) {machine}, the {new}, which was introduced in {year}.",
    )
    body = (
        told(
            (f"The {make} {new} {does} {fast} {rate}.", f"The {make} {old} {does} {slow} {rate}."),
            f"It {does} {fast} {rate}, while [its forerunner|the model before it], the {old}, {does} {slow}.",
            f"Where the earlier {old} {does} {slow} {rate}, the {new} {does} {fast}.",
            f"The {new} {does} {fast} {rate}; the {old}, the older model, {does} {slow}.",
        ),
        told(
            f"The {make} {new} weighs {light} kg, {heavy - light} kg less than the {make} {old}.",
            f"At {light} kg the {new} weighs {heavy - light} kg less than the {old}.",
            f"The weight of the {new} is {light} kg, which is {heavy - light} kg less than the {old} weighs.",
            f"{heavy - light} kg lighter than the {old}, the {new} weighs {light} kg.",
        ),
        told(
            f"The motor of {n} has a power of {tenths(power)} kW.",
            f"A motor of {tenths(power)} kW [drives|powers] the {new}.",
            f"Power for the {new} comes from a motor of {tenths(power)} kW.",
            f"Its motor [is rated at|has] {tenths(power)} kW, [enough for {users}|which was measured twice in {town}].",
        ),
        told(
            f"{n} is {length} cm long, {width} cm wide and {height} cm high.",
            f"Length, width and height of the {new} are {length} cm, {width} cm and {height} cm.",
            f"The {new} measures {length} cm in length, {width} cm in width and {height} cm in height.",
            f"It stands {height} cm high, is {width} cm wide and takes up {length} cm in length.",
        ),
        told(
            f"The housing of {n} is made of {material}.",
            f"The {new} has a housing of {material}.",
            f"{make} makes the housing of the {new} of {material}.",
            f"{material} was chosen for the housing of the {new}.",
        ),
        told(
            f"{n} costs {price:,} florins.",
            f"The price of the {new} is {price:,} florins.",
            f"{make} asks {price:,} florins for the {new}.",
            f"A buyer pays {price:,} florins for the {new}, [delivery from {town} included|before any discount].",
        ),
        told(
            f"{n} uses {saving} less power than {o}.",
            f"It uses {saving.said} less power than the {old}.",
            f"Compared with the {old}, the {new} uses {saving.said} less power.",
            f"[Bills fall too|There is a gain]: the {new} needs {saving.said} less power than the {old}.",
        ),
        told(
            f"The noise of {n} is {noise} dB.",
            f"Noise is given as {noise} dB for the {new}.",
            f"At one metre from the {new} the noise is {noise} dB.",
            f"The {new} runs at a noise level of {noise} dB.",
        ),
        told(
            f"{n} must be oiled every {hours} hours.",
            f"Every {hours} hours the {new} must be oiled.",
            f"Users must oil the {new} every {hours} hours.",
            f"The {new} asks little care, but every {hours} hours it must be oiled.",
        ),
        told(
            f"{n} works from -{cold} \u00b0C to {warm} \u00b0C.",
            f"It works at anything from -{cold} \u00b0C to {warm} \u00b0C.",
            f"Between -{cold} \u00b0C and {warm} \u00b0C the {new} [works|can be left to work].",
            f"The {new} works in frost down to -{cold} \u00b0C and in heat up to {warm} \u00b0C.",
        ),
        told(
            f"{n} comes with {both(parts)}.",
            f"The {new} comes with {w.both(parts)}.",
            f"{w.both(parts)} come with every {new}.",
            f"In the crate with the {new} the buyer finds {w.both(parts)}.",
        ),
        told(
            f"{n} stops by itself because of {fault}.",
            f"In case of {fault} the {new} stops by itself.",
            f"The one cause that makes the {new} stop by itself is {fault}.",
            f"Should {fault} occur, the {new} stops by itself [and a red lamp is lit|until it is reset].",
        ),
        told(
            f"{n} is not suited to salt water.",
            f"The {new} is not suited to salt water, [and {make} says so on its plate|unlike the {old}].",
            f"For salt water, [{make} warns|as {designer.last} admits], the {new} is not suited.",
            f"Salt water is something for which the {new} is not suited.",
        ),
        told(
            f"{designer.name} designed {n}.",
            f"The designer of the {new} is {designer.name}.",
            f"It was {designer.name} who designed the {new}, [at {make}'s works in {town}|over two winters in {town}].",
            f"{designer.name} designed the {new} for {make}.",
        ),
        told(
            f"The guarantee of {n} runs for {guarantee} years.",
            f"{make} guarantees the {new} for {guarantee.said} years.",
            f"For {guarantee.said} years the {new} is under guarantee.",
            f"There is a guarantee of {guarantee.said} years on the {new}.",
        ),
        told(
            f"The oil tank of {n} holds {tank} litres.",
            f"The oil tank on the {new} holds {tank} litres.",
            f"{tank} litres fit into the oil tank of the {new}.",
            f"An oil tank that holds {tank} litres is [mounted under|bolted to] the {new}.",
        ),
    )
    asides = (
        aside(
            f"The {new} is started with [a lever|a green button|a key] on the left, and [an arrow|a lamp|a small "
            f"dial] shows that it is ready; [more was not asked for|{make} calls this plain sense].",
            f"All controls of the {new} sit [on one side|under a hinged lid|at the height of the hip], where [a "
            f"gloved hand|anyone without stooping] can reach them, {make} says.",
        ),
        aside(
            f"Maintenance needs [no special tools|one spanner and a rag]: the cover of the {new} [lifts off|swings "
            f"aside|is held by four clips], and every part [bears a number|can be ordered from {town}].",
            f"Whoever has cleaned the {old} will find the {new} [far easier|no different|kinder to the knuckles], "
            f"since {make} has [moved the filter to the front|rounded every corner].",
        ),
        aside(
            f"In {town} one {new} ran [day and night through a winter|beside one {old} for a whole season], and the "
            f"testers [found little to report|came to like its hum|wore out before it did].",
            f"The first buyers of the {new} were [a pair of brothers near {town}|two cautious firms in {town}], who "
            f"[still use it|sent {make} a cake].",
        ),
        aside(
            f"The {old} remains [on sale while stocks last|available as a reconditioned machine], for {make} knows "
            f"that some buyers [will not part with it|prefer what they know].",
            f"Spare parts of the {old} [also fit the {new}|do not all fit the {new}], a point on which {make} [was "
            f"asked often|is candid].",
        ),
        aside(
            f"For transport the {new} is [lashed to a pallet|taken apart into three pieces|rolled on its own "
            f"wheels], and [two people|a person of ordinary strength and a ramp] will manage it, {make} writes.",
            f"It should stand on [level ground|a firm floor|something better than grass], and {make} asks that the "
            f"{new} be [kept under a roof|covered at night].",
        ),
        aside(
            f"{designer.last} wanted a machine that [a tired person could run|asks for no manual|would outlive its "
            f"owner], and [the {new} comes close|thinks the {new} comes close].",
            f"The shape of the {new} is {designer.last}'s, [plain as a stove|all curves and no corners]; the colour, "
            f"a [dull green|deep blue|signal orange], was chosen in {town}.",
        ),
    )
    remarks = (
        aside(
            f"Painted plates on the {new} show [what to do and, crossed out in red, what not to do|each step as a "
            f"drawing], so that {make} can [sell it in any country|do without a book of words].",
            f"The handbook of the {new} is [short and has good pictures|written as if for a friend], a thing that "
            f"{make} [learned from the one for the {old}|takes pride in].",
        ),
        aside(
            f"A trade fair in {town} [gave it a bronze medal|put it in the window], though one juror [found the "
            f"{new} too plain|would have liked a larger wheel].",
            f"Hire firms near {town} [keep a pair of them|have put the {old} aside for it], and report that the "
            f"{new} comes back [muddy but whole|without a scratch].",
        ),
        aside(
            f"When it is not needed the {new} can be [hung on a wall|stood on end|slid under a bench], and {make} "
            f"sells a cover in [canvas|oilcloth] for it.",
            f"Two winters in a shed will not harm the {new}, if the [belts are slackened|plugs are taken out] as "
            f"{make} [advises|shows on the lid].",
        ),
    )
    return Plan(opening=opening, body=(body + asides + remarks,))
