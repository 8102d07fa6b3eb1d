"""The report of an inquiry into an accident without great harm."""

from twx_accept.documents.wording import both
from twx_accept.documents.writing import Plan, Writer, aside, told

SCENES = (
    ("a coal barge", "a lock gate", "the towing hook", "tonnes of coal"),
    ("a goods tram", "a loading ramp", "the hand brake", "tonnes of cement"),
    ("a travelling crane", "a buffer stop", "the limit switch", "tonnes of pipe"),
    ("a cable ferry", "a landing stage", "the guide wheel", "tonnes of gravel"),
    ("a mine locomotive", "a ventilation door", "the drive chain", "tonnes of ore"),
    ("a milk lorry", "a weighbridge", "the steering rod", "churns of milk"),
    ("a shunting engine", "a signal post", "the coupling pin", "tonnes of beet"),
)
CAUSES = ("a cracked bolt", "ice on the rail", "a worn bearing", "a misread signal", "a missing pin", "wet leaves")
INJURIES = (
    "a broken wrist",
    "bruised ribs",
    "a cut hand",
    "a sprained ankle",
    "a burnt forearm",
    "a fractured collarbone",
)
STEPS = (
    "a second brake",
    "a warning bell",
    "monthly checks",
    "better lamps",
    "a speed limit",
    "a written handover",
    "new gloves",
)


