"""Words that say the contrary of each other, and verbs that tell one event from its two ends."""

# "a b / c d": each word of the left contradicts each of the right.
OPPOSITES = """
rise increase grow climb raise gain expand up soar surge higher growth improve / fall drop decrease decline \
sink reduce lower down shrink diminish cut plunge loss lessen worsen
win victory winner beat defeat / lose loss loser
buy purchase acquire / sell sale
open reopen opening / close shut closure closed
begin start commence launch / end finish stop cease conclude
arrive arrival come / leave depart departure go
enter join / leave exit
ahead_of / behind
admit allow open / close closed exclude
accept approve allow permit agree support uphold grant endorse authorise ratify consent / reject refuse deny \
dismiss forbid ban prohibit oppose decline veto disagree dissent
convict guilty / acquit innocent acquittal
live survive alive survivor survival / die perish death dead kill fatality
build erect construct / demolish destroy raze dismantle
create establish found / abolish destroy dissolve
keep retain maintain preserve / lose discard abandon abolish remove scrap
repair mend restore fix / break damage scrap
heal cure recover / sicken worsen injure
hire employ appoint recruit / dismiss fire sack
remember / forget
include contain / exclude omit except
add attach install insert / remove extract detach
lengthen extend / shorten
widen broaden / narrow
deepen / shallow
heat warm hot / cool cold chill
strengthen reinforce / weaken
accelerate fast quick rapid / decelerate slow
borrow / lend
push / pull
import / export
present / absent
change alter vary / stay remain unchanged constant
hit strike damage affect destroy / escape spare survive
responsible guilty blame / clear acquit blameless
cover / miss missing
agree share / disagree
succeed success successful / fail failure
pass / fail
true correct right / false wrong untrue incorrect
same equal identical / different unequal
legal lawful / illegal unlawful
possible / impossible
common frequent often / rare seldom infrequent uncommon
many much more most / few less fewer little least
high tall highest / low short lowest
long longest / short shortest
large big great largest biggest / small little tiny smallest
wide broad / narrow
deep / shallow
heavy / light
old elder oldest / young new youngest newest younger newer
early earlier earliest / late later latest
first / last
near close nearest / far distant farthest
strong / weak
hard difficult / easy simple
good better best / bad worse worst poor
rich / poor
cheap inexpensive / expensive dear costly
hot / cold
dry / wet damp
full / empty
thick / thin
rough / smooth
loud noisy / quiet silent
safe / dangerous
public / private
major / minor
maximum most / minimum least
above over / below under
inside / outside
upper / lower
northern north northward / southern south southward
eastern east eastward / western west westward
left / right
before / after
male man / female woman
profit surplus / loss deficit
ahead / behind
visible / invisible
clockwise / anticlockwise
compulsory mandatory / voluntary optional
temporary / permanent
single / married
on activate / off deactivate inactive
active / inactive
credit / debit
supply / demand
attack / defend
pass / bypass avoid
use / avoid
sound intact undamaged working / wrong faulty defective damaged broken fault
victory / defeat
free / imprison jail
sharp / blunt
odd / even
original / replacement
domestic / foreign
natural / artificial
healthy well / sick ill sicken
clean / dirty
sunny / cloudy
lit / unlit
hide conceal / reveal show disclose
advance / retreat
ascend / descend
expand / contract
unite merge / split separate divide
praise / criticise condemn
love like / hate dislike
trust / distrust
obey / disobey
load / unload
lock / unlock
freeze / melt thaw
float / sink
wax / wane
postpone delay / advance
encourage / discourage
hurt injure injured / unhurt uninjured unharmed
licensed / unlicensed
even / uneven
peace / war
friend / enemy
drawn / undrawn
insured / uninsured
plural / singular
majority / minority
""".strip()

# "a > b": the doer of the left is the one done to (or the other side) of the right, about the same event.
CONVERSES = """
sell vend > buy purchase acquire
give donate grant award hand present lend supply provide pay send deliver bequeath cede transfer deliver \
surrender loan rent lease confer bestow > receive get obtain take inherit borrow gain acquire
beat defeat > lose
precede > follow succeed replace
teach > learn
employ > work
own > belong
include contain > belong
infect > catch
cause > result
export > import
predecease > outlive survive
""".strip()

