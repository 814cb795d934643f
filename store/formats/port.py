"""The interface of a format: recognise its stores, list their files, read one."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import Struct, field

from store.errors import NotPossibleError, RefusedError, UnreadableError
from store.files.beneath import Entry, Kind, Root, Stamp
from store.findings import START, UNREADABLE, Findings, Flaw, Json, Mark, Severity, Side
from store.machine import Machine
from store.reports import AnyReport, Row
from store.resource import Closing

if TYPE_CHECKING:
    from store.derive.conversations import Rule
    from store.derive.texts import Exchange
    from store.edits.draft import Scribe, Shown


class Source(NamedTuple):
    """One file of a store; a tuple, because a scan creates a hundred thousand."""

    path: str
    """Relative to the store, parts joined by `/`; undecodable bytes as surrogates."""
    role: str
    """Its role, as the format names it; decides how it is read."""
    stamp: Stamp
    """Shows whether it changed since it was read."""
    grows: bool = False
    """Whether it is append-only, so that reading can continue where it ended."""
    compares: bool = False
    """Whether reading it from its last mark compares it with what was read before."""


class Refused(Struct, frozen=True):
    """Something in a store that is not read, with the reason to report."""

    path: str
    flaw: Flaw


class Place(Struct, frozen=True):
    """The position of a message in its source."""

    offset: int
    """The byte offset of its first line."""
    extent: int
    """The number of bytes from there to the end of its last line."""
    line: int
    """Its first line, or its row."""
    key: str
    """A key that is unique within its source."""


class Passage(Struct, frozen=True):
    """A complete message from its source."""

    parts: tuple[dict[str, Json], ...] = ()
    """Its blocks in order: text, thinking, calls, results, pictures."""
    fields: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """Everything else in its lines, unchanged."""


class Rebuilt(Struct, frozen=True):
    """A derived file as it would be after a rebuild."""

    path: str
    """The file, relative to the store."""
    before: str | None
    """Its text now; None if it does not exist."""
    after: str
    """Its text afterwards."""
    warnings: tuple[str, ...] = ()
    """Warnings for the user."""


class Vectors(Struct, frozen=True):
    """Embedding vectors of memories, made by a model."""

    model: str | None
    """The model that made them."""
    by_key: Mapping[str, Sequence[float]]
    """The vector of each memory, by the memory's key; all of one length."""
    unusable: int = 0
    """The number of further vectors that are damaged, empty or of another length."""
    path: str = ""
    """The file that contains them, relative to the store."""
    updated: int | None = None
    """When they were made, in microseconds since 1970, if it says so."""
    wanted: str | None = None
    """The model that the store's settings name, if they do."""

    @property
    def dimensions(self) -> int:
        """The length of each vector; 0 without vectors."""
        return next(map(len, self.by_key.values()), 0)

    def holds(self, key: str, vector: Sequence[float]) -> bool:
        """Whether a memory has this vector, which may be rounded here."""
        here = self.by_key.get(key, ())
        if len(here) != len(vector) or not vector:
            return False
        return all(abs(a - b) < _ROUNDED for a, b in zip(here, vector, strict=True))


_ROUNDED = 1e-6
"""How far a number in a file of vectors may be from the one that was made."""