def accident_report(w: Writer) -> Plan:
    """When, where, how fast, the cause and what was not the cause, injuries, damage, times, and what is advised."""
    place, depot = w.place(), w.place()
    driver, helper, inspector = w.person("the driver"), w.person("the bystander"), w.person("the inspector")
    vehicle, struck, part, cargo = w.one(*SCENES)
    code = w.code()
    day, at = w.day(1908, 1996), w.clock(5, 21)
    late = w.n(6, 44)
    limit, over = w.n(8, 25), w.n(3, 14)
    cause, other = w.some(2, *CAUSES)
    injury, second = w.some(2, *INJURIES)
    damage, load, lost = w.n(1200, 64000, 100), w.n(21, 60), w.percent(10, 60)
    weeks = w.count(2, 11)
    brake_short, brake_long = w.two(14, 77)
    steps = w.some(3, *STEPS)
    witnesses, years = w.count(4, 12), w.count(2, 12)
    vehicle_code = f"{vehicle.split(' ', 1)[1]} {code}"
    opening = told(
        (f"The {vehicle_code} struck {struck} in {place} on {day}.", f"The {vehicle_code} struck {struck} at {at}."),
        f"At {at} on {day.said} {vehicle}, number {code}, struck {struck} in {place}.",
        f"On {day.said}, at {at}, the {vehicle_code} struck {struck} in {place}.",
        f"This report concerns the {vehicle_code}, which struck {struck} in {place} at {at} on {day.said}.",
        f"In {place}, on {day.said} at {at}, {struck} was struck by the {vehicle_code}.",
    )
    before = (
        told(
            f"{driver.name} was driving the {vehicle_code}.",
            f"{driver.name} was driving, [alone in the cab|as on most days that month].",
            f"At the controls of {code}, driving it alone, was {driver.name}.",
            f"The person driving {code} was {driver.name}, [who had slept well|on {driver.their} usual shift].",
        ),
        told(
            f"{driver.name} had {years} years of experience.",
            f"{driver.last} had {years.said} years of experience [at the {depot} depot|in the work].",
            f"By then {driver.last}'s experience amounted to {years.said} years.",
        ),
        told(
            f"The {vehicle_code} left {depot} {late} minutes late.",
            f"{code} had left {depot} {late} minutes late.",
            f"Departure from {depot} was {late} minutes late, [{driver.last} told the inquiry|the book shows].",
            f"{code} was already running {late} minutes late when it left {depot}.",
        ),
        told(
            (
                f"The speed limit in {place} was {limit} km/h.",
                f"The {vehicle_code} was travelling at {limit + over} km/h, {over} km/h over the limit.",
            ),
            f"The limit in {place} is {limit} km/h; {code} was travelling at {limit + over} km/h, or {over} km/h too "
            f"fast.",
            f"{code} was travelling at {limit + over} km/h, that is {over} km/h above the {limit} km/h allowed in "
            f"{place}.",
            f"Where {limit} km/h was the limit, at {place}, {code} did {limit + over} km/h, {over} km/h more than it "
            f"should.",
        ),
        told(
            f"The {vehicle_code} carried {load} {cargo}.",
            f"Its load was {load} {cargo}, [bound for {depot}|weighed that morning].",
            f"{load} {cargo} were aboard {code} [at the time|when it ran on].",
            f"{code} carried {load} {cargo}.",
        ),
    )
    why = (
        told(
            f"The accident in {place} was caused by {cause}.",
            f"The inquiry found that {cause} caused the accident in {place}.",
            f"What caused the accident, {inspector.last} concludes, was {cause}.",
            f"{cause}, and nothing that {driver.last} did, was the cause.",
        ),
        told(
            f"The accident in {place} was not caused by {other}.",
            f"{inspector.last} [rules out {other} as a cause|finds that {other} was not the cause].",
            f"{other}, which {helper.last} at first suspected, was not the cause.",
            f"In {place} there was talk of {other}, but {other} was not the cause.",
        ),
        told(
            f"{part} of the {vehicle_code} had last been tested {weeks} weeks before the accident.",
            f"{part} of {code} had last been tested {weeks.said} weeks before.",
            f"{weeks.said} weeks had passed since {part} of {code} was last tested.",
            f"The last test of {part} on {code} lay {weeks.said} weeks back.",
        ),
        told(
            f"The {vehicle_code} needed {brake_long} m to stop instead of {brake_short} m.",
            f"To stop, {code} needed {brake_long} m instead of {brake_short} m.",
            f"Instead of the usual {brake_short} m, {code} took {brake_long} m to stop.",
            f"{code} came to a stop after {brake_long} m, although {brake_short} m should have been enough.",
        ),
    )
    after = (
        told(
            (f"{driver.name} suffered {injury}.", f"{helper.name} suffered {second}."),
            f"{driver.last} suffered {injury}; {helper.name}, who was standing near by, {second}.",
            f"Two people were hurt: {helper.name} with {second} and {driver.last} with {injury}.",
            f"{injury} was what {driver.last} suffered, while {helper.name} came away with {second}.",
        ),
        told(
            f"The accident in {place} caused damage of {damage:,} guilders.",
            f"Damage [is put|was estimated] at {damage:,} guilders.",
            f"The damage done in {place} comes to {damage:,} guilders.",
            f"It cost {damage:,} guilders to make good the damage [in {place}|to {place} and its people].",
        ),
        told(
            f"{lost} of the load of the {vehicle_code} was lost.",
            f"{lost.said} of the load of {code} was lost.",
            f"Of what {code} had carried, {lost.said} was lost.",
            f"The loss of cargo from {code} was {lost.said} of the load.",
        ),
        told(
            f"The way through {place} was reopened at {at.plus(late + 75)} on the same day.",
            f"At {at.plus(late + 75)} the way through {place} was reopened, on the day itself.",
            f"That same day, at {at.plus(late + 75)}, the way through {place} was reopened.",
        ),
        told(
            f"{inspector.name} led the inquiry into the accident in {place}.",
            f"The inquiry was led by {inspector.name}, [of {depot}|who saw the spot next day].",
            f"{inspector.name} led the inquiry [and signs this report|from an office in {depot}].",
        ),
        told(
            f"{inspector.name} heard {witnesses} witnesses.",
            f"{witnesses.said} witnesses were heard by {inspector.name}.",
            f"{inspector.name} heard {witnesses.said} witnesses, [the first of them {driver.last}|all of them in "
            f"{depot}].",
        ),
    )
    advice = (
        told(
            f"The inquiry into the accident in {place} recommends {both(steps)}.",
            f"The inquiry recommends {w.both(steps)}.",
            f"For {place} it recommends three things: {w.both(steps)}.",
            f"{w.both(steps)} are recommended, [first of all for {place}|with {depot} to report on them].",
        ),
    )
    asides = (
        aside(
            f"The day had been [dull|clear and cold|wet], and nothing about {code} had [struck anyone in {depot} as "
            f"odd|drawn notice] before it [set out|was loaded].",
            f"Visibility at {place} was [good|poor|fair], and the ground [dry|slippery|soft], as {helper.last} and "
            f"others [agree|have sworn].",
        ),
        aside(
            f"{helper.last} [shouted a warning that nobody heard|ran to the telephone at once|thought at first of "
            f"thunder] when {code} [did not slow down|came into view].",
            f"By {helper.last}'s account {code} [rocked twice and stood still|made a sound like tearing cloth|seemed "
            f"almost to hesitate] before the blow.",
        ),
        aside(
            f"After the blow {code} [lay on its side|stood across the way|had lost its front plate], and the people "
            f"of {place} [brought blankets|held lamps|were kept back with a rope].",
            f"It was [nightfall|well past noon] before {place} was [quiet|clear] again, and {code} was [towed to "
            f"{depot}|covered with tarpaulin where it stood].",
        ),
        aside(
            f"{driver.last} [acted calmly|did what the rules demand|could have done nothing more], in the view of "
            f"{inspector.last}, and [no charge will be brought|deserves no blame].",
            f"To {inspector.last}, {driver.last} [gave a frank account|spoke of little but the noise|repeated the "
            f"same three sentences], which the state of {code} [bears out|does not contradict].",
        ),
        aside(
            f"The wreck of {code} was [examined in {depot}|taken apart bolt by bolt], and [photographs|drawings] of "
            f"the parts are [attached|kept with {inspector.last}'s papers].",
            f"{inspector.last} had [a test made with a like vehicle|every part of {code} laid out on the floor at "
            f"{depot}], and [nobody disputed the outcome|the result left little doubt].",
        ),
        aside(
            f"There have been cases like it, [though few|on other lines], but none at {place}, where [the old "
            f"hands|the foremen] had [long asked for changes|trusted to luck], {inspector.last} was told.",
            f"The staff in {depot} [have been told of these findings|took the news badly], and a copy of this report "
            f"[hangs on the wall there|has gone to {place}].",
        ),
    )
    remarks = (
        aside(
            f"A pedlar who was passing [lost a basket of eggs|had stopped to tie a shoe] and [claims nothing|asks to "
            f"be paid], a matter that {depot} will [settle by itself|take up with {inspector.last}].",
            f"Two geese and [a cart horse|a flower bed] came off worst, and their owner, [a widow from {place}|a "
            f"tenant of the {depot} estate], has been [paid|told whom to write to].",
        ),
        aside(
            f"The newspapers of {depot} [printed a drawing that is wrong in every detail|made more of it than it "
            f"was], and {driver.last} [was pestered at the door|has moved to a sister's house until it is over].",
            f"Rumours in {place} that {driver.last} [had been asleep|had been drinking] are [without any ground|the "
            f"work of one idle tongue], {inspector.last} writes.",
        ),
        aside(
            f"{helper.last} [has since been given a medal|did more than anyone could ask|kept a cool head], and the "
            f"foreman at {depot} [says so in a letter|wishes to have it on record].",
            f"Those on duty in {depot} [heard of it by telephone|knew nothing until the evening], and the chain of "
            f"messages [took a detour through an inn|broke at the first link].",
        ),
    )
    return Plan(
        opening=opening,
        body=(before + asides[:1], why + asides[1:2], after + asides[2:5] + remarks, advice + asides[5:]),
        between=w.one(" ", "\n\n"),
    )
