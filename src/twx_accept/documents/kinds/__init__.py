"""The kinds of text, each a function that plans a passage of its kind."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from twx_accept.documents.kinds.accident import accident_report
from twx_accept.documents.kinds.biography import biography
from twx_accept.documents.kinds.bridge import bridge
from twx_accept.documents.kinds.company import company_report
from twx_accept.documents.kinds.diary import expedition_diary
from twx_accept.documents.kinds.election import election_report
from twx_accept.documents.kinds.equipment import equipment
from twx_accept.documents.kinds.farm import farm_report
from twx_accept.documents.kinds.festival import festival_programme
from twx_accept.documents.kinds.laboratory import laboratory_trial
from twx_accept.documents.kinds.museum import museum_label
from twx_accept.documents.kinds.railway import railway_notice
from twx_accept.documents.kinds.regulation import regulation
from twx_accept.documents.kinds.sports import sports_report
from twx_accept.documents.kinds.town import town_history
from twx_accept.documents.kinds.weather import weather_summary
from twx_accept.documents.writing import Plan, Writer

KINDS: Mapping[str, Callable[[Writer], Plan]] = MappingProxyType(
    {
        "accident report": accident_report,
        "biography": biography,
        "bridge": bridge,
        "company report": company_report,
        "election report": election_report,
        "equipment description": equipment,
        "expedition diary": expedition_diary,
        "farm report": farm_report,
        "festival programme": festival_programme,
        "laboratory trial": laboratory_trial,
        "museum label": museum_label,
        "railway notice": railway_notice,
        "regulation": regulation,
        "sports report": sports_report,
        "town history": town_history,
        "weather summary": weather_summary,
    }
)
