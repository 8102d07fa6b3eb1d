"""The history of a small town."""

from twx_accept.documents.wording import both, fold
from twx_accept.documents.writing import Plan, Writer, aside, lead, told

TRADES = ("salt", "wool", "slate", "herring", "cork", "beeswax", "timber", "flax", "copper", "hides", "madder", "cider")
CAUSES = ("a silted harbour", "a blocked sluice", "an outbreak of cholera", "a new toll", "a fire in the tannery")
BUILDINGS = ("a corn exchange", "a bathhouse", "a lace school", "a grammar school", "a fish hall", "a public library")


def town_history(w: Writer) -> Plan:
    """Founding, charter, trade, disaster, two counts of people, works, and what was never built."""
    town, rival, river = w.place(), w.place(), w.river()
    founder, mayor, builder = w.person(), w.person("Mayor"), w.person("the master builder")
    founded = w.n(1140, 1390)
    charter = founded + w.n(14, 66)
    early = w.n(310, 1900, 10)
    late = early * w.n(3, 6)
    first_count, second_count = w.n(1690, 1760), w.n(1840, 1910)
    goods = w.some(3, *TRADES)
    flood = w.day(1765, 1835)
    height, houses = w.n(2, 5), w.n(24, 190)
    cause, building = w.one(*CAUSES), w.one(*BUILDINGS)
    low, high = w.two(18, 64)
    market = w.one("Monday", "Tuesday", "Wednesday", "Thursday", "Saturday")
    toll, cost = w.count(2, 9), w.n(1400, 28000, 100)
    terms = w.count(3, 11)
    share = w.percent(22, 71)
    opening = told(
        (f"{town} was founded in {founded}.", f"{founder.name} founded {town}."),
        f"{town} owes its beginning to {founder.name}, who founded it in {founded} [at a ford|on a gravel bank] of "
        f"the {river}.",
        f"When {founder.name} founded {town} in {founded}, the {river} still ran [west of|below] the hill.",
        f"Founded by {founder.name} in {founded}, {town} [stands|lies] where the {river} leaves the hills.",
        f"The town of {town}, on the {river}, was founded in {founded}; its founder was {founder.name}.",
    )
    old = (
        told(
            f"{town} received its charter in {charter}, {charter - founded} years after its founding.",
            f"The charter of {town} came {charter - founded} years after the founding, in {charter}.",
            f"It had to wait {charter - founded} years for its charter, which {town} received in {charter}.",
            f"In {charter}, {charter - founded} years after it was founded, {town} received a charter.",
        ),
        told(
            f"The market of {town} was held every {market}.",
            f"Every {market} there was a market in {town}, [rain or shine|whatever the season].",
            f"{town} kept its market on a {market}, every week, [so as not to clash with {rival}|by leave of {rival}].",
            f"The weekly market of {town} fell on a {market}.",
        ),
        told(
            f"{town} lived on {both(goods)}.",
            f"{w.both(goods)}: on these {town} lived.",
            f"For [centuries|generations] {town} lived on {w.both(goods)}.",
            f"Its living came from {w.both(goods)}, as [every ledger|the seal] of {town} shows.",
        ),
        told(
            f"The gate toll of {town} was {toll} pence a cart.",
            f"A cart paid {toll.said} pence at the gate of {town}.",
            f"{toll.said} pence a cart was the toll at the gate of {town}.",
            f"At the gate of {town} the toll stood at {toll.said} pence for each cart.",
        ),
        told(
            f"{town} had {early:,} inhabitants in {first_count}.",
            f"A count of {first_count} gave {town} {early:,} inhabitants.",
            f"In {first_count}, {early:,} people lived in {town}.",
            f"The parish books of {first_count} put the number of inhabitants of {town} at {early:,}.",
        ),
    )
    change = (
        lead(
            (f"A flood reached {town} on {flood}.", f"The flood destroyed {houses} houses in {town}."),
            f"The flood of {flood.said} destroyed {houses} houses in {town}.",
            f"On {flood.said} {town} was flooded and {houses} of its houses were destroyed.",
            f"{town} lost {houses} houses when the flood came on {flood.said}; they were destroyed [to the "
            f"sills|utterly].",
        ),
        told(
            f"The water in {town} stood {height} metres above the quay.",
            f"Above the quay of {town} the water stood {height} metres [deep|high].",
            f"The water stood {height} metres above {town}'s quay.",
        ),
        told(
            f"The trade of {town} declined because of {cause}.",
            f"It was {cause} that made the trade of {town} decline.",
            f"Because of {cause}, [and not of any war with {rival}|as {mayor.last} noted], the trade of {town} "
            f"declined.",
            f"What then brought the trade of {town} into decline was {cause}.",
        ),
        told(
            f"{town} had {late:,} inhabitants in {second_count}, {fold(late // early)} as many as in {first_count}.",
            f"By {second_count} the town held {late:,} people, {fold(late // early)} as many as {town} had had in "
            f"{first_count}.",
            f"{fold(late // early)} as many people lived in {town} in {second_count} as in {first_count}: {late:,}.",
            f"The count of {second_count} found {late:,} inhabitants in {town}, {fold(late // early)} the number of "
            f"{first_count}.",
        ),
        told(
            f"{mayor.name} was mayor of {town} for {terms} terms.",
            f"For {terms.said} terms {mayor.name} was mayor of {town}.",
            f"{mayor.name} served {town} as its mayor, and did so for {terms.said} terms.",
            f"The mayor of {town} through {terms.said} terms was {mayor.name}.",
        ),
        told(
            f"{town} built {building} for {cost:,} crowns.",
            f"For {cost:,} crowns {town} built itself {building}.",
            f"{building}, built by {town}, [swallowed|cost] {cost:,} crowns.",
            f"{town} spent {cost:,} crowns to build {building}, [a sum that {rival} mocked|and {mayor.last} paid the "
            f"last tenth].",
        ),
        told(
            (f"The bridge of {town} is {high} metres long.", f"The bridge of {rival} is {low} metres long."),
            f"Its bridge, {high} metres long, is longer than that of {rival}, which measures {low} metres.",
            f"The bridge of {rival} is {low} metres long and that of {town} {high} metres.",
            f"{builder.last} gave {town} a bridge {high} metres long; {rival} has one of {low} metres.",
        ),
        told(
            f"{town} never had a railway station.",
            f"{town} never had a railway station, [for {rival} got it|the line being laid through {rival}].",
            f"A railway station, however, is something that {town} never had.",
            f"Trains stop at {rival}; {town} has never had a railway station.",
        ),
        told(
            f"{share} of the old houses of {town} are built of slate.",
            f"Of the old houses of {town}, {share.said} are built of slate.",
            f"Slate is what {share.said} of {town}'s old houses are built of.",
        ),
    )
    asides = (
        aside(
            f"Nothing is left of the first [houses|huts], which stood [too close to the {river}|where the tannery of "
            f"{rival} stands now|on the wrong side of the marsh], and the chronicle of {town} [passes over "
            f"them|gives them one line].",
            f"The oldest walls of {town}, [thick enough for a cart|patched in a dozen places|built of whatever the "
            f"{river} brought], can still be traced [behind the gardens|along the lane to {rival}].",
        ),
        aside(
            f"Relations with {rival} were [seldom easy|those of two cats in one yard|better than either town "
            f"admits]: the two [shared a ford and fought over it|went to law about pasture|married each other's "
            f"daughters], as {town} knows to this day.",
            f"{rival}, a morning's walk away, [was always the richer|had the better harbour|laughed at all of this], "
            f"and {town} has not forgiven it.",
        ),
        aside(
            f"Travellers [praised|cursed] the inns of {town}, [where the beer was thin|which had real glass in the "
            f"windows|and slept badly for the noise of the {river}].",
            f'One visitor called {town} "[a box of mud with a lid of smoke|a clean, dull, honest place|the last town '
            f'before nowhere]", and {mayor.last} had the words [painted on a sign|struck from the guest book].',
        ),
        aside(
            f"{mayor.last} is remembered for [sober habits|a loud voice|endless patience], and for the lime trees "
            f"[along the {river}|on the road to {rival}], which nobody else in {town} wanted.",
            f"It was {mayor.last} who had the streets of {town} [paved|lit|given numbers], [over the protests of the "
            f"carters|a little late|and paid for it at the next vote].",
        ),
        aside(
            f"{builder.last} left plans for [a second gate|a clock tower|a theatre] that {town} [admired and put "
            f"away|could not pay for|means to build one day].",
            f"Much of what one sees in {town} is the work of {builder.last}, who [liked steep roofs|built cheaply "
            f"and well|came for a summer and stayed].",
        ),
        aside(
            f"On the {river} there is [hardly a boat left|more reed than water|still a ferry for those on foot], and "
            f"{town} [has turned its back on it|now bathes where it used to trade].",
            f"Today {town} is [quiet|livelier than it looks|known for its gardens], and the {river} [runs clear "
            f"again|is where its young people go on summer nights|no longer frightens anyone].",
        ),
        aside(
            f"The seal of {town} shows [a heron and a key|three waves under a wheel|a bell between two fish], which "
            f"{founder.last} [is said to have chosen|would hardly have understood].",
            f"About {founder.last} little is known for certain in {town}, [except that the temper was short|apart "
            f"from a signature and a debt|and legend has filled the gap].",
        ),
    )
    remarks = (
        aside(
            f"Fires, fevers and [tax collectors|two sieges] came and went, and each time {town} [buried its dead and "
            f"mended its roofs|asked {rival} for help and was refused].",
            f"The bell that hangs in {town} was [cast from a cannon|stolen from {rival} by night], and is rung [at "
            f"every birth|when the {river} rises].",
        ),
        aside(
            f"Its dialect has a word for [the smell of the {river} before rain|somebody who marries into "
            f"{rival}|bread that is one day old], and old people in {town} [use it still|laugh when strangers try "
            f"it].",
            f"The dish for which {town} is known, [a pie of eels and plums|black pudding with pears], is [better "
            f"than it sounds|served to guests from {rival} as a test].",
        ),
        aside(
            f"A school reader from {town} teaches that [the hill was made by a sleeping giant|the {river} once ran "
            f"backwards for a day], and nobody [has troubled to deny it|over sixty doubts it].",
            f"Painters came late to {town}, [for the light on the {river}|because rooms were cheap], and left [a "
            f"dozen views of the same mill|debts and a few good portraits of {mayor.last}].",
        ),
    )
    return Plan(
        opening=opening,
        body=(old + asides[:2], change[2:3] + change[4:5], change[:2], change[3:4] + change[5:] + remarks + asides[2:]),
    )
