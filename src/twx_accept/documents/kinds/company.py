"""The yearly report of a company."""

from twx_accept.documents.wording import both, tenths
from twx_accept.documents.writing import Plan, Writer, aside, told

TRADES = (
    ("Ceramics", "kiln", "roof tiles"),
    ("Packaging", "press", "cardboard sleeves"),
    ("Optics", "coating line", "spectacle lenses"),
    ("Dairies", "pasteuriser", "soft cheese"),
    ("Bearings", "grinding line", "roller bearings"),
    ("Paints", "mixing hall", "marine varnish"),
    ("Textiles", "dye house", "upholstery cloth"),
    ("Cables", "extruder", "submarine cable"),
    ("Batteries", "cell line", "battery packs"),
)
CAUSES = (
    "a strike at the docks",
    "the price of gas",
    "a recall of faulty seals",
    "two cancelled orders",
    "a dry summer",
    "a shortage of drivers",
)
MARKETS = ("Canada", "Chile", "Finland", "Ghana", "Iceland", "Japan", "Kenya", "Morocco", "Norway", "Peru", "Vietnam")


def company_report(w: Writer) -> Plan:
    """Revenue, profit, people, plants, costs, a cause, a comparison with a competitor, and the outlook."""
    firm, rival = w.thing(), w.thing()
    chief, finance, founder = w.person("chief executive"), w.person("finance director"), w.person("the founder")
    home, second = w.place(), w.place()
    trade, machine, product = w.one(*TRADES)
    year = w.n(1994, 2023)
    before = w.n(412, 4890)
    now = before + w.n(11, before * 2 // 5)
    profit = w.n(21, before // 6)
    rise = now - before
    small, large = w.two(34, 460)
    staff, left = w.n(620, 8400), w.percent(4, 19)
    share, export = w.percent(11, 39), w.percent(41, 78)
    cause, dividend = w.one(*CAUSES), w.n(12, 240)
    markets = w.some(3, *MARKETS)
    opened, spent = w.day(year, year), w.n(23, 310)
    low = w.n(2, 6)
    high = low + w.n(2, 5)
    group = f"{firm} {trade}"
    opening = told(
        f"{group} had revenue of {tenths(now)} million crowns in {year}.",
        f"{group} closed {year} with revenue of {tenths(now)} million crowns.",
        f"In {year} the revenue of {group} [came to|reached] {tenths(now)} million crowns.",
        f"The year {year} brought {group} revenue of {tenths(now)} million crowns.",
        f"Revenue at {group}, the maker of {product}, was {tenths(now)} million crowns in {year}.",
    )
    body = (
        told(
            f"The revenue of {group} rose by {tenths(rise)} million crowns from {year - 1} to {year}.",
            f"Revenue was thus {tenths(rise)} million crowns higher than in {year - 1}.",
            f"Measured against {year - 1}, revenue rose by {tenths(rise)} million crowns.",
            f"The rise over {year - 1} was {tenths(rise)} million crowns, [the board of {firm} notes|in "
            f"{finance.last}'s words].",
        ),
        told(
            f"{group} made a profit of {tenths(profit)} million crowns in {year}.",
            f"The profit of {firm} for the year was {tenths(profit)} million crowns.",
            f"Of that revenue, {tenths(profit)} million crowns remained to {firm} as profit.",
            f"{firm} made a profit of {tenths(profit)} million crowns [after tax|once all bills were paid].",
        ),
        told(
            f"The profit of {group} suffered from {cause}.",
            f"Profit at {firm} would have been higher but for {cause}.",
            f"It was {cause} [that held back the profit of {firm}|from which profit at {firm} suffered].",
            f"{chief.last} blames {cause} for the profit that was lost.",
        ),
        told(
            f"{chief.name} is the chief executive of {group}.",
            f"{chief.name}, chief executive of {firm}, [thanked the staff|spoke to the meeting in {home}].",
            f'"We have earned this," said {chief.name}, {firm}\'s chief executive.',
            f"The chief executive of {firm}, {chief.name}, [calls {year} a fair year|signed the report in {home}].",
        ),
        told(
            f"{group} employs {staff:,} people.",
            f"{staff:,} people work for {firm}, [most of them in {home}|the report says].",
            f"The company employs {staff:,} people, [from {home} to {second}|of whom {home} has the most].",
            f"At the end of {year}, {firm} had {staff:,} people in its employ.",
        ),
        told(
            f"{left} of the staff of {group} left in {year}.",
            f"{left.said} of the staff left {firm} in {year}.",
            f"In the course of {year} the firm saw {left.said} of its staff leave.",
            f"Not all stayed: {left.said} of {firm}'s staff left during {year}.",
        ),
        told(
            (f"{group} makes {large} tonnes of {product} a day.", f"{rival} makes {small} tonnes of {product} a day."),
            f"A day's output of {product} is {large} tonnes at {firm} and {small} tonnes at {rival}.",
            f"{firm} makes {large} tonnes of {product} a day, more than {rival}, which makes {small} tonnes.",
            f"Where {rival} makes {small} tonnes of {product} a day, {firm} makes {large}.",
        ),
        told(
            f"{group} opened a new {machine} in {second} on {opened}.",
            f"The new {machine} was opened on {opened.said} in {second}.",
            f"On {opened.said} the group opened its new {machine} in {second}.",
            f"In {second}, {firm}'s new {machine} has been open since {opened.said}.",
        ),
        told(
            f"The new {machine} of {group} cost {tenths(spent)} million crowns.",
            f"{firm} paid {tenths(spent)} million crowns for a new {machine}.",
            f"The cost of the new {machine}, {tenths(spent)} million crowns, [was met by {firm} from reserves|was "
            f"borne in {year}].",
            f"For its new {machine} {firm} [spent|laid out] {tenths(spent)} million crowns.",
        ),
        told(
            f"{export} of the sales of {group} are exports.",
            f"Exports are {export.said} of what {firm} sells.",
            f"Of {firm}'s sales, {export.said} are exports.",
            f"{export.said} of sales [go abroad as|are] exports, [{finance.last} reports|as {firm} had planned].",
        ),
        told(
            f"{group} sells to {both(markets)}.",
            f"Customers of {firm} are found in {w.both(markets)}.",
            f"{firm} sells to {w.both(markets)}, [{chief.last} says|among others].",
            f"{w.both(markets)} are the countries to which {firm} now sells.",
        ),
        told(
            f"{group} did not raise its prices in {year}.",
            f"Prices were not raised by {firm} in {year}.",
            f"In {year}, unlike {rival}, {firm} did not raise its prices.",
            f"{firm} did not raise prices at any time in {year}.",
        ),
        told(
            f"{group} pays a dividend of {dividend} pence a share.",
            f"Shareholders of {firm} receive a dividend of {dividend} pence a share.",
            f"A dividend of {dividend} pence a share [will be paid by|is due from] {firm}.",
            f"For each share {firm} pays {dividend} pence in dividend.",
        ),
        told(
            f"{founder.name}'s family holds {share} of the shares of {group}.",
            f"The family of the founder, {founder.name}, holds {share.said} of {firm}'s shares.",
            f"{share.said} of the shares in {firm} are held by the family of {founder.name}.",
            f"{founder.name} founded the firm; {share.said} of the shares are still held by that family.",
        ),
        told(
            f"{group} expects growth of {low}% to {high}% in {year + 1}.",
            f"For {year + 1} the board of {firm} expects growth of {low}% to {high}%.",
            f"Growth in {year + 1} should be between {low}% and {high}%, {firm} expects.",
            f"{finance.last}, who keeps {firm}'s books, expects {year + 1} to bring growth of {low}% to {high}%.",
        ),
    )
    asides = (
        aside(
            f"Demand for {product} was [firm in the first half and weak in the second|better than the board had "
            f"dared to hope|uneven, as it always is], and {firm} [ran its lines through the holidays|kept its "
            f"nerve|drew down its stocks].",
            f"The market for {product} [grew crowded|calmed down] in the course of {year}, which suited {firm} "
            f"[better than its rivals|rather well], {finance.last} told analysts.",
        ),
        aside(
            f"Among the risks {finance.last} [lists|names] currency, the weather and [new rules for the trade|the "
            f"health of one large customer|the age of the boilers], none of which {firm} [can steer|takes lightly].",
            f"The auditors [raised no objection|asked for one correction|praised the stock-keeping], and "
            f"{finance.last} [was glad to say so|told the meeting as much in {home}].",
        ),
        aside(
            f"In {home} the firm [rebuilt its canteen|put solar panels on the roof|opened a nursery for the staff], "
            f"a step for which {chief.last} [had pressed|took the credit|was thanked].",
            f"Work at {second} [went on around the builders|was never interrupted], and the people of {second} [have "
            f"got used to the night shift|watched the cranes with interest].",
        ),
        aside(
            f"{rival} remains the [competitor|neighbour] that {firm} [watches most closely|mentions least], and talk "
            f"of a merger was [dismissed as gossip|neither confirmed nor denied] by {chief.last}.",
            f"Talks with {rival} about [shared warehouses|a joint purchase of raw material|a common standard] [came "
            f"to nothing|are going on], {chief.last} said.",
        ),
        aside(
            f"Customers of {firm} [complained less|paid more promptly|ordered in smaller lots] than in the past, and "
            f"the return of {product} from the trade was [slight|easily dealt with].",
            f"A new range of {product} was shown [at three fairs|to the trade in spring], where {firm} [took more "
            f"orders than it could fill|found the welcome cool].",
        ),
        aside(
            f"{chief.last} closed with a word about {founder.last}, [whose portrait hangs in {home}|who began in a "
            f"shed in {home}], and about [thrift|patience|plain dealing].",
            f"Asked about {year + 1}, {chief.last} [would not be drawn|spoke of steady work rather than of "
            f"records|pointed to the order book].",
        ),
        aside(
            f"The meeting in {home} [lasted well into the evening|was over before lunch], and the shareholders of "
            f"{firm} [approved every motion|asked about pensions, rivers and {rival}].",
            f"No member of the board of {firm} [stood down|sold shares], and {finance.last}'s contract was "
            f"[renewed|extended without debate].",
        ),
    )
    remarks = (
        aside(
            f"Energy is bought [a year ahead|day by day], on the advice of {finance.last}, and {firm} has [insulated "
            f"every roof in {home}|replaced the old burners in {second}] to use less of it.",
            f"The works council in {home} [agreed to a new shift plan|asked for quieter machines], and {chief.last} "
            f"[gave way on breakfast breaks|praised its good sense].",
        ),
        aside(
            f"Two patents were [filed|bought from a bankrupt rival], both to do with [cooling|the finish of "
            f"{product}], and {firm} [expects little of one and much of the other|guards them from {rival}].",
            f"Laboratories in {second} [worked on {product} for hot countries|tested a recipe without solvents], and "
            f"what {finance.last} saw there [was encouraging|looked costly].",
        ),
        aside(
            f"The fleet of {firm} is [older than its drivers would like|being replaced lorry by lorry], and "
            f"deliveries of {product} [were seldom late|suffered when the pass was closed].",
            f"For apprentices {firm} opened [a workshop of their own|a hostel with a garden] in {home}, where "
            f"[places were soon gone|the first of them have begun].",
        ),
    )
    return Plan(
        opening=opening, body=(body[:2] + asides[:1], body[2:-1] + asides[1:-2] + remarks, body[-1:] + asides[-2:])
    )
