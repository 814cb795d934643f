"""What commands report: stores, sync progress, plans, changes, backups, the vault."""

from msgspec import Struct

# Reports about stores and about changes.


class StoreReport(Struct, frozen=True, kw_only=True):
    """A store: its location, format and size."""

    path: str
    """The absolute path of its root."""
    format: str
    """Its format."""
    name: str
    """Its name: the project, or the folder."""
    memories: int
    """The number of memories."""
    edges: int
    """The number of edges."""
    episodes: int
    """The number of episodes."""
    conversations: int
    """The number of conversations."""
    messages: int
    """The number of messages."""
    events: int
    """The number of events."""
    measures: int
    """The number of measures."""
    problems: int
    """The number of problems."""
    bytes: int
    """The total size of its files."""
    writable: bool
    """Whether the user has allowed changes."""


class Progress(Struct, frozen=True):
    """The progress of a sync."""

    done: int
    """Files read so far."""
    total: int
    """Files to read."""


class SyncReport(Struct, frozen=True, kw_only=True):
    """The result of updating the catalogue."""

    seconds: float
    """The duration in seconds."""
    files: int
    """The number of files checked."""
    changed: int
    """The number of new or changed files, which were read."""
    removed: int
    """The number of files removed since the last sync."""
    bytes: int
    """The number of bytes read."""
    records: int
    """The number of records written to the catalogue."""
    problems: int
    """The number of problems in the stores now."""


class Step(Struct, frozen=True, kw_only=True):
    """One file that a plan would change."""

    path: str
    """The file, relative to the store."""
    before: str | None
    """Its text now; null if the file is created."""
    after: str | None
    """Its text afterwards; null if the file is removed."""
    diff: str
    """The unified diff."""
    brief: str | None = None
    """What git shows of a moved file or a new mode; empty for the moved file's old
    path; null otherwise."""

    @property
    def shown(self) -> str:
        """The diff for people."""
        return self.diff if self.brief is None else self.brief

    @property
    def amount(self) -> tuple[int, int]:
        """The number of added and removed lines."""
        heads = ("--- ", "+++ ")
        lines = [one for one in self.shown.split("\n") if not one.startswith(heads)]
        added = sum(line.startswith("+") for line in lines)
        return added, sum(line.startswith("-") for line in lines)


class Plan(Struct, frozen=True, kw_only=True):
    """What a change would do, before it is made."""

    action: str
    """The action."""
    steps: tuple[Step, ...]
    """The changes, file by file."""
    warnings: tuple[str, ...]
    """Side effects of the change."""
    refs: tuple[str, ...] = ()
    """The records that it changes."""
    titles: tuple[str, ...] = ()
    """Their titles, in the same order; empty if unknown."""
    count: int = 0
    """How many records or problems it is about; problems may have no ref."""


class Change(Struct, frozen=True, kw_only=True):
    """A change that was made."""

    change: str
    """The id of the change, for undo."""
    action: str
    """The action."""
    refs: tuple[str, ...]
    """The affected records."""
    paths: tuple[str, ...]
    """The changed files."""
    backup: str | None
    """The folder that contains the bytes from before."""
    undo: str
    """The command that undoes it."""
    notes: tuple[str, ...] = ()
    """Further messages, one sentence each."""


class Clash(Struct, frozen=True, kw_only=True):
    """A file of a half-done change; null if there is no file."""

    store: str
    """The absolute path of the root of its store."""
    path: str
    """The file, relative to the store; a row of a database as `file:table`."""
    base: str | None
    """Its content before the change."""
    mine: str | None
    """The content that the change writes."""
    theirs: str | None
    """The content that the other program wrote."""


class Past(Struct, frozen=True, kw_only=True):
    """A change, as recorded in the journal."""

    change: str
    """The id of the change, for undo."""
    at: str
    """When it was made, ISO 8601 in UTC."""
    action: str
    """The action."""
    store: str
    """The absolute path of the root of its store."""
    stores: tuple[str, ...]
    """The absolute paths of the roots of all changed stores, its own first."""
    refs: tuple[str, ...]
    """The affected records."""
    paths: tuple[str, ...]
    """The changed files, relative to the store."""
    undone: bool
    """Whether it was undone."""
    half_done: bool = False
    """Whether another program wrote to its files meanwhile, so that `resolve` has to
    choose between that version and ours."""
    conflicts: tuple[Clash, ...] = ()
    """The files of a half-done change that the other program wrote to."""


class Backup(Struct, frozen=True, kw_only=True):
    """A file before a change."""

    backup: str
    """The name of the backup, for `return`."""
    change: str | None
    """The change before which it was made; null if the store's own program made it."""
    at: str | None
    """When it was made, ISO 8601."""
    action: str | None
    """The action of that change."""
    store: str
    """The absolute path of the store's root."""
    path: str
    """The original file, relative to the store."""
    bytes: int
    """Its size in bytes."""
    kept: str
    """The absolute path of the backup."""


# What is in the vault, and what is not saved yet.


class KeptReport(Struct, frozen=True, kw_only=True):
    """A session that is saved in the vault, safe from the agent's clean-up."""

    ref: str | None
    """The ref of its first conversation; null if no open store has it."""
    session: str
    """The session."""
    title: str
    """Its title when it was first saved."""
    at: str
    """When it was last saved, ISO 8601 in UTC."""
    files: int
    """The number of saved files: its transcript, and the files that belong to it."""
    bytes: int
    """The total size of the saved files."""
    gone: bool
    """Whether the original transcript is gone."""
    path: str
    """The transcript, relative to its store."""
    store: str
    """The absolute path of the store's root."""


class EndangeredReport(Struct, frozen=True, kw_only=True):
    """A transcript that the agent's clean-up will remove."""

    ref: str | None
    """The ref of its first conversation."""
    session: str
    """The session."""
    title: str
    """Its title."""
    removed: str
    """The time from which it may be removed, ISO 8601 in UTC."""
    bytes: int
    """The size of the transcript."""
    path: str
    """The transcript, relative to its store."""
    store: str
    """The absolute path of the store's root."""


class DamageReport(Struct, frozen=True, kw_only=True):
    """A file in the vault that differs from what was saved."""

    message: str
    """What is wrong with it."""
    path: str
    """The original file, relative to its store."""
    store: str
    """The absolute path of the store's root."""
