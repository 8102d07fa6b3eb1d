"""A server that is ready to be asked."""

from dataclasses import dataclass, field
from pathlib import Path

from twx_accept.domain.evidence import Boot


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    """Where a ready server is reached. ``socket`` is a Unix socket, or None where ``base_url`` is a real address.

    ``model`` is the name it serves under; ``api_key`` guards it where there is no socket; ``boot`` is what it proved.
    ``certificates`` is a file of the authorities to trust in the place of the usual ones, for TLS.
    """

    base_url: str
    socket: Path | None
    model: str
    api_key: str = field(repr=False)
    boot: Boot
    certificates: Path | None = None
