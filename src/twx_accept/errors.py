"""Every error of this project, in one tree.

::

    TwxAcceptError
    ├── UsageError            the command line, or a file that the user wrote
    │   ├── SuiteError        a suite file
    │   └── DatasetError      a question set
    ├── StatisticsError       impossible counts, a margin without a value (also a ValueError)
    ├── EvidenceError         a store that cannot be read or trusted
    │   ├── EvidenceLocked    another run holds it
    │   └── PairingError      the two sides do not hold the same items
    ├── LedgerError           a ledger that was cut, edited or belongs to another project
    ├── PreparingError        the embedded models could not be made
    ├── ServingError          a server
    │   ├── ServerDied        it ended while it was needed
    │   ├── NotReady          it lives, but did not become ready within its deadline
    │   ├── WrongServer       somebody else's server answers at this address
    │   ├── SettingsMismatch  it runs with other settings than it was given
    │   ├── AnswersSpoilt     what it answered since its boot cannot be trusted
    │   ├── CardsInUse        somebody else holds memory on the cards that it needs
    │   └── MemoryNotBack     the last server's memory has not come back
    ├── WorkerLost            a process that was judging ended before it was done
    └── InvalidClaim          a claim that cannot be decided: never a pass

Each message names the value that is wrong and, after it, the cure.
"""


class TwxAcceptError(Exception):
    """The root of the tree: catch this to catch everything that the project raises on purpose."""


class UsageError(TwxAcceptError):
    """The command line or a file that the user wrote asks for something impossible."""


class SuiteError(UsageError):
    """A suite file is missing, malformed or contradicts itself."""


class DatasetError(UsageError):
    """A question set is missing, malformed or not what its registration says."""


class StatisticsError(TwxAcceptError, ValueError):
    """A statistic was asked of impossible input; no figure is better than a wrong one."""


class EvidenceError(TwxAcceptError):
    """An evidence file cannot be read, or is not what it claims to be."""


class EvidenceLocked(EvidenceError):
    """Another run is writing this evidence file."""


class PairingError(EvidenceError):
    """The original's items and the build's items are not the same items."""


class LedgerError(TwxAcceptError):
    """A ledger was edited, cut or reordered, or evidence was begun under another one."""


class PreparingError(TwxAcceptError):
    """The models of an embedded suite could not be made, or are not what the recipe says."""


class ServingError(TwxAcceptError):
    """A server could not be started, proven, used or stopped."""


class ServerDied(ServingError):
    """The server process ended while it was needed, whatever its exit status says."""


class NotReady(ServingError):
    """The server is alive but did not become ready within its deadline."""


class WrongServer(ServingError):
    """The address is answered by a server that this run did not start."""


class SettingsMismatch(ServingError):
    """The server runs with other settings than the suite gave it."""


class AnswersSpoilt(ServingError):
    """What a server answered since its boot cannot be trusted: whatever was kept of it is set aside."""


class CardsInUse(ServingError):
    """Somebody else holds memory on the cards that a server needs, and did not let go within the deadline."""


class MemoryNotBack(ServingError):
    """A stopped server's memory was not given back within the deadline."""


class WorkerLost(TwxAcceptError):
    """A process that was judging for this one ended before it was done: nothing is decided."""


class InvalidClaim(TwxAcceptError):
    """A claim cannot be decided: its plan, pairing, settings, data check or assay sensitivity broke.

    ``measured`` is the verdict that its figures would have come to where there are figures: they are shown, and count
    for nothing.
    """

    def __init__(self, message: str, measured: object = None) -> None:
        super().__init__(message)
        self.measured = measured
