"""The programme of a festival."""

from twx_accept.documents.wording import both, nth
from twx_accept.documents.writing import Plan, Writer, aside, told

THEMES = (
    ("bell music", "bell ringers", "a carillon"),
    ("puppet theatre", "puppeteers", "a shadow play"),
    ("folk dance", "dancers", "a sword dance"),
    ("sea songs", "singers", "a shanty evening"),
    ("storytelling", "storytellers", "a night of ghost tales"),
    ("accordion music", "players", "a tango evening"),
    ("street theatre", "actors", "a stilt parade"),
    ("early music", "musicians", "a masque"),
)
FOODS = (
    "grilled eel",
    "plum dumplings",
    "rye pancakes",
    "goat cheese",
    "chestnut soup",
    "pickled pears",
    "smoked trout",
)
VENUES = (
    "the old granary",
    "the fish hall",
    "the orangery",
    "the tram depot",
    "the castle yard",
    "the chapel",
    "the barn",
)
CAUSES = ("illness", "a lost passport", "a double booking", "a broken wrist", "a storm at sea")


def festival_programme(w: Writer) -> Plan:
    """Dates, acts, places and times, tickets, food, a change and its cause, and what visitors may not bring."""
    town, guest_town, camp = w.place(), w.place(), w.place()
    head, star, second = w.person("director"), w.person(), w.person()
    absent, stand_in = w.person(), w.person()
    theme, people, show = w.one(*THEMES)
    first = w.day(1984, 2024, (5, 9))
    length = w.n(3, 6)
    last = first.plus(length - 1)
    edition = w.n(12, 58)
    performers, countries = w.n(84, 390), w.count(4, 12)
    day_price, all_price = w.n(12, 35), w.n(40, 88)
    early, late = w.clock(10, 14, 5), w.clock(18, 22, 5)
    big, small = w.some(2, *VENUES)
    fewer, more = w.two(110, 960, 10)
    foods, cause = w.some(3, *FOODS), w.one(*CAUSES)
    minutes, discount, buses = w.n(35, 110, 5), w.percent(15, 60), w.n(14, 45)
    workshop, age, prize = w.clock(9, 12, 15), w.n(6, 14), w.n(400, 4800, 50)
    held_back, members = w.percent(4, 20), w.n(13, 64)
    f = f"the {town} festival"
    opening = told(
        (f"{f} of {theme} runs from {first} to {last}.", f"{f} takes place for the {nth(edition)} time."),
        f"Welcome to the {nth(edition)} {town} festival of {theme}, which runs from {first.said} to {last.said}!",
        f"From {first.said} to {last.said} {town} holds its {nth(edition)} festival of {theme}.",
        f"{town}, {first.said} to {last.said}: the {nth(edition)} festival of {theme} is here.",
        f"For the {nth(edition)} time {town} has its festival of {theme}; it runs from {first.said} to {last.said}.",
    )
    acts = (
        told(
            f"{performers} {people} from {countries} countries take part in {f}.",
            f"{performers} {people} take part, and they come from {countries.said} countries.",
            f"From {countries.said} countries {performers} {people} have come to take part.",
            f"There are {performers} {people} this year in {town}, from {countries.said} countries.",
        ),
        told(
            f"{star.name} opens {f} at {late} in {big}.",
            f"The opening belongs to {star.name}, at {late} in {big}.",
            f"{star.name} opens the festival in {big} at {late}, [so come early|with {show}].",
            f"At {late} {star.name} opens it all in {big}.",
        ),
        told(
            f"{second.name} performs at {early} in {small}.",
            f"{small} is where {second.name} performs, at {early}.",
            f"At {early}, in {small}, {second.name} performs [for the young|alone|by daylight].",
            f"Do not miss {second.name}, who performs in {small} at {early}.",
        ),
        told(
            (f"{big} in {town} seats {more} people.", f"{small} in {town} seats {fewer} people."),
            f"{big} seats {more} people, more than {small}, which seats {fewer}.",
            f"There are seats for {more} in {big} and for {fewer} in {small}, [says {head.last}|all over {town}].",
            f"{small} seats {fewer} people; {big} is larger and seats {more}.",
        ),
        told(
            (
                f"{absent.name} cannot come to {town} because of {cause}.",
                f"{stand_in.name} takes the place of {absent.name}.",
            ),
            f"Because of {cause} {absent.name} cannot come; {stand_in.name} takes {absent.their} place.",
            f"A change: {stand_in.name} takes the place of {absent.name}, who cannot come because of {cause}.",
            f"{absent.name} cannot come, {cause} being the reason, and {stand_in.name} takes {absent.their} place.",
        ),
        told(
            f"{show} by {star.name} lasts {minutes} minutes.",
            f"{star.last} brings {show}; it lasts {minutes} minutes.",
            f"Allow {minutes} minutes for {star.last}, for that is how long {show} lasts.",
        ),
        told(
            f"The band of {guest_town} has {members} members.",
            f"{guest_town} sends its band, {members} members in all.",
            f"The {members} members of the band of {guest_town} [march in at noon|wear green].",
        ),
        told(
            f"{stand_in.name} teaches a workshop at {workshop} for children from {age}.",
            f"At {workshop} {stand_in.name} teaches a workshop; children may join from the age of {age}.",
            f"Children from {age} may join the workshop that {stand_in.name} teaches at {workshop}.",
        ),
        told(
            f"{head.name} directs {f}.",
            f"{head.name} directs the festival, [as in the year before|with a small office in {town}].",
            f"The festival is directed by {head.name}, [who was born in {guest_town}|once a visitor from "
            f"{guest_town}].",
            f"Its director is {head.name}.",
        ),
    )
    practical = (
        told(
            (
                f"A day ticket for {f} costs {day_price} crowns.",
                f"A ticket for all days of {f} costs {all_price} crowns.",
            ),
            f"Tickets: {day_price} crowns for one day, {all_price} crowns for all days.",
            f"A day ticket costs {day_price} crowns, and one for all days {all_price} crowns.",
            f"One day costs {day_price} crowns; for {all_price} crowns you may stay for all of them.",
        ),
        told(
            f"Students pay {discount} less at {f}.",
            f"Students pay {discount.said} less [in {town}|at {town}'s box office|than other visitors to {town}].",
            f"There is a reduction of {discount.said} for students [at {town}'s box office|of any age in {town}].",
        ),
        told(
            f"Visitors of {f} can eat {both(foods)}.",
            f"Hungry? There are {w.both(foods)} to eat.",
            f"The stalls in {town} offer {w.both(foods)} to eat.",
            f"To eat there are {w.both(foods)}, [made by {guest_town} cooks|as every year].",
        ),
        told(
            f"Buses run from {camp} to {f} every {buses} minutes.",
            f"Every {buses} minutes a bus runs to {town} from {camp}.",
            f"Leave the car in {camp}; buses run from there every {buses} minutes.",
            f"From {camp} there are buses every {buses} minutes.",
        ),
        told(
            f"Dogs are not admitted to {big} in {town}.",
            f"Please note that {big} does not admit dogs, [{head.last} regrets|though {camp} does].",
            f"Dogs are not admitted to {big}; [{camp} has kennels|leave them in {camp}].",
        ),
        told(
            f"{f} keeps {held_back} of its tickets for the door.",
            f"{held_back.said} of the tickets are kept for the door in {town}.",
            f"If all seems sold, {town} keeps {held_back.said} of its tickets for the door.",
        ),
        told(
            f"The prize of the audience in {town} is worth {prize:,} crowns.",
            f"The audience gives a prize worth {prize:,} crowns on the last night.",
            f"You decide who wins the prize of the audience, worth {prize:,} crowns.",
        ),
    )
    asides = (
        aside(
            f"What began as [a wager between two innkeepers|a wet weekend with borrowed chairs|a school play that "
            f"went on too long] now [fills every bed in {town}|closes the high street of {town}|has {town} humming "
            f"for weeks].",
            f"Long ago the people of {town} [laughed at the idea|came in their working clothes], and {camp} [still "
            f"claims to have thought of it first|sent nobody]; today [both streets and roofs are full|even the mayor "
            f"dances].",
        ),
        aside(
            f"{star.last} [needs no introduction here|comes straight from a long tour|has promised something that "
            f"nobody has heard], and those who [remember the last visit|were there when the lights failed] will "
            f"[bring friends to {big}|be early at {big}].",
            f"Of {star.last} the papers wrote that [one forgets to breathe|the silence was the best part|no two "
            f"nights are alike], and {head.last} [quite agrees|had to ask three times].",
        ),
        aside(
            f"{second.last} [works with whatever the audience brings|is shy by day and fearless by night|learned the "
            f"trade on a barge], and {small} [could not suit better|is just the right size for that].",
            f"Bring [a cushion|a warm coat|your grandmother] to {small}, where [the benches are hard|the doors stay "
            f"open], and let {second.last} [do the rest|surprise you].",
        ),
        aside(
            f"When it rains, [everything moves into {big}|we carry on in {small}], and if it pours, {head.last} "
            f"[will hand out umbrellas|has been known to sing].",
            f"Lost children and lost gloves are [kept at the door of {big}|looked after beside {small}], where "
            f"{head.last}'s [aunt|cousin|team] has [biscuits|a stove and a kettle].",
        ),
        aside(
            f"Those who camp in {camp} may [cook over the common fire|swim before breakfast|hear the last encores "
            f"from bed], and the farmer [asks only for quiet at dawn|sells milk at the gate to {town} guests].",
            f"The night walk from {town} to {camp} is [lit with lanterns|led by a drummer|not to be missed], and "
            f"{guest_town}'s [pipers|bakers] [wait at the far end|walk ahead].",
        ),
        aside(
            f"{guest_town}, our guest this year, sends [a choir of postmen|its oldest dancer|a cart full of masks] "
            f"and [a song in a dialect that few still speak|a sauce nobody can name], so [come and be curious|do "
            f"make {guest_town} welcome].",
            f"Friendship with {guest_town} [goes back to a storm|was sealed with a barrel of cider|began by a wrong "
            f"turning], and {head.last} is [proud of it|the reason it lasts].",
        ),
    )
    remarks = (
        aside(
            f"The posters were cut in lino by [a class from {camp}|the night nurse of {town}|three retired sailors], "
            f"and [each is a little different|the left-over ones are sold at {big}].",
            f"Our thanks go to [the fire brigade|the bakers|the widow of our first director] of {town}, who [lent "
            f"the ladders|carry the piano up to {small} every year].",
        ),
        aside(
            f"On the first night the lamps in {town} are put out, and [a single voice begins from the tower|the "
            f"children walk in with glow-worms in jars|nobody speaks until {star.last} does].",
            f"On the last evening there is [a bonfire|a long table] behind {big}, where {second.last} [is sure to be "
            f"asked for one more|has promised to cook].",
        ),
        aside(
            f"{head.last} has looked for [old friends and new faces|acts that need no microphone|what cannot be had "
            f"on a screen], from {guest_town} to the far end of the map.",
            f"If you have time for one thing only, [let it be a late evening in {small}|follow the sound], says "
            f"{head.last}, and [come back to {town} next year for the rest|trust your ears].",
        ),
    )
    return Plan(opening=opening, body=(acts + asides[:3] + remarks, practical + asides[3:]), between=w.one(" ", "\n\n"))