class OpenStore(Closing):
    """A store that is being read; leaving the `with` block closes it.

    Methods that have a body here are for features that a format may lack.
    """

    @property
    @abstractmethod
    def title(self) -> str:
        """The name of the store: its project if known, or else its folder."""

    @abstractmethod
    def glance(self) -> bytes | None:
        """A digest that is the same while nothing changes, or None.

        None means that a scan is as cheap as this would be.
        """

    @abstractmethod
    def scan(self) -> Iterator[Source | Refused]:
        """List all files by name and stamp, without opening any."""

    def source_at(self, path: str) -> Source | None:
        """The source for a regular file, as `scan` would list it.

        None if it is not a source, or if that depends on other files of the store.
        """
        del path

    @abstractmethod
    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source, from a mark if it grows; never raises for bad content.

        A large source is read in pieces: `Findings.more` says whether there is more.
        """

    def read_lines(
        self, source: Source, exchange: "Exchange", others: int
    ) -> Findings | None:
        """Read only the changed lines, and the problems of the whole file.

        `others` is the number of memories on its other lines. None if the file can only
        be read as a whole. Raises UnreadableError.
        """
        del source, exchange, others

    def passage(self, source: Source, place: Place) -> Passage:
        """Read a complete message at its position; raises UnreadableError."""
        raise UnreadableError(f"{source.path} has no message at line {place.line}.")

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """The rows of one of the format's reports."""
        del report, words, now
        return iter(())

    def rebuild(self, name: str) -> Iterator[Rebuilt]:
        """A derived file as it would be after a rebuild; nothing is written."""
        del name
        return iter(())

    def vectors(self) -> Vectors | None:
        """The vectors in the store; None if it has none.

        They are read now and may be many. Raises UnreadableError.
        """
        return None


class Format(Protocol):
    """A format in which memories are stored."""

    name: str
    """Its name in `format` fields and on the command line."""
    about: str
    """What its stores are, in a few words for `recollect help formats`."""
    kinds: frozenset[str]
    """The kinds of record that its stores can have."""
    facts: frozenset[str]
    """Which of strength, importance and uses its memories have."""
    two_sided: frozenset[Side]
    """The sides that every edge should have, if it has one of them."""
    hosts: frozenset[str]
    """The names of formats whose stores may be inside its own."""
    lies_among_others: bool
    """Whether its files lie among many that are not its own.

    Then the folder of a store is neither searched nor watched.
    """
    stays_open: bool
    """Whether a reader keeps a store open, as looking around in it takes time."""
    rebuilds: frozenset[str]
    """The derived files that can be rebuilt, as named on the command line."""
    appends: frozenset[str]
    """The kinds of entry that its logs take, as named on the command line."""
    usually: str
    """The usual places of its stores as text, for a user without stores."""

    @property
    def editable(self) -> bool:
        """Whether its stores may be changed at all."""
        ...

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        """The reports that its stores support."""
        ...

    @property
    def fixes(self) -> frozenset[str]:
        """The codes of the problems that can be fixed."""
        ...

    def places(self, machine: Machine) -> Iterable[Path]:
        """The folders on this machine that usually contain such stores."""
        ...

    def by_place(self, machine: Machine) -> Iterable[Path]:
        """The stores on this machine that are known by their place, not by content.

        They are added where other stores are found.
        """
        ...

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, judging by its content."""
        ...

    def keeps(self, folder: str) -> bool:
        """Whether a top-level folder is the store's own, without other stores in it."""
        ...

    def backup(self, path: Path) -> Path | None:
        """The folder beside a store that it reads, too; None if it reads none."""
        ...

    def rule(self, path: Path) -> "tuple[Path, Rule] | None":
        """The folder of transcripts that its program reads, and how it divides them."""
        ...

    def open(self, path: Path) -> OpenStore:
        """Open a store for reading."""
        ...

    def scribe(self, path: Path) -> "Scribe":
        """Open a store to prepare changes; raises if it cannot be changed."""
        ...

    def shown(self, path: str) -> "Shown | None":
        """What users see instead of a file's bytes, if those are secret."""
        ...


# Refusals, and tolerant reading, that are the same in every format.


def refused(
    path: str, code: str, message: str, severity: Severity = Severity.WARNING
) -> Refused:
    """Something that is not read, with the reason."""
    return Refused(path, Flaw(code=code, message=message, severity=severity))


def special(path: str) -> Refused:
    """Refuse what is neither a file nor a folder."""
    message = "Pipe, socket or device; skipped."
    return refused(path, "special-file", message)


def leads_out(path: str) -> Refused:
    """Refuse a link out of the store."""
    message = "Link skipped; it is broken or points outside the store."
    return refused(path, "link-leads-out", message)


