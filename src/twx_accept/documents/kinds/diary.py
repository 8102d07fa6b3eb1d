"""The diary of an expedition, written by one of its members."""

from twx_accept.documents.wording import both
from twx_accept.documents.writing import Plan, Writer, aside, told

ANIMALS = ("mules", "dogs", "ponies", "yaks", "reindeer", "oxen")
STORES = ("oatmeal", "dried cod", "lamp oil", "rope", "quinine", "biscuit", "pemmican", "matches", "canvas", "tea")
SIGHTS = ("a hot spring", "a stone cairn", "an abandoned hut", "a colony of terns", "a frozen waterfall", "a salt pan")
CAUSES = (
    "fog",
    "a snow bridge that gave way",
    "a broken sledge",
    "high water",
    "a quarrel over the route",
    "loose scree",
)
AILMENTS = ("snow blindness", "a fever", "frostbitten toes", "a twisted knee", "toothache")


def expedition_diary(w: Writer) -> Plan:
    """Five days: the start, the way, the camp, trouble, and the goal. The writer says I and we."""
    leader, cook, ill = w.person(), w.person("our cook"), w.person("the surveyor")
    start, river, peak, lake = w.place(), w.river(), w.river(), w.river()
    first = w.day(1869, 1934, (2, 10))
    days = (first, first.plus(w.n(3, 5)), first.plus(w.n(6, 9)), first.plus(w.n(10, 14)))
    party, beasts, animal = w.count(7, 12), w.n(14, 60), w.one(*ANIMALS)
    stores = w.some(3, *STORES)
    long, short = w.n(19, 34), w.n(5, 14)
    frost, wind = w.n(6, 31), w.n(40, 96)
    low, high = w.two(1400, 4900, 10)
    sight, cause, ailment = w.one(*SIGHTS), w.one(*CAUSES), w.one(*AILMENTS)
    left, wage = w.n(13, 40), w.n(14, 60)
    hours, depth, width = w.count(3, 12), w.n(2, 19), w.n(30, 240)
    left_at, top_at = w.clock(4, 8, 5), w.clock(11, 16, 5)
    team = f"{leader.name}'s expedition"
    opening = told(
        (f"{team} left {start} on {first}.", f"{leader.name} leads the expedition to {peak}."),
        f"{first.said}. Left {start} today, with {leader.name} leading us to {peak}.",
        f"{first.said}. So we have left {start}, and {leader.name} leads the expedition to {peak}.",
        f"{start}, {first.said}. Today {leader.name}, who leads this expedition to {peak}, gave the word and we left.",
        f"{first.said}, a {first.weekday}. We left {start} for {peak}; {leader.name} leads.",
    )
    one = (
        told(
            f"{team} left at {left_at}.",
            f"It was {left_at} when we left, [and {start} was asleep|by {leader.last}'s watch].",
            f"We were off at {left_at}, [later than {leader.last} liked|with no one to wave].",
        ),
        told(
            f"{team} has {party} members.",
            f"Our party is {party.said} strong, [{cook.last} the youngest|not counting the {beasts} {animal}].",
            f"There are {party.said} of us, [{leader.last} included|{ill.last} being the eldest].",
            f"Counting {leader.last} and myself, we are {party.said}.",
        ),
        told(
            f"{team} took {beasts} {animal}.",
            f"We have taken {beasts} {animal}, [which {cook.last} calls a crowd|chosen in {start}].",
            f"{beasts} {animal} go with us, [though {leader.last} wanted more|each with its bell].",
        ),
        told(
            f"{team} carries {both(stores)}.",
            f"Our loads are {w.both(stores)}, [packed by {cook.last}|nothing else].",
            f"Packed by noon: {w.both(stores)}, all of which we carry.",
            f"We carry {w.both(stores)}, [and {cook.last} keeps the list|mostly {stores[0]}].",
        ),
        told(
            f"A porter of {team} earns {wage} pence a day.",
            f"The porters get {wage} pence a day, [paid by {leader.last} at dusk|and earn it].",
            f"A porter earns {wage} pence a day with {leader.last}.",
        ),
    )
    two = (
        told(
            f"{team} crossed the {river} on {days[1]}.",
            f"{days[1].said}. Crossed the {river} [at last|with all loads dry|in two parties].",
            f"{days[1].said}. The {river} lies behind us; [we crossed it|we crossed it singing] this morning.",
            f"{days[1].said}. We crossed the {river} today, [{leader.last} first|the {animal} unwilling].",
        ),
        told(
            f"The {river} was {width} m wide and {depth} m deep at the crossing.",
            f"At the ford {leader.last} measured the {river}: {width} m wide and {depth} m deep.",
            f"The {river}, [grey as slate|swift and cold], was {width} m wide and {depth} m deep where we crossed.",
            f"{depth} m deep and {width} m wide, the {river} did not invite us to cross.",
        ),
        told(
            f"The crossing of the {river} took {hours} hours.",
            f"The {river} took us {hours.said} hours to cross.",
            f"{hours.said} hours it took, [crossing the {river}|this crossing of the {river}].",
        ),
        told(
            f"{team} saw {sight} near the {river}.",
            f"Not far from the {river} we saw {sight}.",
            f"{cook.last} called us to look: {sight}, near the {river}.",
            f"Near the {river} there was {sight}, [which {ill.last} sketched|and we all went to see it].",
        ),
    )
    three = (
        told(
            f"{team} rested at Lake {lake} on {days[2]}.",
            f"{days[2].said}. We rest at Lake {lake}.",
            f"{days[2].said}. A day of rest at Lake {lake}, [by {leader.last}'s order|and glad of it].",
        ),
        told(
            f"{ill.name} suffered from {ailment}.",
            f"{ill.name} suffers from {ailment} [and rides|and says little|but walks].",
            f"I am uneasy about {ill.name}, who suffers from {ailment}.",
            f"{ailment} has laid hold of {ill.name}, [who bears it well|and {leader.last} frets].",
        ),
        told(
            f"{cook.name} is the cook of {team}.",
            f"{cook.name}, our cook, [burnt the porridge again|made soup of nothing|sang while we ate].",
            f"I must praise {cook.name}, the cook, [who asks for no thanks|for a pudding made of {stores[0]}].",
        ),
        told(
            f"The frost at Lake {lake} reached -{frost} \u00b0C.",
            f"At Lake {lake} the glass showed -{frost} \u00b0C [at dawn|in the night|before sunrise].",
            f"Frost of -{frost} \u00b0C at Lake {lake}; the ink froze.",
        ),
        told(
            f"{team} lost a day because of {cause}.",
            f"We have lost a day, and {cause} is to blame, [{leader.last} says|whatever {ill.last} thinks].",
            f"Because of {cause} we lost a whole day, [to {leader.last}'s rage|and ate cold {stores[1]}].",
        ),
        told(
            f"{team} did not lose any of its {animal}.",
            f"So far, {leader.last} notes, we did not lose a single one of the {animal}.",
            f"{cook.last} counted the {animal} twice: we did not lose any.",
        ),
        told(
            (f"The longest march before {peak} was {long} km.", f"The shortest march before {peak} was {short} km."),
            f"Our longest march so far was {long} km, our shortest {short} km, with {peak} always ahead.",
            f"I reckon the longest march at {long} km and the shortest at {short} km, and still {peak} is far.",
        ),
    )
    four = (
        told(
            f"{team} reached the top of {peak} at {top_at} on {days[3]}.",
            f"{days[3].said}. At {top_at} we stood on the top of {peak}.",
            f"{days[3].said}. The top of {peak}, reached at {top_at}!",
            f"{days[3].said}. {leader.last} set foot on the top of {peak} at {top_at}, and the rest of us behind.",
        ),
        told(
            (f"{peak} is {high:,} m high.", f"Lake {lake} lies at {low:,} m."),
            f"By the barometer {peak} is {high:,} m high and Lake {lake} lies at {low:,} m.",
            f"{peak} is {high:,} m high, I find, against {low:,} m at Lake {lake}.",
            f"Lake {lake}, which lies at {low:,} m, is a puddle seen from {peak}, which is {high:,} m high.",
        ),
        told(
            f"The wind on {peak} blew at {wind} km/h.",
            f"Up on {peak} the wind blew at {wind} km/h.",
            f"The wind, {wind} km/h by {leader.last}'s gauge, blew all our words off {peak}.",
        ),
        told(
            f"{team} has food for {left} more days.",
            f"There is food for {left} more days, [{cook.last} swears|if {cook.last} counts right].",
            f"{cook.last} says that our food will last {left} more days.",
        ),
    )
    asides = (
        aside(
            f"I slept [badly|like a stone|in my boots], and dreamt of {start} and [its bakers|clean sheets|the band "
            f"on the square].",
            f"My tent leaks [at both ends|above the pillow], and {ill.last}, who shares it, [snores in three "
            f"keys|sings hymns|has the dry side].",
        ),
        aside(
            f"The country beyond {start} is [bare and brown|a waste of boulders|greener than any of us had thought], "
            f"and {leader.last} [names every hill|says that it will get worse|walks through it whistling].",
            f"All afternoon {peak} [hung over us like a sail|hid in cloud|looked near enough to touch], and we spoke "
            f"[of nothing else|hardly a word].",
        ),
        aside(
            f"{leader.last} and {ill.last} [argued about the map|had words over the lamp oil|are not on speaking "
            f"terms], and the rest of us [looked into our mugs|took the one side or the other|mended straps].",
            f"I have come to trust {leader.last}, who [is never in a hurry|tells us only what we need|eats last].",
        ),
        aside(
            f"For supper {cook.last} [promised mutton and gave us broth|found wild onions near the {river}|fried the "
            f"last of the eggs], which we ate [standing|under a blanket|in the lee of the packs].",
            f"{cook.last} has [a cold|a new song|taught the {animal} to beg], and we are [all the better for it|all "
            f"the worse for it].",
        ),
        aside(
            f"My boots [have split|are holding|steam by the fire], my pen [freezes|drips], and still I would not "
            f"[change places with anyone in {start}|be anywhere but here under {peak}].",
            f"I write this by [a candle end|the light of the snow|the stove], my hands stiff, with {peak} [somewhere "
            f"above in the dark|white in the moon].",
        ),
        aside(
            f"The {animal} are [restless|in good heart|footsore], and one of them [ate a page of {ill.last}'s "
            f"notes|lay down in the {river}|follows {cook.last} about].",
            f"One of the {animal} bolted [at the sight of a hare|near the {river}|in the night], and {ill.last} "
            f"[brought it back by dusk|cursed in two languages].",
        ),
        aside(
            f"Lake {lake} is [black and still|rimmed with ice|full of birds], and {ill.last} [wished for a boat|drew "
            f"it from three sides|swears that it has no bottom].",
            f"We left a [tin|bottle] with our names at Lake {lake}, [for luck|in case nobody comes back], as "
            f"{leader.last} [put it|said drily].",
        ),
    )
    remarks = (
        aside(
            f"{leader.last} reads to us in the evening from [a torn novel|a book of sermons|an almanac], and "
            f"{cook.last} [weeps at the right places|always asks how it ends].",
            f"There was no post to send, but I wrote to {start} all the same, [three pages of complaint|a list of "
            f"what I should like to eat], and {ill.last} [laughed aloud|looked over my shoulder].",
        ),
        aside(
            f"We met [two hunters|an old woman with a sledge|a boy herding goats] who had never heard of {peak} "
            f"under that name, and {leader.last} [gave them sugar|bought a cheese from them|noted their word for "
            f"it].",
            f"Tracks crossed ours beyond the {river}, [of a bear, {cook.last} thinks|older than ours and smaller], "
            f"and the {animal} [would not step over them|sniffed and went on].",
        ),
        aside(
            f"The instruments are [wet|in order again], and {ill.last} takes readings [at every halt|with a candle "
            f"between the teeth], saying that {peak} [will not measure itself|must not be left to guesswork].",
            f"A strap broke, a pot rolled away, and still {leader.last} [kept to the plan|whistled], so that by dusk "
            f"[we had forgotten both|even {ill.last} was cheerful].",
        ),
    )
    return Plan(
        opening=opening,
        body=(one + asides[:2], two + asides[2:4], three + asides[4:7] + remarks, four + asides[7:]),
        between=w.one(" ", "\n\n"),
    )
