"""What the vault holds, and what it does not hold yet."""

from msgspec import Struct


class KeptReport(Struct, frozen=True, kw_only=True):
    """A session that is kept where no agent cleans up."""

    ref: str | None
    """Names its first conversation for every other command; null where no store that
    is looked at has it."""
    session: str
    """The session."""
    title: str
    """What it was called when it was kept first."""
    at: str
    """When it was kept last, ISO 8601 in UTC."""
    files: int
    """How many files are kept of it: its transcript, and what belongs to that."""
    bytes: int
    """How much is kept of it."""
    gone: bool
    """Whether the transcript is no longer where it was found."""
    path: str
    """The transcript, relative to its store."""
    store: str
    """The absolute path of the store's root."""


class EndangeredReport(Struct, frozen=True, kw_only=True):
    """A transcript that its agent's own clean-up removes."""

    ref: str | None
    """Names its first conversation for every other command."""
    session: str
    """The session."""
    title: str
    """What it is called."""
    removed: str
    """From when on, ISO 8601 in UTC; from then on it may be gone at any time."""
    bytes: int
    """How large the transcript is."""
    path: str
    """The transcript, relative to its store."""
    store: str
    """The absolute path of the store's root."""


class DamageReport(Struct, frozen=True, kw_only=True):
    """A kept file that is not what was kept."""

    message: str
    """What is wrong with it."""
    path: str
    """The file, relative to the store that it came from."""
    store: str
    """The absolute path of that store's root."""
