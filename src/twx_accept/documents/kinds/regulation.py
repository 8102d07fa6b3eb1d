"""A regulation of a town or a harbour."""

from twx_accept.documents.wording import both, plural
from twx_accept.documents.writing import Plan, Writer, aside, told

MATTERS = (
    ("mooring", "vessel", "berth", "the harbour master"),
    ("street trading", "stall", "pitch", "the market warden"),
    ("beekeeping", "hive", "stand", "the parks officer"),
    ("allotment gardening", "shed", "plot", "the garden steward"),
    ("camping", "tent", "site", "the ground keeper"),
    ("bicycle hire", "stand", "bay", "the street inspector"),
    ("open fires", "brazier", "hearth", "the fire marshal"),
)
BANNED = (
    "paraffin",
    "loud music",
    "barbed wire",
    "glass bottles",
    "fireworks",
    "petrol engines",
    "wet paint",
    "poison",
)
PAPERS = (
    "proof of address",
    "a sketch of the place",
    "a photograph",
    "proof of insurance",
    "the receipt for the fee",
    "a letter of consent",
)
REASONS = ("drought", "storm damage", "a public holiday", "road works", "an outbreak of disease", "a royal visit")


def regulation(w: Writer) -> Plan:
    """Force, scope, permits, fees, limits, hours, bans, fines, appeals and exceptions."""
    town, quarter, old_town = w.place(), w.place(), w.river()
    clerk, mayor = w.person("the town clerk"), w.person("Mayor")
    matter, thing, spot, officer = w.one(*MATTERS)
    passed = w.day(1958, 2021)
    force = passed.plus(w.n(20, 160))
    number = w.n(11, 389)
    fee, late_fee = w.n(12, 95), w.n(5, 60)
    fine_low, fine_high = w.two(50, 900, 10)
    opens, closes = w.clock(6, 9, 15), w.clock(17, 22, 15)
    width, gap = w.n(12, 59), w.n(2, 14)
    most, days, term = w.count(2, 12), w.n(7, 45), w.count(2, 9)
    spots = plural(spot)
    papers, banned = w.some(3, *PAPERS), w.one(*BANNED)
    reason, discount = w.one(*REASONS), w.percent(10, 75)
    quiet, busy = w.two(13, 240)
    act = f"{w.one('By-law', 'Regulation', 'Order')} {number} of {town}"
    rules = f"the {matter} {w.one('rules', 'by-law', 'regulation')}"
    opening = told(
        (f"{act} was passed on {passed}.", f"{act} has been in force since {force}."),
        f"{act}, on {matter}, was passed on {passed.said} and has been in force since {force.said}.",
        f"{act} ({matter}). Passed on {passed.said}; in force since {force.said}.",
        f"On {passed.said} the council passed {act}, on {matter}, which has been in force since {force.said}.",
        f"In force since {force.said}: {act}, concerning {matter}, passed on {passed.said}.",
    )
    permits = (
        told(
            f"A permit in {town} costs {fee} crowns a year.",
            f"For a permit the holder shall pay {town} {fee} crowns a year.",
            f"The fee for a permit in {town} is {fee} crowns a year.",
            f"Permits are issued in {town} against a yearly fee of {fee} crowns.",
        ),
        told(
            f"Late payment in {town} adds {late_fee} crowns to the fee.",
            f"Whoever pays {town} late shall pay {late_fee} crowns more.",
            f"To the fee {late_fee} crowns shall be added [in {town}|by {clerk.last}'s office] where payment is late.",
        ),
        told(
            f"An applicant in {town} must submit {both(papers)}.",
            f"With an application there must be submitted to {town} {w.both(papers)}.",
            f"{w.both(papers)} shall be submitted by every applicant [in {town}|to the town hall of {town}].",
            f"The applicant shall submit to {town}: {w.both(papers)}.",
        ),
        told(
            f"A permit of {town} is valid for {term} years.",
            f"Permits shall be valid for {term.said} years [in {town}|from the day on which {clerk.last} signs].",
            f"A permit issued by {town} is valid for {term.said} years [and no longer|and may be renewed].",
        ),
        told(
            f"{town} must decide on an application within {days} days.",
            f"The council of {town} shall decide on each application within {days} days.",
            f"Within {days} days of an application {town} must have decided on it.",
        ),
        told(
            f"{clerk.name} keeps the register of permits in {town}.",
            f"The register of permits is kept by {clerk.name}.",
            f"{clerk.name} shall keep the register of permits, [open to all|at the town hall of {town}].",
        ),
    )
    limits = (
        told(
            f"One holder in {town} may have at most {most} permits.",
            f"No holder in {town} may have more than {most.said} permits.",
            f"At most {most.said} permits may be had by one holder [in {town}|within {town}].",
        ),
        told(
            f"The permit office of {town} is open from {opens} to {closes}.",
            f"The permit office shall be open from {opens} to {closes} [in {town}|under {clerk.last}].",
            f"From {opens} to {closes} the permit office of {town} shall be open, [Saturdays included|and at no "
            f"other time].",
        ),
        told(
            f"A {spot} in {town} must be {width} decimetres wide.",
            f"In {town} the width of a {spot} shall be {width} decimetres.",
            f"Each {spot} shall be {width} decimetres wide, [as {officer} will measure|throughout {town}].",
        ),
        told(
            f"Neighbouring {thing}s in {town} must stand {gap} m apart.",
            f"{gap} m must be left between one {thing} and its neighbour [in {town}|anywhere in {town}].",
            f"No {thing} may stand within {gap} m of [the next|another] in {town}.",
        ),
        told(
            (f"{quarter} has {busy} {spots}.", f"{old_town} has {quiet} {spots}."),
            f"There shall be {busy} {spots} in {quarter} and {quiet} in {old_town}.",
            f"{quarter} has {busy} {spots}, more than {old_town}, which has {quiet}.",
            f"Of {spots}, {old_town} has {quiet} and {quarter} {busy}.",
        ),
        told(
            f"{banned} is not allowed in {quarter}."
            if banned in ("paraffin", "loud music", "barbed wire", "wet paint", "poison")
            else f"{banned} are not allowed in {quarter}.",
            f"In {quarter} [the use of|any use of] {banned} is not allowed.",
            f"{quarter} shall be free of {banned}, which [{officer} will not allow|nobody may allow there].",
        ),
        told(
            f"Pensioners in {town} pay {discount} less.",
            f"A discount of {discount.said} is granted to pensioners in {town}.",
            f"Pensioners shall pay {town} {discount.said} less.",
        ),
        told(
            f"{officer} may close {quarter} because of {reason}.",
            f"On account of {reason} {officer} may close {quarter}.",
            f"{quarter} may be closed by {officer} in case of {reason}.",
        ),
    )
    penalties = (
        told(
            f"A breach of {act} is fined {fine_low} to {fine_high} crowns.",
            f"Whoever breaks {rules} in {town} shall be fined {fine_low} to {fine_high} crowns.",
            f"Fines for a breach run from {fine_low} to {fine_high} crowns in {town}.",
            f"A breach shall be punished [in {town}|by {officer}] with a fine of {fine_low} to {fine_high} crowns.",
        ),
        told(
            f"{act} does not apply to {old_town}.",
            f"{act} does not apply to {old_town}, [which has rules of its own|where old rights hold].",
            f"To {old_town}, [by ancient right|by agreement with {mayor.last}], this text does not apply.",
            f"Nothing here applies to {old_town}.",
        ),
        told(
            f"{mayor.name} signed {act}.",
            f"Signed for {town} by {mayor.name}.",
            f"{mayor.name}, mayor of {town}, signed it.",
            f"It bears the signature of {mayor.name}, [mayor|who was then mayor of {town}].",
        ),
    )
    asides = (
        aside(
            f"For the purposes of this text a {thing} is [any {thing}, fixed or not|a {thing} in use or laid up], "
            f"and a {spot} is [the ground or water assigned to it|whatever {officer} has marked as one] in {town}.",
            f"Words in the singular [include|cover] the plural, and every {spot} meant here [is a {spot} within the "
            f"bounds of {town}|is one that is shown on the plan which {clerk.last} keeps].",
        ),
        aside(
            f"{officer} shall [keep a daybook|wear a badge|carry a copy of these rules], and shall [be civil|give a "
            f"reason in writing to anyone in {town} who asks for one|have access to every {spot} in {town} by day].",
            f"The orders of {officer} shall be [obeyed at once|given in plain words], save where {clerk.last} has "
            f"[allowed an exception|ruled otherwise].",
        ),
        aside(
            f"Each holder shall keep the {spot} [clean and safe|free of litter and ice], and shall leave it [as it "
            f"was found|fit for the next holder], to the satisfaction of [{officer}|the council of {town}].",
            f"A {spot} that is [left empty|neglected] may be [given to another|put to other use] by {town}, after [a "
            f"warning|a letter from {clerk.last}].",
        ),
        aside(
            f"The council of {town} may [amend this text|suspend these rules] by a simple vote, provided that [the "
            f"change is posted at the gate of {quarter}|{clerk.last} has published it].",
            f"Copies [may be had from {clerk.last}|are on view in {quarter}], and no one in {town} may plead "
            f"ignorance of [them|what they say].",
        ),
        aside(
            f"Disputes between holders [shall go|may be brought] before [a panel of three|the magistrate of {town}], "
            f"whose word is [final|binding on {officer} too].",
            f"Anyone aggrieved by a decision of {officer} may [write to {clerk.last}, who shall answer in "
            f"writing|ask to be heard by the council of {town}, which shall sit in public].",
        ),
        aside(
            f"Rights held in {old_town} or {quarter} before that day [are not touched|remain as they were], so long "
            f"as [they are entered with {clerk.last}|the holder can show papers].",
            f"Nothing in this text [frees a holder in {town} from other duties|limits the powers of the fire brigade "
            f"of {town}], [and {clerk.last} shall say so on every permit|whether or not the permit says so].",
        ),
    )
    remarks = (
        aside(
            f"Signs at the edge of {quarter} shall [state these rules in plain letters|be lit at night], and whoever "
            f"[moves or defaces one|leans a bicycle against one] shall [put it right|answer to {officer}].",
            f"Between {quarter} and {old_town} a strip shall be kept [free for fire engines|open to walkers], and "
            f"{officer} shall [see to it|mark it with white posts].",
        ),
        aside(
            f"Where a holder [dies|moves away from {town}], the permit [passes to the spouse|falls back to the "
            f"council], unless {clerk.last} [has been told otherwise|finds good reason against it].",
            f"A permit [is personal|may not be lent, sold or pledged], and a holder who leaves {town} shall [hand it "
            f"to {clerk.last}|send it back by post].",
        ),
        aside(
            f"Old people, [schools|charities] and those who serve {town} without pay shall be [heard first|spared "
            f"the queue] when a {spot} [falls free|is given out anew].",
            f"No one shall be refused a {spot} in {town} on account of [trade, tongue or faith|where they were "
            f"born], and {clerk.last} shall [publish the list|keep the reasons in writing].",
        ),
    )
    return Plan(
        opening=opening,
        body=(permits + asides[:2], limits + asides[2:4] + remarks, penalties + asides[4:]),
        between=w.one(" ", "\n\n"),
    )
