"""The account of a bridge, as an engineers' journal gives it."""

from twx_accept.documents.wording import both, fold, tenths
from twx_accept.documents.writing import Plan, Writer, aside, told

SHAPES = ("an arch bridge", "a truss bridge", "a suspension bridge", "a swing bridge", "a girder bridge")
MATERIALS = ("granite", "riveted steel", "oak beams", "brick", "concrete", "wrought iron", "basalt", "cast steel")
DELAYS = ("a flood", "a shortage of steel", "a lawsuit", "quicksand", "the death of the contractor", "a cholera summer")
REJECTED = ("a tunnel", "a ferry", "a dam", "a second ford")


def bridge(w: Writer) -> Plan:
    """Site, builder, dates, spans, loads, materials, cost against estimate, delay, traffic, and repairs."""
    east, west, quarry = w.place(), w.place(), w.place()
    river, other = w.river(), w.place()
    engineer, contractor = w.person("the engineer"), w.person("the contractor")
    painter, critic = w.person(), w.person("the critic")
    shape, material, delay, rejected = w.one(*SHAPES), w.some(3, *MATERIALS), w.one(*DELAYS), w.one(*REJECTED)
    begun = w.day(1838, 1958)
    opened = begun.plus(w.n(420, 1600))
    short, long = w.two(64, 610)
    spans, height = w.count(3, 9), w.n(11, 74)
    estimate = w.n(14, 96)
    cost = estimate + w.n(3, 60)
    men, injured, months = w.n(140, 960), w.n(13, 40), w.count(3, 12)
    load, toll, carts = w.n(12, 90), w.n(2, 25), w.n(310, 4200, 10)
    now = carts * w.n(2, 4)
    paint, coats, share = w.n(900, 8800, 10), w.count(2, 5), w.percent(21, 78)
    repaired = opened.year + w.n(21, 50)
    low = w.n(4, 11)
    high = low + w.n(3, 9)
    rank = w.one("second", "third", "fourth")
    rivets, depth = w.n(12, 310), w.n(13, 38)
    times = now // carts
    the = f"the {east} Bridge"
    opening = told(
        (f"{the} crosses the {river}.", f"{the} was opened on {opened}."),
        f"{the}, which crosses the {river}, was opened on {opened.said}.",
        f"Between {east} and {west} the {river} is crossed by {the}, opened on {opened.said}.",
        f"On {opened.said} {the} was opened; it crosses the {river} [upstream|downstream] of {west}.",
        f"Opened on {opened.said}, {the} [takes the road to {west} across|crosses] the {river}.",
    )
    building = (
        told(
            f"The building of {the} began on {begun}.",
            f"Building had begun on {begun.said}.",
            f"It was on {begun.said} that building began [on the {west} side|in the bed of the {river}].",
            f"The {river} saw building begin on {begun.said}.",
        ),
        told(
            f"{engineer.name} designed {the}.",
            f"The design is by {engineer.name}.",
            f"{engineer.name} designed the bridge, [then little known in {west}|at a desk in {west}].",
            f"It was {engineer.name} who designed the bridge.",
        ),
        told(
            f"{contractor.name} built {the} with {men} workers.",
            f"{contractor.name}, with {men} workers, built the bridge.",
            f"The builder was {contractor.name}, who employed {men} workers.",
            f"{men} workers were employed by {contractor.name}, the builder.",
        ),
        told(
            f"The opening of {the} was delayed by {months} months because of {delay}.",
            f"{delay} delayed the opening by {months.said} months.",
            f"Because of {delay} the opening came {months.said} months late, [as {critic.last} had warned|to the "
            f"anger of {west}].",
            f"But for {delay} the bridge would have opened {months.said} months sooner.",
        ),
        told(
            f"{the} cost {tenths(cost)} million crowns, {tenths(cost - estimate)} million more than planned.",
            f"[It|The bridge|{the}] cost {tenths(cost)} million crowns, {tenths(cost - estimate)} million more than "
            f"planned.",
            f"Planned at {tenths(estimate)} million crowns, the bridge cost {tenths(cost)} million, which is "
            f"{tenths(cost - estimate)} million more.",
            f"The cost, {tenths(cost)} million crowns, was {tenths(cost - estimate)} million more than "
            f"{engineer.last} had planned.",
        ),
        told(
            f"{injured} workers were injured in the building of {the}.",
            f"{injured} workers were injured, [one of them a nephew of {contractor.last}|none of them for life].",
            f"{contractor.last}'s books list {injured} workers who were injured.",
        ),
        told(
            f"The council of {west} rejected {rejected}.",
            f"{west} had also considered {rejected}, which its council rejected.",
            f"{rejected}, [dear to {critic.last}|once the favourite], was rejected by the council of {west}.",
            f"The council of {west} chose the bridge and rejected {rejected}.",
        ),
    )
    structure = (
        told(
            (f"{the} is {long} m long.", f"The bridge at {other} is {short} m long."),
            f"[It|The bridge|{the}] is {long} m long, and so longer than the bridge at {other}, which is {short} m.",
            f"The bridge at {other} is {short} m long, this one {long} m.",
            f"At {long} m the bridge exceeds by {long - short} m the length of the bridge at {other}, which is "
            f"{short} m long.",
        ),
        told(
            f"{the} is {shape} with {spans} spans.",
            f"[It|The bridge|{the}] is {shape} and has {spans.said} spans.",
            f"{engineer.last} made it {shape} with {spans.said} spans.",
            f"{shape} of {spans.said} spans: that was {engineer.last}'s answer to the {river}.",
        ),
        told(
            f"{the} is built of {both(material)}.",
            f"{w.both(material)} were the materials, [some of them from {quarry}|all carted from {quarry}].",
            f"[It|The bridge|{the}] is built of {w.both(material)}.",
            f"{contractor.last} built the bridge of {w.both(material)}.",
        ),
        told(
            f"{the} stands {height} m above the {river}.",
            f"[It|The bridge|{the}] stands {height} m above the {river}.",
            f"{height} m above the {river}, the bridge lets masts pass.",
            f"The roadway runs {height} m above the {river}.",
        ),
        told(
            f"The piers of {the} reach {depth} m into the ground.",
            f"Its piers reach {depth} m into the ground [on the {west} side|below the {river}].",
            f"Down to {depth} m reach the piers, [where {engineer.last} found rock|through clay and gravel].",
        ),
        told(
            f"{the} carries loads of up to {load} tonnes.",
            f"Loads of up to {load} tonnes are carried.",
            f"[It|The bridge|{the}] carries up to {load} tonnes, [{engineer.last} reckoned|by a test of "
            f"{opened.year}].",
        ),
        told(
            f"{the} does not have a footpath.",
            f"[It|The bridge|{the}] does not have a footpath, [so people of {west} walk round|to the regret of "
            f"{west}].",
            f"A footpath it does not have; {critic.last} [called that mean|wrote two letters about it].",
        ),
        told(
            f"{the} is the {rank} longest bridge over the {river}.",
            f"Over the {river} the bridge is the {rank} longest bridge.",
            f"Of the bridges over the {river} this one is the {rank} longest.",
        ),
        told(
            f"{the} holds {rivets},000 bolts.",
            f"[It|The bridge|{the}] holds {rivets},000 bolts, [each tapped by {contractor.last}|counted by a clerk "
            f"from {west}].",
            f"{rivets},000 bolts hold the bridge together.",
        ),
    )
    use = (
        told(
            f"{now:,} vehicles use {the} each day, {fold(times)} as many as in {opened.year}.",
            f"{now:,} vehicles use the bridge each day, {fold(times)} as many as in {opened.year}.",
            f"In {opened.year} the bridge was used by {carts:,} vehicles each day; now, with {now:,}, there are "
            f"{fold(times)} as many.",
            f"Each day {now:,} vehicles use the bridge, {fold(times)} the {carts:,} of {opened.year}.",
        ),
        told(
            f"The toll on {the} was {toll} pence.",
            f"The toll was {toll} pence, [taken at the {west} end|until {repaired}].",
            f"To cross, one paid a toll of {toll} pence [at {west}|on the {east} side].",
        ),
        told(
            f"{the} was repaired in {repaired}.",
            f"[It|The bridge|{the}] was repaired in {repaired}.",
            f"Repairs were made in {repaired}.",
            f"In {repaired} [the deck was lifted and|scaffolding went up and] the bridge was repaired.",
        ),
        told(
            f"{painter.name} painted {the} with {paint:,} litres of paint.",
            f"{painter.name} painted the bridge, and needed {paint:,} litres of paint.",
            f"{paint:,} litres of paint, in {coats.said} coats, went onto the bridge when {painter.name} painted it.",
            f"It took {painter.name} {paint:,} litres of paint to paint the bridge.",
        ),
        told(
            f"{share} of the traffic on {the} is bound for {west}.",
            f"{share.said} of the traffic is bound for {west}.",
            f"Bound for {west} is {share.said} of its traffic.",
        ),
        told(
            f"{the} sways by {low} to {high} cm in a storm.",
            f"In a storm the bridge sways by {low} to {high} cm.",
            f"[It|The bridge|{the}] sways, in a storm, by {low} to {high} cm.",
            f"A storm makes the bridge sway by {low} to {high} cm.",
        ),
        told(
            f"{critic.name} called {the} ugly.",
            f"{critic.name} called the bridge ugly, [but crossed it daily|and moved to {quarry}].",
            f"Not everyone was pleased: {critic.name} called the bridge ugly.",
        ),
    )
    asides = (
        aside(
            f"Before that, people from {west} [crossed by a leaking ferry|waded in summer and stayed at home in "
            f"winter|paid a boatman who drank], and [the {river} took its share|{east} was a day away].",
            f"The {river} is [shallow and treacherous here|brown and quick|wide and seldom calm], and three earlier "
            f"plans [had come to nothing|lie in the archive of {east}|had been laughed out of {west}].",
        ),
        aside(
            f"{engineer.last} had [never built anything so large|learned the trade on canals|won the commission by a "
            f"single vote], and [slept in a hut by the {river}|came to {west} every week].",
            f"The drawings by {engineer.last}, [in four colours of ink|as fine as lace], hang [in the town hall of "
            f"{west}|in a school in {east}], and [students still copy them|show a tower that was never built].",
        ),
        aside(
            f"{contractor.last} [paid on Saturdays and fined on Mondays|drove the men hard|knew each worker by "
            f"name], and the camp near {west} had [a bakery and a brass band|three chapels|its own newspaper].",
            f"Stone and timber came from {quarry} [on sledges|by barge|over a track laid for the purpose], and "
            f"{contractor.last} [sent back every tenth load|haggled over each].",
        ),
        aside(
            f"On the day itself [two bands played at once|a cow from {west} was the first to cross|it rained on the "
            f"speeches], and {engineer.last} [stayed away|walked across alone at dawn|was carried on shoulders].",
            f"The children of {east} and {west} [met in the middle|were given buns], a custom [that has lasted|kept "
            f"up ever since], and {critic.last} [ate one too|wrote a poem].",
        ),
        aside(
            f"Seen from {west}, the bridge [seems to float|cuts the valley in two|looks lighter than it is], and "
            f"[painters set up their easels there|the evening train slows down for the view of the {river}].",
            f"The iron railings, [with their pattern of reeds|cast near {quarry}], were [melted down in a war|a gift "
            f"from {west}|added later], and [few miss them|lovers hang locks on them].",
        ),
        aside(
            f"Pigeons, rust and [road salt|sightseers] are its enemies now, and {west} [keeps a crew of four for "
            f"it|quarrels with {east} over the bill|has asked for a grant].",
            f"Engineers who [inspect it each spring|climb it with ropes] speak well of {engineer.last}, [who allowed "
            f"for more than was asked|whose sums still hold], and {east} [sleeps soundly|is proud].",
        ),
    )
    remarks = (
        aside(
            f"Swallows nest [under the deck|in the east tower], and those who fish below [know when a lorry from "
            f"{west} is late|hear every wheel that leaves {east}].",
            f"By an old custom newly married couples from {west} [walk across without speaking|throw a coin to the "
            f"{river}], and {east} [sells them the coins|looks on].",
        ),
        aside(
            f"{critic.last} held that [a bridge should bow to its valley|iron has no place beside old walls], while "
            f"{engineer.last} answered that [a bridge is a tool|beauty comes of honest sums].",
            f"A model of it, made by [a patient of the asylum in {east}|the daughter of {contractor.last}] from "
            f"[matches|pear wood], [won a prize|stands in a shop window in {west}].",
        ),
        aside(
            f"The surveyors had trouble with [the far bank, which moved|mists on the {river}|a bull], and set out "
            f"the line [three times|by night with lamps] before {engineer.last} was [content|persuaded].",
            f"Each half was built from its own side, and when the two met above the {river} they [differed by less "
            f"than a thumb|fitted like a drawer], to {contractor.last}'s [relief|loud delight].",
        ),
    )
    return Plan(opening=opening, body=(building + asides[:4], structure + asides[4:5] + remarks, use + asides[5:]))
