"""Groups of nouns and of descriptive words that everyday prose uses for one another; one group a line."""

THINGS = """
person individual people human
people inhabitant resident person population citizen
resident inhabitant citizen
man male men
woman female lady
child kid youngster
boy son
girl daughter
wife spouse
husband spouse
mother mum parent
father dad parent
brother sibling
sister sibling
student pupil
pupil schoolchild student child
teacher instructor tutor
worker employee staff labourer workman
staff personnel employee workforce crew worker
employee staff worker person people
workforce staff
member person
player competitor participant
participant person people player entrant patient adult
patient adult participant person people
adult patient person people
visitor guest tourist people person
guest visitor
listener audience people
audience listener spectator attendance crowd
spectator viewer
attendance turnout
voter elector
customer client consumer
client customer
auction sale
owner proprietor
founder creator
author writer
writer author
singer vocalist voice chorister
voice singer
actor performer
actress actor
director head
chairman chair chairwoman chairperson president
boss chief head
head leader chief director principal
leader head
manager head
conductor director
doctor physician
physician doctor
surgeon doctor
nurse carer
lawyer attorney solicitor
attorney lawyer
prosecutor prosecution
defence defendant
appellant appeal
judge justice
jury juror
policeman police officer
soldier troop
troop soldier
sailor seaman mariner
seaman sailor
captain skipper master
crew sailor
pilot airman
farmer grower
grower farmer
scientist researcher
researcher scientist
engineer technician
architect designer
designer architect
builder maker
maker manufacturer make made
manufacturer maker producer
producer maker
inventor invent
seller vendor
buyer purchaser bidder
purchaser buyer
merchant trader
trader merchant dealer
dealer trader
companion friend
friend companion
neighbour adjacent
colleague coworker
assistant aide helper
apprentice trainee
volunteer helper
candidate contender
incumbent mayor holder
mayor mayoral
mayoral mayor
rival competitor opponent
opponent rival
enemy foe
casualty victim injured
victim casualty
company firm business corporation enterprise
firm company business
business firm company
organisation organization body institution
association society
club society
union association
party group
party side
team squad side crew
group set
group team
committee panel board
board committee
council authority
government administration state
ministry department
department division section
office bureau
agency bureau
branch division
shop store
store shop
factory plant mill works
mill factory
works factory
plant factory works station
station plant
school academy
university college
college university
hospital clinic infirmary
clinic hospital
church chapel
chapel church
monastery abbey
abbey monastery
castle fortress
fortress fort
house home residence dwelling
home house
building structure edifice
structure building
hut cabin
barn shed
room chamber
hall room
wall rampart
gate door
roof ceiling
floor storey
storey floor level
tower spire
bridge crossing viaduct
road street route highway
street road
route road way path
path track trail
track path
railway rail railroad train
train railway
tram tramway streetcar
tramway tram
car automobile
car vehicle wagon
lorry truck
truck lorry
bus coach
hectare ha
kilometre km
hour h hr
minute min
bicycle bike cycle
permanent permanently forever lasting
failing poor weak bad
final last
eyesight sight vision
folio leaf page
text writing
horse pony
boundary limit
motorway highway
staircase stair
attic loft
basement cellar
lawn grass
pavement sidewalk
rubbish waste garbage litter
autobiography memoir
dictionary lexicon
festival fair
parade procession
cemetery graveyard
grave tomb
coffin casket
skipper captain
cook chef
shepherd herder
blacksmith smith
carpenter joiner
baker bakery
butcher meat
tailor seamstress
barrister lawyer
clerk secretary
treasurer finance
headmaster head principal headteacher
pupil learner
lecture talk
lesson class
course class
exam examination test
mark grade
degree qualification
library collection
museum gallery
gallery museum
statue sculpture
figurine statuette
pottery ceramic
vase jar
necklace jewellery
sword blade
arrow projectile
gun weapon
bomb explosive
mine colliery pit
well borehole
reef shoal
bay inlet
beach shore
promenade seafront
marsh wetland bog
heath moor
ravine gorge canyon
gorge canyon
cave cavern
cliff crag
glacier ice
north-east northeast north-easterly
north-west northwest north-westerly
south-east southeast south-easterly
south-west southwest south-westerly
gust wind
lightning thunder
fog mist
hail hailstone
frost freezing
coach bus
ship vessel boat barque steamer
boat vessel ship
vessel ship boat
steamer ship
barque ship
aircraft plane aeroplane airplane
plane aircraft
helicopter chopper
harbour port
port harbour
quay dock pier wharf
dock quay
airport airfield
town city
city town
village settlement
settlement village
country nation state
nation country
region area district province
district area borough
area district region zone
zone area
province region
border frontier boundary
frontier border
boundary border
coast shore seaside
shore coast beach
sea ocean
lake reservoir
river stream
stream brook
brook stream
hill mountain
mountain mount peak
mount mountain
valley dale
forest wood woodland
wood forest
field meadow
meadow pasture
garden park
park garden
island isle
isle island
desert wilderness
rock stone
stone rock
ground soil land
soil earth
land ground
earth soil
world globe
sky heaven
storm gale tempest
gale storm wind
wind breeze
rainfall rain precipitation
rain rainfall
snow snowfall
flood flooding
flooding flood
fire blaze
blaze fire
earthquake quake
drought dry
weather climate
temperature degree
degree temperature
cold chill
heat warmth
spring springtime
autumn fall
winter wintertime
year annual yearly
annual yearly annually
annually yearly annual
daily day
weekly week
monthly month
hourly hour
day daily
week weekly
month monthly
decade years
century hundred
period span interval term time
term period
era age
age old
start beginning
date day
anniversary jubilee
morning a.m
afternoon p.m
evening p.m
midday noon
noon midday
midnight night
money fund cash
cash money
price cost fare tariff fee charge
cost price expense expenditure
expense cost
fee charge
fare price
tariff price
wage salary pay
salary wage
income revenue earnings takings
revenue income turnover
takings revenue
turnover revenue sales
sales turnover
profit gain surplus earnings
loss deficit
deficit loss shortfall
debt liability
budget allowance
grant subsidy
subsidy grant
tax levy duty
fine penalty
penalty fine
prize award
award prize
gift present donation
loan credit
stake share interest holding
share stake
premium surcharge
goods merchandise
product good
output production
production output
yield output harvest
harvest crop yield
crop harvest
volume quantity
supply stock
reserve stock
cargo freight load
freight cargo
load cargo
shipment consignment delivery
parcel package
package parcel
box container
container vessel
barrel cask
bottle flask
bag sack
tool instrument
instrument tool device
device apparatus instrument gadget
apparatus device
machine engine device
engine motor
motor engine
equipment gear
gear equipment
lamp light
light lamp
diode led
clock timepiece
watch timepiece
lens optic
mirror reflector
telescope scope
camera photography
cinematographer camera photography
picture image photograph painting
image picture
photograph photo picture
photo photograph
painting picture
painter artist
artist painter
drawing sketch
sketch drawing
plan design
map chart
chart map
book volume
novel book
poem verse
poet poetry
song tune
tune melody
music musical
concert performance
performance show
show exhibition
exhibition show
play drama
film movie picture
movie film
feature film
script screenplay
screenplay script
scene shot
cut version
version edition release
edition version
newspaper paper
paper article
article essay
essay paper
report account
account report
record log
log record
document paper
letter note
note letter
notice announcement
message note
speech address
statement declaration
declaration statement
question query
query question
answer response
response answer
idea notion
theory hypothesis
method technique way
technique method
approach method
result outcome finding
outcome result
finding result
conclusion finding
evidence proof
proof evidence
reason cause ground
motive reason
effect result impact
impact effect
aim goal purpose
goal aim objective
objective aim target
purpose aim
target goal
plan scheme
scheme plan project
project scheme undertaking
programme program
program programme
software program application app
application app
application filing
filing application
plug-in extension
bug fault error defect
error mistake fault
mistake error
fault defect error flaw
defect fault
problem difficulty
difficulty problem
trouble problem
danger risk hazard
risk danger
accident mishap crash
crash accident
disaster catastrophe
injury wound hurt
wound injury
illness disease sickness
disease illness
sickness illness
epidemic outbreak
outbreak epidemic
drug medicine medication
medicine drug
medication drug
dose dosage
dosage dose
vaccine jab
operation surgery
surgery operation
treatment therapy
therapy treatment
symptom sign
pain ache
headache migraine
itch itching
trial test study experiment
study trial
experiment trial
survey poll study
poll survey
census count
sample specimen
specimen sample
fossil remains
bone skeleton
skull head
sherd fragment
fragment piece sherd
piece fragment part
part component portion share
component part
portion share part
section part
half 50
quarter fourth
remainder rest
rest remainder
majority most
most majority
minority few
size dimension
height tall high altitude
tall high height
high tall
altitude elevation height
length long
long length lengthy
width wide breadth
wide broad width
breadth width
broad wide
depth deep
deep depth
weight heavy mass
heavy weight massive
mass weight
massive heavy
speed velocity fast rate
velocity speed
fast quick rapid speedy
quick fast
rapid fast
quickly fast rapidly
slow slowly
strength force
force strength
power output
capacity room
distance far length
surface area
angle slope
slope incline
edge rim
rim edge
side flank
top summit
summit peak top
bottom base
base bottom
middle centre
centre center middle
front face
back rear
rear back
interior inside
exterior outside
shape form
colour color
color colour
grey gray
material substance
metal metallic
gold golden
golden gold
silver silvery
wood wooden
wooden wood
iron ferrous
steel metal
glass pane
cloth fabric
fabric cloth
leather hide
coal fuel
fuel diesel petrol
petrol gasoline
gasoline petrol
electricity power
current electricity
electric electrical
energy power
oil petroleum
gas vapour
water aqueous
ice frozen
animal creature
creature animal
cattle cow
cow cattle
horse mare
pig swine
sheep lamb
dog hound
bird fowl
fish fishes
insect bug
bee honeybee
tree trees
flower blossom
seed grain
grain cereal
corn maize
maize corn
wheat cereal
bread loaf
food nutrition
meal food
lunch meal
beverage drink
war conflict
conflict war
battle fight
victory win
defeat loss
peace truce
truce armistice
armistice truce
treaty pact agreement
pact treaty
agreement accord deal contract
contract agreement
deal agreement
law act statute
act law
rule regulation
regulation rule
crime offence
offence crime
fraud deception
theft stealing
murder killing
prison jail gaol
jail prison
sentence term punishment
court tribunal
appeal challenge
verdict ruling judgment decision
ruling judgment decision verdict
judgment ruling
majority most
vote ballot
ballot vote
election poll vote
seat place
office post position
post position job
position post
job post work
job occupation
role part
duty task responsibility
task duty job
responsibility duty
right entitlement
nationality citizenship
independence autonomous
king monarch
monarch king queen
monarchy crown
emperor ruler
ruler monarch
tournament competition contest open
competition contest tournament
contest competition
match game
game match
race contest
champion winner
winner champion victor
round stage
stage phase
phase stage
season campaign
goal score
point score
arbiter referee umpire
referee arbiter umpire
coach trainer
trainer coach
holiday vacation leave
vacation holiday
trip journey tour
journey trip voyage
tour trip
voyage journey
expedition trip
passenger traveller
traveller passenger
ticket pass
stop station halt
station stop
line route
tribe clan
family household
household family
couple pair
pair two couple
dozen twelve
twelve dozen
score twenty
once one
twice two
single one sole only
sole only single
only sole just single
first initial
initial first
last final latest
final last
latest recent last
recent latest
original initial
next following
following next
previous former prior earlier preceding last
former previous ex
prior previous earlier
earlier previous prior before
present current
current present
future coming
old ancient elderly aged
ancient old
elderly old
aged old age
new modern recent
modern new
young youthful
big large great huge
large big sizeable
huge enormous big
great large
small little tiny
little small
tiny small
thin slim slender
thick dense
dense thick
narrow thin
strong powerful
powerful strong
weak feeble
hard difficult
difficult hard
easy simple
simple easy
good fine
fine good
bad poor
poor bad
worse bad
better good
best top good
top best leading highest
leading top main
highest top maximum
lowest minimum
maximum highest most
minimum lowest least
main chief principal primary major
principal main chief
primary main
major main
chief main
important significant
significant important
minor small
whole entire complete full all
entire whole
complete full
full complete
total overall
empty vacant
correct right accurate true
right correct
true correct
wrong false incorrect error mistaken
false untrue wrong
untrue false
exact precise
precise exact
common frequent usual widespread
frequent common often
frequently often common
often frequent
usual normal
normal usual
rare uncommon infrequent
uncommon rare
special particular
typical usual
strange odd
odd strange
famous well-known renowned
well-known famous
renowned famous
popular favourite
free gratis
cheap inexpensive
inexpensive cheap
expensive dear costly
dear expensive
costly expensive
rich wealthy
wealthy rich
safe secure
secure safe
dangerous hazardous risky
hazardous dangerous
healthy well
well healthy
sick ill unwell
ill sick unwell
unwell ill
injured hurt
hurt injured
unhurt uninjured unharmed
uninjured unhurt
dead deceased
deceased dead
alive living
living alive
legal lawful
lawful legal
illegal unlawful
unlawful illegal
compulsory mandatory obligatory required
mandatory compulsory
voluntary optional
optional voluntary
possible feasible
likely probable
probable likely
certain sure
sure certain
able capable
capable able
ready prepared
open accessible
closed shut
shut closed
public open
private personal
secret hidden
visible seen
clear obvious
obvious clear
wet damp moist
moisture damp wet moist
damp wet
dry arid
hot warm
warm hot mild
mild warm
cold cool
cool cold
bright light
dark black
clean pure
dirty soiled
quiet silent
loud noisy
noise noisy loud
sweet sugary
round circular
flat level
straight direct
sharp acute
smooth even
rough coarse
north northern
northern north
south southern
southern south
east eastern eastward
eastern east
west western westward
western west
northward north
southward south
eastward east
westward west
inside interior
outside exterior
underground subterranean
nearby near close
near close beside
beside near by next
close near
far distant
distant far
together jointly
jointly together
alone solo
solo alone
abroad overseas
overseas abroad
worldwide global
global worldwide
international global
national country
local nearby
foreign overseas
early premature
late delayed
behind late
punctual on-time
immediately instantly
instantly immediately
suddenly abruptly
gradually slowly
permanently forever
temporarily provisional
annually year
almost nearly
approximately about
roughly about
wholly entirely
entirely wholly
partly partially
partially partly
mainly mostly
mostly mainly
chiefly mainly
enough sufficient
sufficient enough
additional extra further more another
extra additional
further additional more
another further
more further
other another
various several
several various
many numerous
numerous many
few some
equal same
equally equal same
same identical
identical same
similar alike
different distinct
inventory survey
recount count
standing stand
medicine drug
gilt gilded
bronze brass
walnut wood
tongue language
language tongue
placebo dummy
oral mouth
endpoint outcome
centre site
seal stamp
warehouse depot
depot warehouse
lorry vehicle
lock padlock
key keys
sensor detector
cell battery
battery cell
link joint
frame body
protective protection
beam girder
pipe tube
tube pipe
wire cable
cable wire
rope cord
net mesh
lid cover
cover lid
disc disk
screen display
keyboard keys
memory ram
file document
user customer
licence license permit
permit licence
patent invention
claim assertion
embodiment version
dividend payout
shareholder investor
investor shareholder
quarter three-month
livestock cattle
herd cattle
flock herd
hive colony
colony hive
syrup sugar
weedkiller herbicide
herbicide weedkiller
pesticide insecticide
fertiliser manure
manure fertiliser
""".strip()
