"""The notice of a railway to its passengers."""

from twx_accept.documents.wording import both
from twx_accept.documents.writing import Plan, Writer, aside, told

WORKS = ("track renewal", "bridge repairs", "new signals", "tunnel lining", "rock clearing", "platform works")
DAMAGE = ("a landslip", "flood water", "frost damage", "a cracked culvert", "subsidence")
GOODS = ("bicycles", "prams", "skis", "surfboards", "large dogs", "trunks")
REFUNDS = ("the booking hall", "the lost property office", "the goods window", "the tea room", "the parcels desk")


def railway_notice(w: Writer) -> Plan:
    """A closure, its cause, buses, times, fares, refunds, luggage, two journeys compared, and whom to ask."""
    line, start, middle, end, branch = w.river(), w.place(), w.place(), w.place(), w.place()
    manager, office = w.person("the manager"), w.person()
    work, cause, refund = w.one(*WORKS), w.one(*DAMAGE), w.one(*REFUNDS)
    first = w.day(1956, 2024)
    days = w.n(5, 38)
    last = first.plus(days)
    train, bus = w.two(21, 128)
    leaves, last_train = w.clock(5, 8), w.clock(20, 23)
    every, fare, extra = w.n(14, 58), w.n(13, 88), w.n(2, 11)
    limit, discount = w.n(20, 70, 5), w.percent(10, 50)
    goods = w.some(2, *GOODS)
    number, length, workers = w.n(101, 890), w.n(3, 48), w.n(24, 210)
    cost, within, platform = w.n(31, 480), w.n(10, 45), w.n(2, 12)
    low = w.n(5, 12)
    high = low + w.n(5, 20)
    more, fewer = w.n(22, 60), w.n(6, 20)
    ran, running = more, fewer
    stop_minutes, seats = w.n(4, 19), w.n(36, 72)
    the_line = f"the {line} line"
    opening = told(
        (
            f"The {line} line is closed between {start} and {end} from {first} to {last}.",
            f"The {line} line is closed because of {work}.",
        ),
        f"Passengers are advised that {the_line} is closed between {start} and {end} from {first.said} to "
        f"{last.said} because of {work}.",
        f"Because of {work}, {the_line} is closed from {first.said} to {last.said} between {start} and {end}.",
        f"Closure: {the_line}, {start} to {end}, is closed from {first.said} to {last.said}. The reason is {work} "
        f"near {middle}.",
        f"From {first.said} to {last.said} no trains run on {the_line} between {start} and {end}; it is closed for "
        f"{work}.",
    )
    works = (
        told(
            f"The works on {the_line} became necessary after {cause} near {middle}.",
            f"The works became necessary after {cause} near {middle}.",
            f"It was {cause} near {middle} that made the works necessary.",
            f"After {cause} near {middle} the works could not wait.",
        ),
        told(
            f"{workers} workers renew {length} km of {the_line}.",
            f"{workers} workers renew {length} km of track [near {middle}|beyond {middle}].",
            f"{length} km of line are renewed by {workers} workers.",
            f"To renew {length} km of {the_line}, {workers} workers are needed.",
        ),
        told(
            f"The works on {the_line} cost {cost} million francs.",
            f"The works, between {start} and {end}, cost {cost} million francs.",
            f"Their cost is {cost} million francs, [of which {start} bears a part|{manager.last} says].",
            f"{cost} million francs are spent on {the_line}.",
        ),
    )
    travel = (
        told(
            (
                f"The bus from {start} to {end} takes {bus} minutes.",
                f"The train from {start} to {end} takes {train} minutes.",
            ),
            f"The bus between {start} and {end} takes {bus} minutes, {bus - train} minutes longer than the train "
            f"with its {train}.",
            f"Please allow {bus} minutes for the bus from {start} to {end}; the train takes {train}.",
            f"Where the train takes {train} minutes from {start} to {end}, the bus takes {bus}.",
        ),
        told(
            f"Bus {number} runs from {start} every {every} minutes.",
            f"Bus {number} replaces the train and runs from {start} every {every} minutes.",
            f"Every {every} minutes bus {number} runs from {start}.",
            f"Take bus {number}, which runs every {every} minutes from {start}.",
        ),
        told(
            f"The first bus leaves {start} at {leaves}.",
            f"From {start} the first bus leaves at {leaves}.",
            f"The first bus of the day leaves {start} at {leaves}, [{stop_minutes} minutes before the train would "
            f"have|on weekdays too].",
        ),
        told(
            f"The last train to {branch} leaves {middle} at {last_train}.",
            f"The last train from {middle} to {branch} leaves at {last_train}.",
            f"At {last_train} the last train leaves {middle} for {branch}.",
            f"Passengers for {branch} should note that the last train leaves {middle} at {last_train}.",
        ),
        told(
            f"The buses of {the_line} do not stop in {middle}.",
            f"The buses do not stop in {middle}.",
            f"{middle} is passed by; the buses do not stop there.",
            f"Note that in {middle} the buses do not stop.",
        ),
        told(
            f"{start} has {ran} trains a day and {branch} has {running}.",
            f"In normal times there are {ran} trains a day in {start} and {running} in {branch}.",
            f"Per day {start} has {ran} trains, more than {branch}, which has {running}.",
            f"{branch} has {running} trains a day, {start} {ran}.",
        ),
        told(
            f"Trains to {branch} leave from platform {platform} in {middle}.",
            f"In {middle} the trains to {branch} leave from platform {platform}.",
            f"Platform {platform} in {middle} is where trains to {branch} leave.",
        ),
        told(
            f"Delays of {low} to {high} minutes are expected in {branch}.",
            f"In {branch} delays of {low} to {high} minutes are expected.",
            f"Expect delays of {low} to {high} minutes in {branch}.",
            f"Trains in {branch} are expected to be {low} to {high} minutes late.",
        ),
        told(
            f"Each bus of {the_line} has {seats} seats.",
            f"Each bus from {start} has {seats} seats.",
            f"There are {seats} seats in each bus from {start}.",
        ),
    )
    fares = (
        told(
            f"A single ticket from {start} to {end} costs {fare} francs.",
            f"The single fare from {start} to {end} is {fare} francs.",
            f"From {start} to {end} a single ticket costs {fare} francs.",
            f"{fare} francs is the price of a single ticket from {start} to {end}.",
        ),
        told(
            f"Tickets bought on the bus in {start} cost {extra} francs more.",
            f"Bought on the bus in {start}, a ticket costs {extra} francs more.",
            f"A ticket costs {extra} francs more on the bus than at the window in {start}.",
        ),
        told(
            f"Season tickets to {end} are {discount} cheaper during the closure.",
            f"During the closure season tickets to {end} are {discount.said} cheaper.",
            f"Holders of season tickets to {end} pay {discount.said} less during the closure.",
        ),
        told(
            f"The buses of {the_line} do not carry {both(goods)}.",
            f"{w.both(goods)} cannot be carried by the buses from {start}.",
            f"The buses do not carry {w.both(goods)}, [which may wait in {start}|{manager.last} regrets].",
            f"Leave {w.both(goods)} in {start}: the buses do not carry them.",
        ),
        told(
            f"Luggage of more than {limit} kg must be handed in at {start}.",
            f"Luggage that weighs more than {limit} kg must be handed in at {start}.",
            f"At {start}, luggage of more than {limit} kg must be handed in.",
        ),
        told(
            f"Refunds are paid at {refund} in {end} within {within} days.",
            f"Refunds are paid within {within} days at {refund} in {end}.",
            f"{refund} in {end} pays refunds within {within} days.",
            f"For a refund go, within {within} days, to {refund} in {end}, where it is paid.",
        ),
        told(
            f"{office.name} answers questions about {the_line}.",
            f"{office.name} answers questions [in {start}|at the {start} ticket window].",
            f"Questions are answered by {office.name} [in {end}|at {end} station].",
            f"Questions? {office.name} answers them.",
        ),
        told(
            f"{manager.name} manages {the_line}.",
            f"{manager.name}, manager of {the_line}, [asks for patience|thanks all who travel with us].",
            f"Signed: {manager.name}, manager of {the_line}.",
        ),
    )
    asides = (
        aside(
            f"Work goes on [by day and by night|at weekends too|behind screens], and those who live beside "
            f"{the_line} [will hear saws and hammers|are asked to bear with the lamps], above all [in {start}|near "
            f"{middle}].",
            f"The old rails of {the_line} have [served for two generations|grown thin|been patched too often], and "
            f"[anyone who has spilt tea near {middle}|every regular between {start} and {end}] will know why [we "
            f"cannot wait|this must be done].",
        ),
        aside(
            f"The buses wait [outside the main door|by the cattle market|under the clock] in {start}, where staff in "
            f"[orange|blue] caps [show the way|help with prams], and in {end} [they set down at the usual kiosk|they "
            f"stop on the square].",
            f"In {end} the waiting room [stays heated|is open to all|serves soup], and the tea stall in {start} has "
            f"[moved to the yard|put out benches].",
        ),
        aside(
            f"Travellers with [heavy bags|small children|little time] do well to [set out early|go by {branch}|ask "
            f"in {start} before they leave], for [the road through {middle} is narrow|the buses from {start} fill up "
            f"quickly].",
            f"Those who know the way may [walk along the river from {middle}|change at {branch}|share a cart with "
            f"friends from {end}]; the path is [marked with white stones|dry in most weathers].",
        ),
        aside(
            f"{manager.last} [knows that this is a burden|rode the bus and found it bearable|has promised cake in "
            f"{end} when it is over], and [regrets the trouble|hopes for fair weather].",
            f"Letters about {the_line} [reach us daily|are read by {manager.last}], and [many good ideas have come "
            f"from {end}|a pupil from {middle} drew the new timetable].",
        ),
        aside(
            f"Freight for {branch} [goes round by night|is not affected], and the mail from {end} [travels by "
            f"van|may come late], as [the post office in {end} has been told|agreed with the merchants of {branch}].",
            f"Trains to {branch} [run as usual|keep their times as far as they can], though they [may be fuller than "
            f"usual|halt briefly before {middle}].",
        ),
        aside(
            f"This sheet replaces the one that hung in {start} [before|until now], in which [two lines had been "
            f"swapped|the map was upside down]; please [throw the old one away|tell your neighbours in {middle}].",
            f"Staff in {start} and {end} [carry copies of this sheet|can read it aloud to those who wish], and [a "
            f"larger print|a version for children] hangs in {middle}.",
        ),
    )
    remarks = (
        aside(
            f"Those who hold a pass for {the_line} may [use it on the bus without more ado|stay in bed and claim it "
            f"back], as [the guard in {start} will gladly explain|{manager.last} has agreed].",
            f"Wheelchairs are [lifted aboard by two porters|given the first row] in {start}, where it helps to [ring "
            f"the day before|come a little early].",
        ),
        aside(
            f"The signal box at {middle}, [a listed building|built by prisoners of war], [stays as it is|gets a new "
            f"roof], and the lamps along {the_line} [go back to the museum|are painted green again].",
            f"Badgers had [dug under the ballast|moved into the bank] near {middle}, and were [led away with "
            f"peanuts|given a new home], to the joy of [the school in {end}|the newspapers].",
        ),
        aside(
            f"In the evening the square in {end} is [dark and cold|full of market carts], so that [the station "
            f"buffet stays open|a hut with a stove has been put up] for those bound for {start}.",
            f"Drivers of the buses know the road over {middle} [like their own kitchen|from the last closure], but "
            f"snow, cattle or [a fair in {end}|a wedding in {start}] may [hold them up|make the trip longer].",
        ),
    )
    return Plan(opening=opening, body=(works + asides[:1], travel + asides[1:3] + remarks, fares + asides[3:]))