# Derived forms that no rule of spelling relates.
KIN = """
die death dead fatality
born birth
grow growth
high height
long length lengthy
wide width
deep depth
strong strength
warm warmth
true truth
young youth
broad breadth
live life alive living
lose loss lost
choose choice
succeed success successful succession successor
sell sale
buy buyer
give gift
see sight
think thought
speak speech
fly flight
arrive arrival
approve approval
refuse refusal
propose proposal
remove removal
renew renewal
survive survival survivor
withdraw withdrawal
appear appearance
perform performance
resist resistance resistant
assist assistance
attend attendance
maintain maintenance
guide guidance
exist existence
depend dependence dependent
differ difference different
refer reference
prefer preference
decide decision
divide division
expand expansion
extend extension extent extensive
explode explosion
conclude conclusion
invade invasion
revise revision
permit permission permissible
admit admission
submit submission
commit commission
omit omission
produce production product producer
reduce reduction
introduce introduction
describe description
subscribe subscription
prescribe prescription
destroy destruction destructive
construct construction
receive receipt reception
deceive deception
explain explanation
pronounce pronunciation
apply application applicant
multiply multiplication
supply supplier
qualify qualification
classify classification
ratify ratification
electrify electrification
modify modification
identify identification identity
solve solution
resolve resolution
dissolve dissolution
revolve revolution
evolve evolution
acquire acquisition
require requirement
compete competition competitor competitive
repeat repetition
define definition
oppose opposition opponent
expose exposure
close closure
press pressure
fail failure
depart departure
sign signature
discover discovery
deliver delivery
recover recovery
injure injury
treat treatment
move movement
measure measurement
pay payment
employ employment employee employer
appoint appointment
improve improvement
establish establishment
agree agreement
govern government governor
judge judgment judgement judicial
replace replacement
move movement
invent invention inventor
prevent prevention
protect protection protective
elect election
inject injection
infect infection
inspect inspection inspector
construct construction
direct direction director
reject rejection
collect collection collector
connect connection
select selection
act action
bequeath bequest
confer bestow
react reaction
interrupt interruption
erupt eruption
adopt adoption
create creation creator
educate education
translate translation translator
donate donation donor
locate location
operate operation operator
excavate excavation
renovate renovation
celebrate celebration
demonstrate demonstration
illustrate illustration illustrator
investigate investigation
calculate calculation
estimate estimation
evacuate evacuation
vaccinate vaccination
migrate migration
found foundation founder
inform information
transform transformation
restore restoration
explore exploration explorer
declare declaration
prepare preparation
inaugurate inauguration
observe observation
reserve reservation
invite invitation
install installation
accuse accusation
condemn condemnation
publish publication publisher
analyse analysis analytical
emphasise emphasis
criticise criticism critic
sing singer song
write writer writing written
own owner ownership
win winner
lead leader leadership
teach teacher
build builder building
farm farmer
work worker
paint painter painting
bake baker bakery
print printer
play player
drive driver
rule ruler
swim swimmer
rob robber robbery
murder murderer
begin beginning
open opening
end ending
meet meeting
find finding
earn earnings
save savings
hot heat
cold coldness
dry drought dryness
rain rainfall rainy
snow snowfall
wind windy
hungry hunger
angry anger
poor poverty
rich riches
wealthy wealth
free freedom
safe safety
dangerous danger
noisy noise
important importance
absent absence
present presence
silent silence
able ability
possible possibility
popular popularity
similar similarity
major majority
minor minority
national nation nationality
royal royalty
legal legality
electric electricity electrical
industry industrial
agriculture agricultural
culture cultural
economy economic economical
history historic historical historian
politics political politician
science scientific scientist
medicine medical
chemistry chemical chemist
physics physical physicist
mathematics mathematical mathematician
music musical musician
art artistic artist
poem poet poetry poetic
comedy comic comedian
tragedy tragic
east eastern eastward easterly
west western westward westerly
north northern northward northerly
south southern southward southerly
centre central
side lateral
wood wooden
gold golden
wool woollen
day daily
week weekly
month monthly
year yearly
hour hourly
mayor mayoral
president presidential
parliament parliamentary
king kingdom
father paternal
mother maternal
moon lunar
sun solar
star stellar
sea marine maritime
tooth dental
heart cardiac
eye optical
mind mental
city urban
country rural
steal theft thief
weigh weight
die deadly
punish punishment
enjoy enjoyment
sentence sentencing
arrest arrested
marry marriage married
try trial
deny denial
bury burial
dispose disposal
refer referral
complain complaint
constrain constraint
restrain restraint
extinct extinction
distinct distinction
tend tendency
emerge emergence
occur occurrence
insure insurance
accept acceptance
allow allowance
annoy annoyance
ally alliance
rely reliance reliable
vary variation variety various
vote voter
visit visitor visit
edit edition editor
contribute contribution
distribute distribution
pollute pollution
constitute constitution
execute execution
prosecute prosecution prosecutor
defend defence defendant defensive
offend offence offensive
spend expense
extend extension
respond response
sense sensor
late lateness
moist moisture
friend friendship
member membership
champion championship
neighbour neighbourhood
child childhood
sick sickness
ill illness
dark darkness
weak weakness
aware awareness
fit fitness
use usage useful user
store storage
short shortage shorten
marry wedding
wet wetness
wage wages
test testing
train training
list listing
fund funding
plant planting
flood flooding
film filming filmmaker
account accountant
assess assessment
invest investment investor
develop development developer
involve involvement
treat treatment
fix fixture
mix mixture
sculpt sculptor sculpture
architect architecture architectural
photograph photographer photography
geography geographer
biology biologist biological
geology geologist geological
archaeology archaeologist archaeological
tour tourist tourism
terror terrorist
violin violinist
piano pianist
cello cellist
novel novelist
journal journalist journalism
science scientist
special specialist specialise
type typist
final finalist finally
repair repairer
appeal appellant
participate participant participation
inhabit inhabitant
assist assistant
serve servant service
attend attendant
consult consultant
migrate migrant
lemon lemony
certify certificate certification
graduate graduation
ferment fermentation
pasteurise pasteurisation
centralise centralisation
organise organisation organiser
modernise modernisation
nationalise nationalisation
privatise privatisation
authorise authorisation
realise realisation
randomise randomisation
utilise utilisation
""".strip()