def entries_of(root: Root, folder: str) -> list[Entry]:
    """The entries of a folder; none if it cannot be read."""
    with suppress(UnreadableError):
        return root.entries(folder)
    return []


def beginning_of(root: Root, path: str, size: int) -> bytes:
    """The beginning of a file; empty if it cannot be read."""
    with suppress(UnreadableError):
        return root.read(path, limit=size).raw
    return b""


def derived_text(root: Root, found: Source | Refused, limit: int) -> str:
    """The text of a derived file, from which its exact bytes can be restored."""
    if isinstance(found, Refused):
        raise RefusedError(found.flaw.message)
    blob = root.read(found.path, limit=limit)
    if not blob.whole:
        raise UnreadableError(f"{found.path} is too large to rebuild.")
    return blob.raw.decode(errors="surrogateescape")


def walked(
    root: Root, folder: str, depth: int, enters: Callable[[str], bool] = bool
) -> Iterator[Entry | Refused]:
    """Every entry below a folder; a folder that cannot be opened is refused.

    Only folders whose name passes `enters` are opened.
    """
    for entry in root.walk(folder, depth=depth, enters=enters):
        if isinstance(entry, Entry):
            yield entry
        else:
            path, error = entry
            yield refused(path, "folder-not-entered", str(error))


def descended(
    root: Root, most: int, enters: Callable[[str], bool], folder: str = ""
) -> Iterator[Entry | Refused]:
    """Every entry, the content of each folder in its place; those not entered, too."""
    try:
        entries = root.entries(folder)
    except UnreadableError as error:
        yield refused(folder or ".", UNREADABLE, str(error), Severity.ERROR)
        return
    for entry in entries:
        if entry.kind is not Kind.FOLDER or not enters(entry.name):
            yield entry
        elif entry.path.count("/") < most:
            yield from descended(root, most, enters, entry.path)
        else:
            message = f"More than {most} folders deep; skipped."
            yield refused(entry.path, "too-deep", message)


# Defaults for formats that lack a feature.


class FormatDefaults:
    """A format without reports, derived files, fixes, and stores inside its own."""

    facts: frozenset[str] = frozenset()
    two_sided: frozenset[Side] = frozenset()
    rebuilds: frozenset[str] = frozenset()
    appends: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    lies_among_others = False
    stays_open = False

    def by_place(self, machine: Machine) -> Iterable[Path]:
        """Return none: its stores are recognised by their content."""
        del machine
        return ()

    def backup(self, path: Path) -> Path | None:
        """Return None: a store is one folder."""
        del path

    def rule(self, path: Path) -> "tuple[Path, Rule] | None":
        """Return None: its program reads no transcripts."""
        del path

    def scribe(self, path: Path) -> "Scribe":
        """Raise: its stores are read-only."""
        raise NotPossibleError(f"{path} is read-only.")

    def shown(self, path: str) -> "Shown | None":
        """Return None: its files contain no secrets by design."""
        del path

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        """No reports."""
        return ()

    @property
    def fixes(self) -> frozenset[str]:
        """No fixes."""
        return frozenset()


class FormatAround(FormatDefaults):
    """Another format whose stores are read in another way."""

    def __init__(self, inner: Format) -> None:
        self.inner = inner
        self.name = inner.name
        self.about = inner.about
        self.kinds = inner.kinds
        self.facts = inner.facts
        self.two_sided = inner.two_sided
        self.lies_among_others = inner.lies_among_others
        self.usually = inner.usually

    def shown(self, path: str) -> "Shown | None":
        """As the format has it."""
        return self.inner.shown(path)

    def places(self, machine: Machine) -> Iterable[Path]:
        """Its stores are known already, so none is looked for."""
        del machine
        return ()

    def sniff(self, root: Root) -> bool:
        """As the format has it."""
        return self.inner.sniff(root)

    def keeps(self, folder: str) -> bool:
        """As the format has it."""
        return self.inner.keeps(folder)

    def backup(self, path: Path) -> Path | None:
        """As the format has it."""
        return self.inner.backup(path)
