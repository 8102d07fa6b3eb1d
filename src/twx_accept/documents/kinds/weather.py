"""A summary of the weather of a month or a season in one district."""

from twx_accept.documents.wording import both, tenths
from twx_accept.documents.writing import Plan, Writer, aside, lead, told

CAUSES = ("a low over the sea", "warm air from the plateau", "a blocked front", "cold air that drained from the hills")
DAMAGE = ("the pier", "the school roof", "a grain store", "the signal mast", "two greenhouses", "the bandstand")
CROPS = ("cherries", "rye", "hops", "lettuce", "plums", "barley", "asparagus", "oats")
WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
RIVER_STATES = ("burst its banks", "rose above the towpath", "flooded the lower meadows")


def weather_summary(w: Writer) -> Plan:
    """Temperatures, rain, sun, wind, a storm, its cause and damage, a dry spell, two stations, the outlook."""
    district, upper, lower, coast = w.place(), w.place(), w.place(), w.place()
    river = w.river()
    observer, chief = w.person("the observer"), w.person("the forecaster")
    day = w.day(1951, 2023, (3, 10))
    span = f"{day.month} {day.year}"
    mean, below = w.n(84, 149), w.n(2, 26)
    warm, cold = w.n(241, 368), w.n(12, 69)
    rain, rain_before = w.two(24, 212)
    wet_days, dry = w.count(3, 12), w.n(13, 26)
    gust, sun = w.n(72, 149), w.n(88, 290)
    storm = day.plus(0)
    began, hours = w.clock(1, 19, 5), w.n(2, 4)
    cause, damage = w.one(*CAUSES), w.one(*DAMAGE)
    crops, wind = w.some(3, *CROPS), w.one(*WINDS)
    hail, power = w.n(13, 48), w.n(210, 8900, 10)
    share, since = w.percent(13, 64), day.year - w.n(8, 70)
    rank = w.one("second", "third", "fourth", "fifth")
    low = w.n(9, 19)
    high = low + w.n(3, 6)
    state, foggy = w.one(*RIVER_STATES), w.count(3, 9)
    opening = told(
        f"The mean temperature in {district} in {span} was {tenths(mean)} \u00b0C.",
        f"{span}, {district}: mean temperature {tenths(mean)} \u00b0C.",
        f"In {district} the mean temperature for {span} was {tenths(mean)} \u00b0C.",
        f"{district} had a mean temperature of {tenths(mean)} \u00b0C in {span}.",
        f"The observers of {district} report, for {span}, a mean temperature of {tenths(mean)} \u00b0C.",
    )
    body = (
        told(
            f"The mean temperature in {district} in {span} was {tenths(below)} \u00b0C below the usual one.",
            f"[By long experience|As a rule] {district} is warmer: this was {tenths(below)} \u00b0C below the usual "
            f"mean.",
            f"That lies {tenths(below)} \u00b0C below what is usual [in {district}|for {district}].",
            f"It fell short of {district}'s usual mean by {tenths(below)} \u00b0C.",
        ),
        told(
            (
                f"The highest temperature in {upper} was {tenths(warm)} \u00b0C.",
                f"The lowest temperature in {lower} was {tenths(cold)} \u00b0C.",
            ),
            f"Extremes: {tenths(warm)} \u00b0C, the highest, in {upper}; {tenths(cold)} \u00b0C, the lowest, in "
            f"{lower}.",
            f"{upper} had the highest reading, {tenths(warm)} \u00b0C, and {lower} the lowest, {tenths(cold)} \u00b0C.",
            f"From {tenths(cold)} \u00b0C, the lowest, in {lower}, the readings went to {tenths(warm)} \u00b0C, the "
            f"highest, in {upper}.",
        ),
        told(
            (
                f"{district} had {rain_before} mm of rain in {span}.",
                f"{district} had {rain} mm of rain in the month before {span}.",
            ),
            f"{rain_before} mm of rain fell on {district}, after {rain} mm in the month before.",
            f"Rain: {rain_before} mm in {district}, more than the {rain} mm of the month before.",
            f"The month before had brought {district} {rain} mm of rain; this one brought {rain_before} mm.",
        ),
        told(
            f"It rained in {district} on {wet_days} days in {span}.",
            f"It rained on {wet_days.said} days only, [{observer.last} noted|in {district} at least].",
            f"There were {wet_days.said} days on which it rained [in {district}|at {observer.last}'s station].",
            f"All of {district}'s rain fell on {wet_days.said} days.",
        ),
        told(
            f"The sun shone in {coast} for {sun} hours in {span}.",
            f"In {coast} the sun shone for {sun} hours.",
            f"{coast}, on the coast, saw the sun shine for {sun} hours.",
            f"Sunshine: {sun} hours in {coast}.",
        ),
        lead(
            f"A storm reached {coast} at {began} on {storm}.",
            f"On {storm.said}, at {began}, a storm reached {coast}.",
            f"The storm that reached {coast} at {began} on {storm.said} [will be remembered|was the month's event].",
            f"At {began} on {storm.said} {coast} was reached by a storm.",
        ),
        told(
            f"The storm in {coast} was caused by {cause}.",
            f"{cause} caused the storm in {coast}.",
            f"The cause of {coast}'s storm was {cause}, [{chief.last} explains|on {chief.last}'s charts].",
            f"{chief.last} puts the storm down to {cause}.",
        ),
        told(
            f"The storm damaged {damage} in {coast}.",
            f"The storm damaged {damage}, [to the dismay of {coast}|in plain sight of half {coast}].",
            f"{damage} in {coast} was damaged by the storm."
            if damage != "two greenhouses"
            else f"Two greenhouses in {coast} were damaged by the storm.",
        ),
        told(
            f"The strongest gust in {coast} measured {gust} km/h.",
            f"{gust} km/h was the strongest gust in {coast}.",
            f"In {coast} {observer.last} measured a gust of {gust} km/h, the strongest.",
            f"The strongest gust, {gust} km/h, was measured in {coast}.",
        ),
        told(
            f"The storm in {coast} lasted {hours} hours, until {began.plus(hours * 60)}.",
            f"Not until {began.plus(hours * 60)}, {hours} hours later, was the storm in {coast} over.",
            f"It lasted {hours} hours, this storm, and left {coast} at {began.plus(hours * 60)}.",
        ),
        told(
            f"{power:,} households in {lower} lost power.",
            f"Power was lost by {power:,} households in {lower}.",
            f"In {lower} {power:,} households lost power.",
            f"The lights went out in {power:,} households in {lower}.",
        ),
        told(
            f"Hailstones in {upper} measured up to {hail} mm.",
            f"Hail fell on {upper}, its stones measuring up to {hail} mm.",
            f"Hailstones of up to {hail} mm were picked up in {upper}.",
        ),
        told(
            f"Farmers around {lower} lost {both(crops)}.",
            f"Around {lower} the farmers lost {w.both(crops)}.",
            f"{w.both(crops)} were lost to farmers around {lower}.",
            f"The farms around {lower} count {w.both(crops)} as lost.",
        ),
        told(
            f"{upper} had no rain for {dry} days.",
            f"For {dry} days {upper} had no rain at all.",
            f"Not a drop of rain fell on {upper} for {dry} days.",
            f"{upper} went {dry} days without rain.",
        ),
        told(
            f"The {river} {state} in {lower}.",
            f"In {lower} the {river} {state}.",
            f"By the weekend, {observer.last} adds, the {river} {state} in {lower}.",
        ),
        told(
            f"{day.month} {day.year} was the {rank} wettest {day.month} in {district} since {since}.",
            f"Since {since} it was the {rank} wettest {day.month} [in {district}|that {district} has seen].",
            f"Only records kept since {since} tell: it was {district}'s {rank} wettest {day.month}.",
        ),
        told(
            f"The wind in {district} came from the {wind} on {share} of the days.",
            f"On {share.said} of the days the wind in {district} came from the {wind}.",
            f"From the {wind} came the wind on {share.said} of the days.",
        ),
        told(
            f"{lower} did not have any fog.",
            f"Fog, which {upper} had on {foggy.said} mornings, {lower} did not have at all.",
            f"{lower} did not have any fog, though {upper} saw it on {foggy.said} mornings.",
        ),
    )
    outlook = (
        told(
            f"{chief.name} expects {low} \u00b0C to {high} \u00b0C in {district} for the coming month.",
            f"For the coming month {chief.name} expects {low} \u00b0C to {high} \u00b0C in {district}.",
            f"Outlook: {low} \u00b0C to {high} \u00b0C in {district}, {chief.name} expects, for the coming month.",
        ),
    )
    asides = (
        aside(
            f"The month [opened gently|began with grey skies|came in like its predecessor], and around {upper} "
            f"[people still wore coats|the hay stood wet|the paths were dusty] when [the change came|the first "
            f"thunder was heard].",
            f"For the first days {lower} and {upper} [lay under one cloud|had the same soft air|could hardly be told "
            f"apart], until [the wind turned|the pressure began to fall over {coast}].",
        ),
        aside(
            f"Nights were [clear and still|loud with wind|damp], and in {lower} {observer.last} saw [hoar frost on "
            f"the thermometer screen|a halo round the moon|lightning far out], [though no one else did|and wrote it "
            f"down].",
            f"{observer.last} has kept the records of {district} [since a schoolteacher asked for help|for love|on "
            f"paper with a pencil], and calls this month [a fair sample|odd but not unheard of|spoilt].",
        ),
        aside(
            f"The valley of the {river} [kept its mist until noon|was greener than usual|smelt of wet earth], and "
            f"the anglers of {lower} [were content|stayed at home].",
            f"Along the {river} the willows [came into leaf early|were stripped bare|bent to the ground], a thing "
            f"that {lower} [talked about|took as a sign].",
        ),
        aside(
            f"In {coast} the [fishing boats stayed in port|ferries ran when they could|bathing huts were carried "
            f"inland], and the lighthouse [was hidden by spray|burnt by day].",
            f"Visitors to {coast} [sat in cafes|left early|made the best of it], while {upper}, higher up, [lay in "
            f"sunshine|was above the clouds].",
        ),
        aside(
            f"The stations at {upper} and {lower} [were both in order|send their readings by post|use the same old "
            f"pattern of gauge], and {chief.last} [has checked the figures|vouches for the sums].",
            f"{chief.last} warns against [reading too much into one month|hasty comparisons with {coast}|any talk of "
            f"records], since the gauge in {upper} [was moved|leaked for a while].",
        ),
        aside(
            f"Seldom has the sky over {district} [changed so often|been so bare of swallows|worn such colours], and "
            f"[painters were glad|the photographers of {coast} sold many prints].",
            f"People in {upper} will remember [the smell of rain on hot stone|the silence after the storm|the double "
            f"rainbow], those in {lower} rather [the mud|the candles].",
        ),
    )
    remarks = (
        aside(
            f"In {upper} the bees [flew early|stayed in the hive for days], the beekeepers say, and in {lower} the "
            f"storks [left before their time|built on a second roof].",
            f"Walkers between {upper} and {lower} met [snowmelt on the paths|dust and thistles|more frogs than "
            f"people], and the huts [were full|stayed shut].",
        ),
        aside(
            f"Those who live by old sayings, and {lower} has [many|one for each day], had [foretold as much|been "
            f"sure of the contrary], which {chief.last} [puts down to chance|takes with good humour].",
            f"A radio talk by {chief.last} on [clouds|the names of winds] [drew sacks of letters|was much enjoyed in "
            f"{coast}], and the talk of the market in {lower} was [of nothing else|the price of umbrellas].",
        ),
        aside(
            f"Aircraft were [sent round by the south|kept on the ground], the post for {coast} [came by boat|was a "
            f"day late], and the school in {lower} [taught by candlelight|was closed].",
            f"On the pass above {upper} [drivers slept in their cars|a snow plough stood ready|sheep had to be dug "
            f"out], while {coast} [sat in the sun|knew nothing of it].",
        ),
    )
    return Plan(
        opening=opening,
        body=(
            body[:5] + body[13:14] + body[15:17] + asides[:3],
            body[5:13] + body[14:15] + body[17:] + asides[3:4] + remarks,
            outlook + asides[4:],
        ),
    )
