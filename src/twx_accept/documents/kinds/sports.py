"""The report of a match."""

from twx_accept.documents.writing import Plan, Writer, aside, told

SPORTS = (
    ("water polo", "goals", "the pool"),
    ("handball", "goals", "the hall"),
    ("hurling", "points", "the field"),
    ("bandy", "goals", "the ice"),
    ("korfball", "baskets", "the hall"),
    ("ice hockey", "goals", "the rink"),
    ("lacrosse", "goals", "the lawn"),
)
SIDES = ("Rovers", "Otters", "Falcons", "Wanderers", "Harriers", "Comets", "Badgers", "Swifts", "Miners", "Lanterns")
INJURIES = ("a torn calf", "a sore shoulder", "a cut eyebrow", "a strained back", "a bruised hip")
DELAYS = ("a power cut", "a late bus", "a broken goal frame", "a hailstorm", "a lost whistle")


def sports_report(w: Writer) -> Plan:
    """Result, scorers, half-time, crowd, saves, cards, an injury, the table, a record, and the next match."""
    home_town, away_town, next_town = w.place(), w.place(), w.place()
    star, other, keeper = w.person(), w.person(), w.person("goalkeeper")
    coach, referee, hurt = w.person("coach"), w.person("the referee"), w.person()
    sport, goals, ground = w.one(*SPORTS)
    home_side, away_side, next_side = w.some(3, *SIDES)
    home, away, third = f"{home_town} {home_side}", f"{away_town} {away_side}", f"{next_town} {next_side}"
    day = w.day(1972, 2022)
    lost, won = w.two(8, 17)
    half_lost, half_won = lost // 2, won // 2 + 1
    fewer, more = w.two(3, 7)
    crowd, saves, minutes = w.n(640, 9800), w.n(8, 21), w.n(12, 29)
    streak, place, rank = w.count(4, 12), w.one("second", "third", "fourth", "fifth"), w.n(6, 9)
    price, share = w.n(4, 29), w.percent(38, 66)
    injury, delay, wait = w.one(*INJURIES), w.one(*DELAYS), w.n(7, 48)
    after = day.plus(w.n(6, 15))
    since, age, caps = day.year - w.n(4, 30), w.n(17, 35), w.n(21, 240)
    cards = w.count(2, 6)
    opening = told(
        f"{home} beat {away} {won}-{lost} on {day}.",
        f"{home} beat {away} {won}-{lost} at {sport} on {day.said}.",
        f"What an evening of {sport} in {home_town}! {home} beat {away} {won}-{lost} on {day.said}.",
        f"On {day.said} {home} [were the better side and beat|fought hard and beat] {away} {won}-{lost}.",
        f"{away} were beaten {won}-{lost} by {home} on {day.said}, [a good day for {sport}|and few could complain].",
    )
    play = (
        told(
            f"{home} led {away} {half_won}-{half_lost} at half-time.",
            f"At half-time {home_town} led {half_won}-{half_lost}.",
            f"It was {half_won}-{half_lost} to {home_town} at half-time.",
            f"The {home_side} went into half-time with a lead of {half_won}-{half_lost}.",
        ),
        told(
            (f"{star.name} scored {more} {goals} for {home}.", f"{other.name} scored {fewer} {goals} for {away}."),
            f"{star.name} scored {more} {goals} for {home_town}; for {away_town} {other.name} scored {fewer}.",
            f"With {more} {goals} {star.name} of {home_town} outshone {other.name}, who got {fewer} for {away_town}.",
            f"{more} of the {home_town} {goals} came from {star.name}, {fewer} of the {away_town} ones from "
            f"{other.name}.",
        ),
        told(
            f"{keeper.name} made {saves} saves for {home}.",
            f"{keeper.name}, in the {home_town} goal, made {saves} saves.",
            f"{saves} saves by {keeper.name} [kept {home_town} ahead|were worth as much to the {home_side}].",
            f"Behind it all stood {keeper.name} with {saves} saves for {home_town}.",
        ),
        told(
            f"{away} did not score in the last {minutes} minutes.",
            f"In the last {minutes} minutes {away_town} did not score.",
            f"{away_town} did not score [once|again] in the last {minutes} minutes.",
            f"For the last {minutes} minutes the {away_side} [sought|looked for] a score and did not find one.",
        ),
        told(
            f"{hurt.name} of {away} left {ground} with {injury}.",
            f"{hurt.name} had to leave {ground} with {injury}, [a blow to {away_town}|to warm applause from "
            f"{home_town}].",
            f"With {injury}, {away_town}'s {hurt.name} left {ground}.",
            f"The {away_side} lost {hurt.name}, who left {ground} with {injury}.",
        ),
        told(
            f"{referee.name} was the referee and showed {cards} yellow cards.",
            f"The referee, {referee.name}, showed {cards.said} yellow cards.",
            f"{cards.said} yellow cards were shown by the referee, {referee.name}.",
            f"{referee.name} refereed, and showed the yellow card {cards.said} times.",
        ),
        told(
            f"The match between {home} and {away} began {wait} minutes late because of {delay}.",
            f"Because of {delay} the teams had begun {wait} minutes late.",
            f"{delay} had made the start {wait} minutes late.",
            f"The start came {wait} minutes late; {delay}, [{coach.last} sighed|we were told], was the cause.",
        ),
        told(
            f"{home} had the ball for {share} of the time.",
            f"{home_town} had the ball for {share.said} of the time.",
            f"For {share.said} of the time it was {home_town} that had the ball.",
            f"The ball belonged to the {home_side} for {share.said} of the time.",
        ),
    )
    around = (
        told(
            f"{crowd:,} spectators saw {home} play {away}.",
            f"{crowd:,} spectators [filled|came to] {ground} in {home_town}.",
            f"There were {crowd:,} spectators, [most from {home_town}|a busload from {away_town} among them].",
            f"The crowd in {home_town} numbered {crowd:,}.",
        ),
        told(
            f"The cheapest ticket in {home_town} cost {price} crowns.",
            f"The cheapest ticket for {ground} cost {price} crowns in {home_town}.",
            f"In {home_town} {price} crowns bought the cheapest ticket.",
        ),
        told(
            f"{star.name} is {age} years old.",
            f"{star.last} is {age} [years old|and looks younger|and, {coach.last} says, still learning].",
            f"{star.last}, who is {age}, [shrugged off the praise|thanked the crowd in {home_town}].",
        ),
        told(
            f"{keeper.name} has played {caps} matches for {home}.",
            f"For {keeper.last} it was nothing new, after {caps} matches for {home_town}.",
            f"{keeper.last} has now played {caps} matches for the {home_side}.",
        ),
        told(
            f"{home} have not lost for {streak} matches.",
            f"{home_town} have not lost for {streak.said} matches now.",
            f"It is {streak.said} matches since the {home_side} last lost.",
        ),
        told(
            (f"{home} are now {place} in the table.", f"{away} are now {rank}th in the table."),
            f"In the table {home_town} are now {place} and {away_town} {rank}th.",
            f"That puts {home_town} {place} in the table and leaves {away_town} {rank}th.",
            f"The {home_side} climb to {place} in the table; the {away_side} [stay|are] {rank}th.",
        ),
        told(
            f"{coach.name} has coached {home} since {since}.",
            f"{coach.name}, who has coached {home_town} since {since}, [smiled at last|praised {keeper.last}].",
            f"Since {since} {home_town} have been coached by {coach.name}.",
        ),
    )
    end = (
        told(
            f"{home} play {third} on {after}.",
            f"On {after.said} {home_town} play {third}.",
            f"Next for the {home_side} are {third}, whom they play on {after.said}.",
            f"{third} are next for {home_town}, on {after.said}.",
        ),
    )
    asides = (
        aside(
            f"It was [no match for weak nerves|a match of two speeds|rough and honest sport], with {away_town} "
            f"[pressing early|slow to wake], and the {home_side} [growing with every minute|living off their "
            f"counters].",
            f"The {away_side} [began as if the bus were waiting|came with a plan and lost it|looked tired from the "
            f"journey], and {home_town} [needed no second invitation|took their time to notice].",
        ),
        aside(
            f"The noise in {home_town} [would have drowned a foundry|never let up|was such that the whistle went "
            f"unheard], and {keeper.last} [waved to all sides|asked for more|covered both ears].",
            f"A brass band from {away_town} [played throughout|had been let in free|fell silent at the end], while "
            f"the drums of {home_town} [did the rest|went on into the night].",
        ),
        aside(
            f"{coach.last} [changed the whole front line|asked for calm|moved {star.last} to the left] at the break, "
            f"and it [paid off|made all the difference|puzzled {away_town}].",
            f"On the bench {coach.last} [chewed a pencil to splinters|hardly stirred|made notes in green ink], and "
            f"the {home_side} [seemed to read {coach.their} mind|played as they were told].",
        ),
        aside(
            f"{star.last} [was everywhere|kept the best for last|needed no more than a glimpse], and {away_town} "
            f"[found no answer|sent two players to stop {star.them} in vain].",
            f"Of {star.last} one will [hear more|talk in {home_town} for years], [so light was the step|so cool the "
            f"finish] in front of the {away_side}.",
        ),
        aside(
            f"There was [grumbling|laughter] when {referee.last} [lost count of the throws|stopped play for a stray "
            f"dog|dropped the cards], but [no malice|the game in {home_town} stayed fair].",
            f"{away_town} [appealed for a penalty|thought themselves robbed|asked in vain for another look], and "
            f"{referee.last} [would hear none of it|waved them away].",
        ),
        aside(
            f"The {away_side} [shook every hand|left without a word|swapped shirts] and [set off for "
            f"{away_town}|stood for a while before the travelling supporters].",
            f"In the tea room afterwards [the two captains shared a cake|nobody from {away_town} would talk], and "
            f"{coach.last} [hummed|slept in a chair|spoke about the weather].",
        ),
    )
    remarks = (
        aside(
            f"Old members of the club in {home_town} [wept openly|had seen nothing like it since the war|counted on "
            f"their fingers], and a dog in {home_side} colours [ran about the stand|barked at every whistle].",
            f"The pies in {home_town} [ran out at the interval|are still the best in the league], a comfort to those "
            f"who had come from {away_town} [in the rain|on foot].",
        ),
        aside(
            f"{keeper.last} [never looked hurried|talks to the posts before each match|wears the same cap as in the "
            f"first season], and {home_town} [would not sell that calm for gold|have built their game on it].",
            f"In {other.last} {away_town} have [a player for the big days|somebody to build on], even if [the pass "
            f"was often late|nobody else kept up].",
        ),
        aside(
            f"One will ask whether {away_town} [were brave or merely late|had trained at all], but {coach.last} "
            f"[spoke kindly of them|sent a crate of lemonade to their bus].",
            f"For an hour {away_town} [believed in it|held on by their nails], and the wind of chance [blew now this "
            f"way, now that|was never theirs], until {home_town} [shut the door|found a gap].",
        ),
    )
    return Plan(opening=opening, body=(play + asides[:3], around + asides[3:4] + remarks, end + asides[4:]))
