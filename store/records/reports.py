"""What commands report about stores and about what they did."""

from msgspec import Struct


class StoreReport(Struct, frozen=True, kw_only=True):
    """A store: where it is, what it is, how much it holds."""

    path: str
    """The absolute path of its root."""
    format: str
    """How it is written."""
    name: str
    """What to call it: the project, or the folder."""
    memories: int
    """How many memories it holds."""
    edges: int
    """How many edges."""
    episodes: int
    """How many episodes."""
    conversations: int
    """How many conversations."""
    messages: int
    """How many messages."""
    events: int
    """How many events."""
    measures: int
    """How many measures."""
    problems: int
    """How many problems."""
    bytes: int
    """How large its files are together."""
    writable: bool
    """Whether its owner may change it from here."""


class Progress(Struct, frozen=True):
    """How far a sync is."""

    done: int
    """Files read so far."""
    total: int
    """Files to be read."""


class SyncReport(Struct, frozen=True, kw_only=True):
    """What bringing the catalogue up to date took."""

    seconds: float
    """How long it took."""
    files: int
    """How many files were looked at."""
    changed: int
    """How many of them were read, being new or changed."""
    removed: int
    """How many are gone since the last time."""
    bytes: int
    """How much was read."""
    records: int
    """How many records were written into the catalogue."""
    problems: int
    """How many problems the stores have now."""


class Step(Struct, frozen=True, kw_only=True):
    """One file that a plan would change."""

    path: str
    """The file, relative to the store."""
    before: str | None
    """Its text now; null when it would be made."""
    after: str | None
    """Its text then; null when it would be removed."""
    diff: str
    """The difference, as a unified diff."""


class Plan(Struct, frozen=True, kw_only=True):
    """What a change would do, before it does it."""

    action: str
    """What would be done."""
    steps: tuple[Step, ...]
    """File by file."""
    warnings: tuple[str, ...]
    """What else it would make happen."""


class Change(Struct, frozen=True, kw_only=True):
    """A plan that was carried out."""

    change: str
    """Names the change for undo."""
    action: str
    """What was done."""
    refs: tuple[str, ...]
    """The records that it touched."""
    paths: tuple[str, ...]
    """The files that it touched."""
    backup: str | None
    """Where the bytes from before are kept."""
    undo: str
    """The command that takes it back."""
    notes: tuple[str, ...] = ()
    """What there is to say besides, a sentence each."""


class Past(Struct, frozen=True, kw_only=True):
    """A change as the journal tells it."""

    change: str
    """Names the change for undo."""
    at: str
    """When it was made, ISO 8601 in UTC."""
    action: str
    """What was done."""
    store: str
    """The absolute path of the root of the store that it was made in."""
    refs: tuple[str, ...]
    """The records that it was about."""
    paths: tuple[str, ...]
    """The files that it touched, relative to the store."""
    undone: bool
    """Whether it was taken back."""


class Backup(Struct, frozen=True, kw_only=True):
    """A file as it was before a change."""

    backup: str
    """Names the backup for `return`."""
    change: str | None
    """The change that it was kept for; null where the store's own program kept it."""
    at: str | None
    """When it was kept, ISO 8601."""
    action: str | None
    """What that change did."""
    store: str
    """The absolute path of the store's root."""
    path: str
    """The file that it is a backup of, relative to the store."""
    bytes: int
    """How large it is."""
    kept: str
    """Where it lies: an absolute path."""
