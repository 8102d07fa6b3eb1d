"""Groups of verbs (with the nouns made of them) that everyday prose uses for one another; one group a line."""

ACTIONS = """
build construct erect make assemble building construction
found establish create institute start launch set_up foundation establishment creation inauguration
buy purchase acquire obtain procure acquisition
sell vend sale
begin start commence open launch initiate beginning onset inception
end finish conclude stop cease terminate conclusion termination
finish complete completion
end close
assume succeed take
close shut closure
open inaugurate unveil opening inauguration
reopen re-open
stop halt cease discontinue
abolish scrap eliminate discontinue axe remove abolition end
cancel scrap abandon drop cancellation
suspend pause halt suspension
postpone delay defer postponement
delay hold_up late
repeal revoke annul rescind overturn quash reverse
discard scrap dump dispose reject bin
demolish raze destroy dismantle demolition destruction
destroy wreck ruin devastate destruction lose
damage harm hurt impair damage
repair mend fix restore repair
restore renovate refurbish overhaul restoration renovation refurbishment
replace substitute supersede supplant replacement
succeed replace follow succession
change alter modify vary amend alteration modification adjustment
convert transform turn become conversion
improve enhance better upgrade boost improvement recover
worsen deteriorate decline worse deterioration
increase rise grow climb raise expand go_up soar surge growth up higher gain jump
raise lift increase boost
fall drop decline decrease sink dip decrease drop lower down shrink plunge diminish reduction
reduce cut lower lessen decrease shorten diminish curtail trim slash reduction shrink
cut reduce commute
double twice
halve half
extend lengthen prolong extension expand
enlarge expand widen extend extension expansion
shorten cut
peak top culminate maximum highest
exceed surpass outstrip outdo beat
win gain earn secure clinch victory
win beat defeat
beat defeat overcome outplay conquer vanquish win defeat
lose forfeit loss
draw tie
give donate present grant hand award bestow confer gift donation
give provide supply furnish deliver
donate contribute give donation contribution
lend loan
receive get obtain gain receipt
accept take
get obtain earn receive win score poll secure
take receive
pay spend cost payment
cost price charge
charge levy bill impose
fund finance pay sponsor bankroll funding finance back contribute help subsidise
employ hire engage recruit use employment staff have
employ use utilise
dismiss fire sack dismissal
appoint name make nominate elect appointment
elect choose vote election
choose select pick decide elect opt selection choice
resign quit leave resignation
retire leave retirement
leave depart exit departure go sail
leave bequeath
depart leave start
arrive reach come land arrival
return come_back
go travel journey move
move transfer relocate shift relocation
travel journey ride trip
sail voyage
sail depart leave
visit tour call
enter join
join enter enrol
attend participate join visit
participate compete enter join attendance involve
send dispatch ship transmit forward
send direct address
carry transport convey bear bring haul transportation shipment
carry contain have
bring carry
lead head direct run manage chair command
lead guide
manage run administer direct operate management
run operate
oversee supervise direct monitor supervision
govern rule reign
conduct lead direct
conduct perform do
captain command
write compose author pen draft
write record note
compose write composition
publish issue release print publication
release issue publish launch release
announce declare proclaim report announcement
say state tell report note mention remark declare claim explain add
say believe think hold
state stipulate specify
inform tell notify
report describe note record document
record document log register list
describe depict portray description
show display exhibit reveal demonstrate indicate
show prove
prove demonstrate show proof
prove turn_out be
suggest propose recommend suggestion proposal recommendation
propose plan
recommend advise
ask request want seek demand
request ask apply
demand require
require need demand call
want wish desire hope
hope wish expect intend want aim
plan intend aim propose schedule
plan expect due project
expect anticipate forecast predict foresee await
predict forecast project estimate
estimate reckon assess calculate put value appraise
think believe consider regard suppose view
believe thought
know recognise
decide determine resolve decision
determine establish ascertain find
find discover detect locate uncover spot unearth discovery
find hold rule conclude judge
find encounter
discover identify
search look
seek look_for search
find recover
examine inspect study check investigate analyse review test assess scan examination inspection
investigate probe study research explore investigation
study research analyse investigate analysis
study learn
teach instruct educate
teach lecture
learn discover
measure gauge record
test try trial
count number tally
catalogue list record index
number count total comprise
weigh weight
approve pass accept endorse ratify authorise sanction approval
approve support
ratify confirm ratification
allow permit let enable authorise may permission permissible
forbid ban prohibit bar outlaw disallow prohibition
refuse reject decline deny turn_down refusal rejection
reject dismiss refuse throw_out rejection
dismiss reject
deny dispute contest
agree consent accept agreement consent
disagree dissent
support back endorse favour advocate support endorsement
oppose resist contest object opposition
object complain protest objection
complain grumble complaint
complain gripe
protest demonstrate
help assist aid support
prevent stop avoid avert preclude
avoid bypass evade skirt circumvent
protect guard shield safeguard preserve protection
guard watch
save rescue
keep retain maintain hold preserve store
keep house hold
store keep
stay remain
stay live lodge
live reside dwell inhabit
live survive last
last continue take endure run go duration span
continue persist carry_on
survive outlive survival
die perish death fatality killed
kill die slay
kill murder
starve die hunger
born birth
marry wed marriage wife husband
divorce separate
raise rear bring_up
harvest reap gather collect pick
collect gather assemble pick collection
grow cultivate farm raise
plant sow grow planting
fell cut topple
feed eat nourish
eat consume
drink consume
consume use
produce make manufacture yield generate output production
produce yield give
produce cause
yield produce
generate produce
manufacture make
create make produce
make build
make force
design devise develop invent plan
invent devise invention inventor
develop create devise development
cause trigger bring_about lead produce prompt provoke induce bring reason
cause result
contribute cause
result consequence
affect influence hit impact
affect infect
influence affect
strike hit
strike walkout
hit strike collide
collide crash collision
crash collide wreck
sink founder
explode detonate explosion
burn fire
ignite burn light
break fracture
break shatter smash
break damage
fail break breakdown failure
fail collapse
collapse fail fall
overheat hot
injure hurt wound injury
sprain injure twist
sicken ill sick
suffer have experience
suffer sustain
experience undergo
undergo have
treat cure heal treatment
heal cure recover
relieve ease alleviate reduce relief
respond answer reply react response
respond answer
answer reply
react respond
replace take_over
change switch
swap exchange trade
exchange swap
trade deal
use apply employ utilise usage
use consume
apply use
install fit place put installation
fit mount equip
attach fix fasten join connect
join connect link
connect link join
separate divide split
divide split
divide share
share split
combine merge unite amalgamate
merge combine merger
mix blend combine
include contain comprise cover
contain hold include
comprise consist include contain compose constitute
consist comprise
constitute make_up account represent comprise form
account represent
belong own part
own possess hold belong have
own have
hold have possess
have possess own
have with
cover span include
cover extend
span cross
cross traverse
pass cross
surround enclose
occur happen place
happen occur
hold occur
hold organise run stage
organise arrange hold stage
stage hold
perform play sing
perform do
perform carry_out
play perform
play act
star play
sing perform
film shoot
shoot film photograph
draw sketch
paint depict
engrave carve inscribe cut etch
inscribe engrave write
carve cut
decorate adorn
sign autograph
dig excavate
excavate unearth excavation
drill bore
bore cut
sit lie stand
stand lie situate
lie situate stand
locate situate lie place position
place put position
place rank finish
rank place
rank rate
rate grade
finish come
score get record
drop fall
start set_out depart
anchor moor
sight see spot
see spot observe notice watch
observe watch
observe see
watch observe view
look watch
meet encounter
meet gather
visit see
call name
name call title entitle
name identify
identify recognise
blame accuse
accuse charge
convict guilty conviction
acquit clear exonerate innocent acquittal
charge accuse
imprison jail incarcerate serve prison
free release liberate
release free
capture seize catch
seize confiscate
steal rob theft
attack assault raid
fight battle
surrender capitulate yield
cede surrender yield transfer
concede admit
admit acknowledge confess
claim assert allege maintain
argue contend claim
warn caution alert warning
threaten menace
thank gratitude
praise commend
criticise condemn
worry concern
fear dread
like enjoy
prefer favour
need require
lack without missing
miss lack
miss lose
miss absent
spend use
save economise
earn make
gain profit
profit earn
owe debt
rent lease hire
lease rent
insure cover
serve work
serve act
work operate function run
operate work function run
function work
work labour
work job
power drive
power run supply
power electrify
electrify electric electrification
drive power
drive propel
pull draw tow
push shove
lift raise
lower drop
load fill
fill load
empty drain
drain empty
flood inundate flooding
rain rainfall
blow wind
freeze ice
melt thaw
dry drought
cool chill
heat warm
warm heat
light illuminate
blink flash
shine glow
open unlock
lock fasten
coat cover
wear have
wear clothe
dress clothe
clean wash
wash clean
polish shine
oil lubricate
adjust set
set fix
set place
calibrate adjust
control regulate
limit restrict cap limitation
restrict limit
exclude omit
omit leave_out
lapse expire end
expire lapse end
renew extend renewal
elapse pass
date come originate
originate come
come originate
derive come
descend come
descend inherit
inherit leave
rewrite write
discharge release
discharge dismiss
fail lose
quarantine isolate
vaccinate inoculate
prescribe order
order command
order buy
instruct order
train teach
train educate
graduate degree
qualify eligible
enrol register
register record
register enrol
log record
measure size
score result
translate translation
edit revise
revise amend
review assess
assess evaluate
evaluate assess
evaluate rate
compare comparison
differ different
vary differ
match equal
equal same
resemble like
depend rely
rely depend
trust rely
represent stand
represent delegate
negotiate bargain
settle agree
settle resolve
resolve settle
resolve fix
solve resolve
handle deal
deal handle
tackle address
address tackle
reach attain achieve
reach arrive
reach total
achieve attain
achieve accomplish
total amount
amount total
rise ascend
climb ascend
ascend climb
descend drop
turn rotate
rotate spin
shift move
flow run
leak escape
escape flee
flee escape
hide conceal
cover hide
reveal disclose
disclose reveal
celebrate mark
commemorate mark
honour award
award prize
award give
dedicate devote
devote dedicate
spread extend
spread disperse
scatter spread
cluster group
gather meet
assemble gather
convene meet
attract draw
attract interest
emit release
absorb soak
resist withstand
withstand resist
withstand tolerate
tolerate withstand
endure withstand
permit license
license licence
randomise assign
randomise allocate
assign allocate
allocate assign
allot allocate
distribute hand_out
browse eat
lay produce
last survive
spare save
stock keep
stock supply
supply provide
provide offer
offer provide
offer propose
bid offer
auction sell
withdraw remove
withdraw leave
withdraw retire
remove take_away
remove extract
extract remove
extract mine
mine dig
process treat
recycle reuse
reuse recycle
waste squander
pollute contaminate
contaminate pollute
conserve protect
conserve preserve
migrate move
emigrate leave
settle live
colonise settle
invade attack
occupy hold
occupy seize
defend protect
patrol guard
mobilise call_up
enlist join
recruit enlist
demonstrate show
indicate show
signal indicate
mean signify
cover pay
ride cycle
fail stop
operate perform
decline turn_down
regain recover
precede predate
predecease die
vomit sick
purchase buyer
sell buyer
reduce reduction fewer less lower decrease
increase more higher
sprain injury
signify mean
imply suggest
imply mean
explain account
explain describe
attribute ascribe
attribute credit
credit attribute
blame attribute
reach contact
contact reach
phone call
phone telephone
telephone call
call summon
summon call
mail post
post send
deliver bring
deliver give
deliver hand
handle process
sail run
sail cruise
run flow spill pour
play meet face
enter admit access
run go
run stretch
stretch extend
extend reach
extend run
deepen deep
widen wide
broaden widen
strengthen reinforce
reinforce strengthen
weaken undermine
sharpen sharp
tighten tight
fasten tie
tie fasten
loosen loose
halve cut
treble triple
triple treble
multiply increase
add increase
add include
subtract deduct
deduct subtract
exempt free
exempt exclude
outnumber more
outweigh exceed
outlive survive
outperform beat
underperform worse
outsell sell
""".strip()
