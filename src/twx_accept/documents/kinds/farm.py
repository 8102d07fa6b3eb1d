"""The yearly report of a farm."""

from twx_accept.documents.wording import both, fold, tenths
from twx_accept.documents.writing import Plan, Writer, aside, told

CROPS = (
    "barley",
    "rye",
    "maize",
    "millet",
    "wheat",
    "flax",
    "sorghum",
    "clover",
    "buckwheat",
    "spelt",
    "hemp",
    "mustard",
)
BREEDS = ("goats", "heifers", "ewes", "geese", "sows", "alpacas", "hens")
CAUSES = ("late frost", "wireworm", "a burst dam", "mildew", "wild boar", "a week of hail", "rust in the ear")
REPAIRS = ("the threshing floor", "the pond", "the north fence", "the dairy roof", "the well", "the sheep dip")
BUYERS = ("a brewery", "a maltster", "a bakery", "a mill", "a cooperative", "a distillery")


def farm_report(w: Writer) -> Plan:
    """Land, crops, yields, a loss and its cause, animals, rain, prices, wages, and plans."""
    farm, village, neighbour = w.river(), w.place(), w.place()
    farmer, hand = w.person(), w.person("the farmhand")
    vet, previous = w.person(), w.person()
    crops = w.some(4, *CROPS)
    main, second = crops[0], crops[1]
    animal, cause, repair, buyer = w.one(*BREEDS), w.one(*CAUSES), w.one(*REPAIRS), w.one(*BUYERS)
    year = w.n(1921, 2022)
    land, fallow = w.n(48, 410), w.percent(4, 22)
    poor, good = w.two(18, 79)
    herd = w.n(13, 90)
    herd_before = herd * w.n(2, 3)
    times = herd_before // herd
    rain, dry = w.n(310, 940), w.n(13, 41)
    price, wage, debt = w.n(41, 390), w.n(14, 96), w.n(1200, 24000, 100)
    lost, born = w.percent(5, 45), w.count(3, 12)
    sown, cut = w.day(year, year, (3, 4)), w.day(year, year, (7, 9))
    low = w.n(21, 40)
    high = low + w.n(5, 30)
    since, workers, cost = year - w.n(7, 40), w.count(3, 11), w.n(240, 4800, 10)
    depth, bees = w.n(12, 64), w.n(13, 58)
    f = f"{farm} Farm"
    opening = told(
        (f"{f} near {village} has {land} hectares.", f"{farmer.name} runs {f}."),
        f"{f}, near {village}, has {land} hectares and is run by {farmer.name}, who tells here how {year} went.",
        f"{farmer.name} runs {f}, {land} hectares near {village}; here is {farmer.their} account of {year}.",
        f"Report of {f} for {year}. The farm, near {village}, has {land} hectares, and {farmer.name} runs it.",
        f"On the {land} hectares of {f}, near {village}, which {farmer.name} runs, {year} was [a mixed year|a year "
        f"to remember].",
    )
    land_part = (
        told(
            f"{f} grew {both(crops)} in {year}.",
            f"{w.both(crops)} were grown in {year}.",
            f"The farm grew {w.both(crops)}.",
            f"{farmer.last} grew {w.both(crops)}, [more than {neighbour} thought wise|in that order of acreage].",
        ),
        told(
            f"{fallow} of the land of {f} lay fallow in {year}.",
            f"{fallow.said} of the land lay fallow [that year|by {farmer.last}'s choice].",
            f"Some of it rested: {fallow.said} of {farm}'s land lay fallow.",
            f"Of the land {fallow.said} was left to lie fallow.",
        ),
        told(
            f"The {main} at {f} was sown on {sown}.",
            f"On {sown.said} the {main} was sown.",
            f"The {main} was sown on {sown.said}, [into wet soil|{hand.last} driving].",
            f"{sown.said} was the day on which {farm}'s {main} was sown.",
        ),
        told(
            f"The {main} at {f} was harvested on {cut}.",
            f"It was {cut.said} before the {main} was harvested.",
            f"The {main} was harvested on {cut.said}, [{hand.last} and {born.said} others helping|in fine heat].",
        ),
        told(
            (
                f"{f} harvested {tenths(good)} tonnes of {main} a hectare.",
                f"{f} harvested {tenths(poor)} tonnes of {second} a hectare.",
            ),
            f"A hectare gave {tenths(good)} tonnes of {main} and {tenths(poor)} tonnes of {second}.",
            f"{main} did better, with {tenths(good)} tonnes harvested a hectare, than {second}, with {tenths(poor)} "
            f"tonnes.",
            f"Of {second} {tenths(poor)} tonnes a hectare were harvested, of {main} {tenths(good)} tonnes.",
        ),
        told(
            f"{f} lost {lost} of its {second} because of {cause}.",
            f"Because of {cause} {lost.said} of the {second} was lost.",
            f"{cause} cost the farm {lost.said} of its {second}.",
            f"{farmer.last} lost {lost.said} of the {second}, and {cause} was the reason.",
        ),
        told(
            f"{f} had {rain} mm of rain in {year}.",
            f"{rain} mm of rain fell at {farm} over the year.",
            f"The gauge at {farm} showed {rain} mm of rain for the year.",
            f"Rain at {farm} came to {rain} mm.",
        ),
        told(
            f"{f} had no rain for {dry} days before the harvest.",
            f"Before the harvest {farm} had no rain for {dry} days.",
            f"For {dry} days before the harvest there was no rain [at {farm}|on {farmer.last}'s fields].",
        ),
    )
    animals = (
        told(
            f"{f} keeps {herd_before} {animal}, {fold(times)} as many as {neighbour}.",
            f"{herd_before} {animal} are kept, {fold(times)} as many as in {neighbour}, where there are {herd}.",
            f"With {herd_before} {animal} {farm} keeps {fold(times)} as many as {neighbour} with its {herd}.",
        ),
        told(
            f"{vet.name} visited {f} {born} times.",
            f"The vet, {vet.name}, visited {born.said} times.",
            f"{born.said} visits were paid to {farm} by the vet, {vet.name}.",
            f"{vet.name} visited the {animal} {born.said} times.",
        ),
        told(
            f"{f} has {bees} hives.",
            f"There are {bees} hives [in the orchard|along the {village} road].",
            f"Bees are kept too, in {bees} hives.",
            f"{hand.last} looks after the {bees} hives that {farm} has.",
        ),
        told(
            f"{f} did not use any weedkiller in {year}.",
            f"No weedkiller was used in {year}, [as {village} can see|though {hand.last} asked for it].",
            f"{farmer.last} did not use any weedkiller in {year}.",
            f"Weedkiller was not used at {farm}.",
        ),
    )
    money = (
        told(
            f"{f} sold its {main} to {buyer} in {village} for {price} crowns a tonne.",
            f"{buyer} in {village} bought the {main} for {price} crowns a tonne.",
            f"For {price} crowns a tonne the {main} was sold to {buyer} in {village}.",
            f"The {main} went to {buyer} in {village}, which paid {price} crowns a tonne.",
        ),
        told(
            f"{f} employs {workers} workers at {wage} crowns a day.",
            f"{workers.said} workers are employed, at {wage} crowns a day.",
            f"At {wage} crowns a day {farm} employs {workers.said} workers.",
            f"The {workers.said} workers whom {farmer.last} employs earn {wage} crowns a day.",
        ),
        told(
            f"{f} still owes the bank {debt:,} crowns.",
            f"The bank is still owed {debt:,} crowns by {farm}.",
            f"{farmer.last} still owes the bank {debt:,} crowns.",
            f"There remain {debt:,} crowns that {farm} owes the bank.",
        ),
        told(
            f"{hand.name} repaired {repair} for {cost:,} crowns.",
            f"{hand.name} repaired {repair}, which came to {cost:,} crowns.",
            f"{cost:,} crowns went to {hand.name}, who repaired {repair}.",
            f"{repair} was repaired by {hand.name} for {cost:,} crowns.",
        ),
        told(
            f"{farmer.name} took over {f} from {previous.name} in {since}.",
            f"{farmer.last} took over from {previous.name} in {since}.",
            f"In {since} {farmer.last} took the farm over from {previous.name}.",
            f"It was {previous.name} from whom, in {since}, {farmer.last} took over.",
        ),
        told(
            f"The new drain at {f} lies {depth} cm deep.",
            f"A new drain was laid {depth} cm deep [below {farm}'s yard|by {hand.last}].",
            f"{depth} cm deep lies the new drain [in {farm}'s lower field|that {hand.last} dug].",
        ),
    )
    plans = (
        told(
            f"{f} plans to plant {low} to {high} fruit trees in {year + 1}.",
            f"For {year + 1} {farmer.last} plans to plant {low} to {high} fruit trees.",
            f"The plan for {year + 1} is to plant between {low} and {high} fruit trees [at {farm}|towards "
            f"{neighbour}].",
            f"In {year + 1} there will be new fruit trees, {low} to {high} of them, if {farmer.last}'s plans hold.",
        ),
    )
    asides = (
        aside(
            f"Spring came [late and all at once|soft and early|with a hard wind], and on {farm}'s lower land [the "
            f"lapwings nested in the furrows|the tractor sank to its axles|water stood for weeks], so that "
            f"{hand.last} [could only wait|mended tools].",
            f"The year began with [snow on the lanes|a thaw and mud to the knees|fog that would not lift], and "
            f"{farm} was [cut off from {village}|late with everything].",
        ),
        aside(
            f"The soil at {farm} is [heavy clay over chalk|light and full of flints|black where the pond used to "
            f"be], and {farmer.last} [feeds it with dung and leaves|lets the worms do the ploughing|limes it when "
            f"the bank allows].",
            f"Along the boundary with {neighbour} {farmer.last} [left a strip for partridges|laid the hedge "
            f"anew|planted willows for baskets], and [{neighbour} has begun to do the same|the owls have come back].",
        ),
        aside(
            f"{hand.last} [can hear a loose belt from two fields away|has the best eye for a sick beast|never "
            f"hurries and is never late], and without {hand.them} {farm} [would have lost more|would be a poorer "
            f"place].",
            f"At harvest {hand.last} slept [in the barn|on the cart|hardly at all], and the people of {village} "
            f"[brought plum cake|lent two horses|came out with lanterns].",
        ),
        aside(
            f"The {second} has always been [a gamble|the better earner|{farmer.last}'s favourite] at {farm}, for [it "
            f"likes a wet foot|it asks for little and gives little|the ground here is kind to it].",
            f"Of the {crops[2]} and the {crops[3]} there is [little to tell|less to boast]: both were "
            f"[fair|patchy|better than {neighbour}'s], and [went to feed the stock|were eaten or given away in "
            f"{village}].",
        ),
        aside(
            f"{neighbour} and {farm} share [a bull|a baler|a well and an old quarrel], and {farmer.last} [writes "
            f"down who owes what|would not have it otherwise].",
            f"On market days {farmer.last} drives to {village} [before light|with the dog on the seat], and comes "
            f"back with [news, nails and tobacco|more gossip than goods].",
        ),
        aside(
            f"{previous.last}, [who still calls by|now a neighbour in {village}], [shakes a head at the new "
            f"ways|likes what has become of {farm}|has an opinion on every gate].",
            f"In the time of {previous.last} {farm} had [no power and one tap|two more barns|geese in the kitchen], "
            f"and [some in {village} miss it|nobody wishes it back].",
        ),
    )
    remarks = (
        aside(
            f"A fox [took what it wanted in May|came twice and went hungry], and the dog of {farm}, [old and deaf|a "
            f"pup from {neighbour}], [slept through it|has been promoted to the yard].",
            f"Swallows, cats and [an owl without a tail|a tame jackdaw] share the barn at {farm}, and {hand.last} "
            f"[knows each by name|leaves the top door open for them].",
        ),
        aside(
            f"The children of {village} came to [pick stones|see the lambs|learn to milk], and {farmer.last} paid "
            f"them in [apples|rides on the hay cart].",
            f"In {village} the smith and the vet, {vet.last}, [played cards for the bill|ate at {farmer.last}'s "
            f"table], as is the custom at {farm} [on market days|when the work is done].",
        ),
        aside(
            f"Of the machines the [binder|old baler] gave most trouble, and {hand.last} [kept it alive with "
            f"wire|swore that {neighbour}'s was worse].",
            f"A new gate was hung towards {neighbour}, of [oak from the copse|iron from a wreck], and {farmer.last} "
            f"[walks round by it for pleasure|has painted the name of {farm} on it].",
        ),
    )
    return Plan(
        opening=opening, body=(land_part + asides[:4], animals + asides[4:5] + remarks, money + asides[5:], plans)
    )
