"""Sequences of words that English reads as one word, each with the word (or grammatical mark) that stands for it."""

from twx_accept.claims.made_up_facts.matching.lexicon.verbs import BASES

# "lemma lemma ... = meaning"; a verb of the left side is found in any of its forms.
_LINES = """
send off = dismiss; have yet to = not; for good = permanently; carry out again = repeat; do again = repeat
find buyer = sell; find a buyer = sell
take place = occur; take part = participate; take over from = succeed; take over = assume; take on = hire
take off = depart
take up = begin; take out = remove; take down = demolish; carry out = perform; carry away = destroy
pull down = demolish; tear down = demolish; knock down = demolish
blow up = destroy; break down = fail; break out = begin; bring about = cause; bring in = introduce
bring forward = advance; bring down = reduce
call off = cancel; come back = return; come to an end = end; come into force = force_; come into effect = force_
take effect = force_; enter into force = force_; be in force = force_; in force = force_; put in = insert
come with = include; be supply with = include; be equip with = have; come down = fall
come home = return; come from = originate; come out = appear; come through = survive; come up with = devise
come into the world = bear; see the light of day = bear; come first = win
cut down = fell; cut off = block; cut back = reduce; draw up = prepare; drop out = withdraw; fall ill = sicken
be take ill = sicken; take ill = sicken; become ill = sicken; get ill = sicken; fall apart = collapse
find out = discover; get past = beat; get rid of = remove; get back = regain; give up = abandon; give away = donate
give off = emit; give birth to = bear
go up = rise; go down = fall; go back = return; go on = continue; go out = leave; go ashore = disembark
go off = explode; go bankrupt = bankrupt; go under = bankrupt
hand over = deliver; hand out = distribute; hand in = submit; hold up = delay; keep on = continue; kick off = begin
lay off = dismiss; lay down = stipulate; lay out = arrange
lead to = cause; leave out = omit; let in = admit; look after = tend; look for = seek; look into = investigate
look like = resemble; lose one's life = die; lose his life = die
lose her life = die; lose their life = die; lose its life = die; make up = constitute; make use of = use
make out of = compose; make from = compose; make of = compose; pass away = die; pay for = fund; pay back = repay
pick up = collect
put down = suppress; put off = postpone; put out = extinguish; put up = erect; put forward = propose
put into operation = commission; put into service = commission; result in = cause; result from = derive
rule out = exclude
run out = expire; set out = depart; set off = depart; set sail = depart; set up = establish; set foot = arrive
set fire to = ignite; sell off = sell; send out = dispatch; send back = return; shut down = close
shut its door = close; shut their door = close; open its door = open; open their door = open; close down = close
speed up = accelerate; slow down = decelerate; split up = divide; stand for = represent; stand down = resign
step down = resign; start up = begin; start out = begin
switch on = activate; switch off = deactivate; turn on = activate; turn off = deactivate; turn back = return
turn down = reject; turn out = prove; turn into = become; turn to = become; throw away = discard; throw out = reject
use up = consume; wash away = destroy; wash out = destroy
wear out = wear; wipe out = destroy; work out = calculate; write off = scrap; write down = record
write out = record; burn down = burn; blow down = fell; back up = support; be bear = bear
do away with = abolish; phase out = abolish; get into = enter; get on = board; get off = alight; win over = persuade
bow out = withdraw; drop off = deliver; end up = end; grow up = grow; add up to = total
bring to an end = end; put an end to = end; put a stop to = stop; get worse = worsen; get better = improve
become worse = worsen; do worse = underperform; do better = outperform; fare worse = underperform
fare better = outperform
take care of = tend; take charge of = lead; take command of = lead; in charge of = leading
responsible for = leading; at the head of = leading; at the helm of = leading; the work of = made_by
at the hand of = by
in favour of = for; in favor of = for; vote for = support; vote in favour of = support; vote against = reject
vote down = reject; be against = oppose; be in favour of = support
because of = because_of; due to = because_of; owing to = because_of; on account of = because_of
thanks to = because_of; as a result of = because_of; as a consequence of = because_of
in consequence of = because_of; by reason of = because_of; in view of = because_of
as a result = therefore; as a consequence = therefore; for this reason = therefore; for that reason = therefore
the reason for = because_of; the reason why = because; the cause of = because_of; so that = so_that
in order to = so_that; in order that = so_that; so as to = so_that
instead of = instead_of; rather than = instead_of; in place of = instead_of; as oppose to = instead_of
and not = instead_of; but not = instead_of; in lieu of = instead_of; as against = against
as well as = and; along with = and; together with = and; in addition to = and; no longer = no_longer
not any longer = no_longer; not any more = no_longer; any longer = no_longer; no one = nobody; by no means = not
not at all = not; in no way = not; far from = not; nothing like = not
apart from = except; except for = except; with the exception of = except; other than = except; aside from = except
all but = all except; ahead of = ahead_of; out of = out_of; next to = beside; close to = near; in front of = before
according to = according_to; such as = such_as
so far = yet; as yet = yet; for the first time = initially; at present = currently; at the moment = currently
at the same time = simultaneously; all the same = nevertheless
each year = annually; every year = annually; a year = annually; per year = annually; per annum = annually
each day = daily; every day = daily; a day = daily; per day = daily; each week = weekly; every week = weekly
a week = weekly; per week = weekly; each month = monthly; every month = monthly; a month = monthly
per month = monthly; an hour = hourly; per hour = hourly; each hour = hourly; every hour = hourly
a second = secondly_; per second = secondly_; each second = secondly_; every second = secondly_
a minute = minutely_; per minute = minutely_; each minute = minutely_
old people = elder; a number of = several; a lot of = many; lots of = many; plenty of = many; a few = few_
a little = slightly; a bit = slightly; a great deal of = much; a couple of = two
not guilty = innocent; find guilty = convict; find innocent = acquit; set free = release; go to prison = imprison
put to death = execute; pull out = withdraw; take to court = sue; sentence to death = condemn
be able to = can
be unable to = can not; have to = must; need to = must; ought to = should; be due to = will; be to = will
be suppose to = should; be allow to = can; capable of = can; free of charge = free; at no charge = free
not far from = near
by default = default; on foot = foot_; by hand = manually; in writing = written; by coach = coach_; in total = total
on average = average
make sure = ensure; keep a record of = record; have a look at = examine; have lunch = eat; catch fire = ignite
make room for = accommodate; make a decision = decide; make a profit = profit; take a look at = examine
take advantage of = exploit; come to = reach; come under = undergo; come in = finish
half as = half as; in common use = common; in use = active; in operation = active; out of service = inactive
out of use = inactive; out of order = broken; out of action = inactive; off the coast = offshore
under construction = building; for sale = available; on show = exhibited; on display = exhibited; on loan = lent
at sea = sea
more than half = most; the majority of = most; a majority of = most; the bulk of = most; the rest = remainder
the remain = remainder; fish for = fish; run by = manage by; be locate = be; be situate = be
""".strip()


def _table() -> dict[tuple[str, ...], str]:
    pairs = (line.split(" = ") for chunk in _LINES.splitlines() for line in chunk.split("; "))
    return {tuple(left.split()): right.strip() for left, right in pairs}


PHRASES = _table()
_MEANINGS = {meaning for key, meaning in PHRASES.items() if key[0] in BASES and meaning.replace("_", "").isalpha()}
STAND_INS = frozenset(_MEANINGS) - {
    "because", "therefore", "near", "finally", "initially", "currently", "yet", "except", "not", "must", "can",
    "will", "should", "before", "beside", "as", "free", "by", "because_of", "no_longer", "so_that", "head_of",
    "made_by", "instead_of", "made", "out_of"
}  # fmt: skip
LONGEST = max(len(key) for key in PHRASES)
FIRST_WORDS = frozenset(key[0] for key in PHRASES)
