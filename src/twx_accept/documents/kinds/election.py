"""The report of an election in a town or of a guild."""

from twx_accept.documents.wording import both
from twx_accept.documents.writing import Plan, Writer, aside, told

OFFICES = ("mayor", "master of the guild", "harbour commissioner", "head of the school board", "forest steward")
JOBS = ("pharmacist", "roofer", "notary", "bus driver", "dentist", "innkeeper", "teacher", "cheesemonger", "archivist")
PROMISES = (
    "a new ferry",
    "free school meals",
    "a lower dog tax",
    "street lamps",
    "a swimming bath",
    "a longer market",
    "cheaper water",
    "a town orchestra",
)
CAUSES = (
    "a missing ballot box",
    "a tie in one ward",
    "misprinted papers",
    "a burst pipe in the hall",
    "two torn seals",
)


def election_report(w: Writer) -> Plan:
    """Winner, votes, turnout, wards, spending, promises, a recount and its cause, and the term."""
    town, ward, other_ward = w.place(), w.place(), w.place()
    winner, loser, third = w.person(), w.person("the runner-up"), w.person()
    clerk, before = w.person("the town clerk"), w.person()
    job, other_job = w.some(2, *JOBS)
    office = w.one(*OFFICES)
    day = w.day(1933, 2023)
    votes_won = w.n(2300, 9800)
    votes_lost = votes_won - w.n(61, 1400)
    votes_third = w.n(210, 1100)
    turnout, earlier = w.two(41, 88)
    less, more = w.two(23, 410)
    promises, cause = w.some(3, *PROMISES), w.one(*CAUSES)
    age, stations, years = w.n(31, 67), w.n(13, 44), w.count(3, 8)
    closed, known = w.clock(18, 20, 15), w.clock(21, 23)
    share, women = w.percent(51, 79), w.percent(22, 62)
    invalid, sworn = w.n(31, 290), day.plus(w.n(9, 40))
    attempt, held = w.one("second", "third", "fourth"), w.count(3, 12)
    opening = told(
        f"{winner.name} was elected {office} of {town} on {day}.",
        f"{winner.name} was elected {office} of {town} on {day.said}.",
        f"On {day.said} {town} elected {winner.name} as its {office}.",
        f"{town} has chosen: {winner.name} was elected {office} on {day.said}.",
        f"The new {office} of {town} is {winner.name}, who was elected on {day.said}.",
    )
    votes = (
        told(
            (
                f"{winner.name} received {votes_won:,} votes.",
                f"{loser.name} received {votes_lost:,} votes.",
                f"{winner.name} won by {votes_won - votes_lost:,} votes.",
            ),
            f"{winner.last} received {votes_won:,} votes and {loser.name} {votes_lost:,}, a lead of "
            f"{votes_won - votes_lost:,}.",
            f"With {votes_won:,} votes {winner.last} won by {votes_won - votes_lost:,} from {loser.name}, who "
            f"received {votes_lost:,}.",
            f"{loser.name} received {votes_lost:,} votes, {votes_won - votes_lost:,} fewer than the {votes_won:,} of "
            f"the winner.",
        ),
        told(
            f"{third.name} came third with {votes_third:,} votes.",
            f"Third came {third.name}, with {votes_third:,} votes.",
            f"{votes_third:,} votes made {third.name} third.",
            f"{third.name} came third; {votes_third:,} votes [were not enough|was the final count].",
        ),
        told(
            f"The turnout in {town} was {earlier}%, up from {turnout}% at the election before.",
            f"Turnout, {turnout}% the time before, was {earlier}% [in {town}|across {town}].",
            f"The turnout was {earlier}%, [{clerk.last} announced|a good figure for {town}], up from {turnout}% at "
            f"the last election.",
            f"It rose from {turnout}% to {earlier}%, the turnout in {town}.",
        ),
        told(
            (f"{winner.name} led by {more} votes in {ward}.", f"{loser.name} led by {less} votes in {other_ward}."),
            f"In {ward} {winner.last} led by {more} votes; in {other_ward} it was {loser.name} who led, by {less}.",
            f"The ward of {ward} gave {winner.last} a lead of {more} votes, {other_ward} gave {loser.name} one of "
            f"{less}.",
            f"{loser.name} led by {less} votes in {other_ward}, {winner.last} by {more} in {ward}.",
        ),
        told(
            f"{invalid} votes in {town} were invalid.",
            f"{invalid} votes were invalid, [most of them from {ward}|{clerk.last} found].",
            f"{clerk.last} declared {invalid} votes invalid.",
            f"Not counted, being invalid, were {invalid} votes.",
        ),
        told(
            f"The votes in {town} were counted twice because of {cause}.",
            f"Because of {cause} the votes were counted twice.",
            f"{cause} made {clerk.last} have the votes counted twice.",
            f"The votes had to be counted twice; {cause} [in {ward}|at {other_ward}] was to blame.",
        ),
        told(
            (f"{town} had {stations} polling stations.", f"The polling stations in {town} closed at {closed}."),
            f"The {stations} polling stations [in {town}|of {town}] closed at {closed}.",
            f"At {closed} all {stations} polling stations closed.",
            f"There were {stations} polling stations, [from {ward} to {other_ward}|and queues at most]; they closed "
            f"at {closed}.",
        ),
        told(
            f"The result in {town} was known at {known}.",
            f"It was {known} when the result was known.",
            f"The result was known at {known}, [and {loser.last} conceded at once|to cheers in {ward}].",
            f"By {known} the result was known in {town}.",
        ),
        told(
            f"{clerk.name} supervised the election in {town}.",
            f"{clerk.name} supervised the election.",
            f"The election was supervised by {clerk.name}, [town clerk|who knows every voter in {ward}].",
        ),
    )
    people = (
        told(
            f"{winner.name} is {age} years old and works as a(n) {job}.",
            f"{winner.last}, {age}, works as a(n) {job}.",
            f"At {age}, {winner.last} still works as a(n) {job} [in {ward}|and means to go on].",
            f"The winner is {age} and works as a(n) {job}.",
        ),
        told(
            f"{loser.name} is a(n) {other_job} from {other_ward}.",
            f"{loser.name}, a(n) {other_job} from {other_ward}, [wished {winner.last} luck|went home early].",
            f"{other_ward} is the home of {loser.name}, a(n) {other_job}.",
        ),
        told(
            f"{winner.name} promised {both(promises)}.",
            f"{winner.last} had promised {w.both(promises)}.",
            f"{w.both(promises)}: that is what {winner.last} promised.",
            f"Among the promises that {winner.last} made were {w.both(promises)}.",
        ),
        told(
            (
                f"{winner.name} spent {more * 100:,} crowns on posters.",
                f"{loser.name} spent {less * 100:,} crowns on posters.",
            ),
            f"On posters {winner.last} spent {more * 100:,} crowns, more than {loser.name}, who spent {less * 100:,}.",
            f"{loser.name} spent {less * 100:,} crowns on posters and {winner.last} {more * 100:,}.",
        ),
        told(
            f"{before.name} did not stand for election again.",
            f"{before.name}, {office} until now, did not stand again.",
            f"{before.name}, who held the office before, did not stand for election again.",
            f"{before.name} did not stand again, [on doctor's orders|having had enough of {town}].",
        ),
        told(
            f"{before.name} had been {office} of {town} for {held} years.",
            f"For {held.said} years the {office} had been {before.name}.",
            f"{before.name} had been {office} for {held.said} years.",
        ),
        told(
            f"It was the {attempt} attempt of {winner.name} to become {office}.",
            f"For {winner.last} it was the {attempt} attempt.",
            f"{winner.last} succeeded at the {attempt} attempt, [to {third.last}'s surprise|as {winner.their} mother "
            f"had foretold].",
        ),
        told(
            f"{share} of the voters under 30 chose {winner.name}.",
            f"{share.said} of voters under 30 chose {winner.last}.",
            f"Among voters under 30 {winner.last} was the choice of {share.said}.",
        ),
        told(
            f"Women make up {women} of the new council of {town}.",
            f"Of the new council {women.said} are women.",
            f"Women make up {women.said} of the council with which {winner.last} must work.",
        ),
    )
    end = (
        told(
            f"{winner.name} takes office on {sworn} for {years} years.",
            f"{winner.last} takes office on {sworn.said}, for {years.said} years.",
            f"The term of {years.said} years begins on {sworn.said}, when {winner.last} takes office.",
            f"On {sworn.said} {winner.last} takes office, and will hold it for {years.said} years.",
        ),
    )
    asides = (
        aside(
            f"The campaign was [short and sharp|long and rather dull|fought on doorsteps and in bakeries], and in "
            f"{ward} [hardly a window was without a poster|the dogs learned to fear leaflets|people crossed the "
            f"road].",
            f"For weeks {town} had [talked of nothing else|pretended not to care], while {winner.last} [knocked on "
            f"every door in {ward}|cycled from barn to barn] and {loser.last} [spoke from a hay cart|held court in "
            f"the station cafe].",
        ),
        aside(
            f"{loser.last} [took it with good grace|blamed the weather|thanked a small band of helpers], and [will "
            f"sit on the council|means to go back to gardening|may try again], to judge by [what was said in "
            f"{other_ward}|the mood in {other_ward}].",
            f"In {other_ward}, where {loser.last} [went to school|runs the choir|is somebody's cousin in every "
            f"house], the [mood was sour|lamps went out early].",
        ),
        aside(
            f"{winner.last} [wept a little|danced on a table|shook hands until the last had gone], and the band of "
            f"{ward} [played the two tunes it knows|was too hoarse to play].",
            f'"{town} has been patient," {winner.last} [said from the steps|told the crowd|remarked to a reporter], '
            f'"and [patience should be paid|now we start|so, I hope, shall I be]."',
        ),
        aside(
            f"Observers from {ward} [watched every box|brought their own chairs|found nothing amiss], and "
            f"{clerk.last} [read out the figures in a flat voice|wore white gloves].",
            f"{clerk.last} had [new pencils sharpened|the hall in {town} swept|every list read twice], and the day "
            f"[passed without a cross word|went off quietly, but for a goat in {other_ward}].",
        ),
        aside(
            f"{third.last}, [a late entrant|the oldest of the three|who spent next to nothing], [drew laughs and few "
            f"votes|spoke best of all|seemed glad that it was over], and may [yet be asked to join the board|write a "
            f"book about {town}].",
            f"Many thought that {third.last} had [the better ideas|taken votes from {loser.last}], but ideas, as "
            f"they say in {ward}, [do not put up posters|butter no bread].",
        ),
        aside(
            f"Under {before.last} {town} had [kept its purse shut|built much and finished little|slept soundly], and "
            f"[the change will be felt in {ward} first|few expect miracles].",
            f"What {winner.last} finds is [a leaking town hall|an empty chest and a full diary|a council split down "
            f"the middle], and {before.last} [has left a note on the desk|offers to help].",
        ),
    )
    remarks = (
        aside(
            f"The posters of {winner.last} showed [a broom|an open door|no face at all], those of {loser.last} [a "
            f"lion|the harbour at dawn], and children in {ward} [drew moustaches on both|collected them].",
            f"A debate in the school hall of {other_ward} [ended in song|was stopped by a power cut], after "
            f"{third.last} had asked [what a loaf costs|who mends the pump], which neither {winner.last} nor "
            f"{loser.last} could say.",
        ),
        aside(
            f"Shops in {town} [closed early for the count|sold out of candles and beer], and the tram to {ward} [ran "
            f"empty|was full of people in their best hats].",
            f"Strangers might have thought that {town} was [at war|holding a fair], such was the [noise|bunting] "
            f"between {ward} and {other_ward}.",
        ),
        aside(
            f"{loser.last} had the [newspapers|shopkeepers] behind {loser.them}, {winner.last} the [nurses|bargees], "
            f"and {town} has learned [which of the two count for more|that neither can be bought with cake].",
            f"Friends of {winner.last} speak of [a good listener|a stubborn streak], opponents in {other_ward} of [a "
            f"talent for being photographed|promises made with a light heart].",
        ),
    )
    return Plan(
        opening=opening,
        body=(votes + asides[:1] + asides[2:4], people + remarks + asides[1:2] + asides[4:5], end + asides[5:]),
    )
