"""What a format must be able to do: know its stores, list their sources, read one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from msgspec import Struct, field

from store.derive.exchange import Exchange
from store.files.beneath import Root, Stamp
from store.findings import START, Findings, Flaw, Json, Mark, Side
from store.machine import Machine

if TYPE_CHECKING:
    from store.edits.draft import Shown
    from store.edits.port import Scribe


class Source(NamedTuple):
    """One file of a store; a tuple, because a scan makes a hundred thousand."""

    path: str
    """Relative to the store, parts joined by `/`; undecodable bytes as surrogates."""
    role: str
    """What it is to its store, in the format's own word; decides how it is read."""
    stamp: Stamp
    """Tells whether it moved since it was read."""
    grows: bool = False
    """Whether it is only ever appended to, so that reading can go on where it ended."""


class Refused(Struct, frozen=True):
    """Something in a store that is not read, and why: never dropped silently."""

    path: str
    flaw: Flaw


class Place(Struct, frozen=True):
    """Where a message lies in its source."""

    offset: int
    """The byte that its first line begins at."""
    extent: int
    """How many bytes lie between there and the end of its last line."""
    line: int
    """The line, or the row, that it starts at."""
    key: str
    """What tells it from every other message of its source."""


class Passage(Struct, frozen=True):
    """A message as its source holds it, nothing left out."""

    parts: tuple[dict[str, Json], ...] = ()
    """Its blocks in order: texts, thoughts, calls, results, pictures."""
    fields: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """What its lines say beside that, as it stands."""


class Question(Struct, frozen=True):
    """Something that the stores of a format can be asked, beside being listed."""

    name: str
    """The word for it on the command line."""
    help: str
    """What the answer tells, in one line."""
    words: str = ""
    """What may follow the name, as a usage line would say it."""


class Rebuilt(Struct, frozen=True):
    """A derived file as it would be, made anew from what it is derived from."""

    path: str
    """The file, relative to the store."""
    before: str | None
    """Its text now; None where there is no such file."""
    after: str
    """Its text then."""
    warnings: tuple[str, ...] = ()
    """What the user ought to know before it is written."""


class Vectors(Struct, frozen=True):
    """What memories mean, as the numbers that a model made of them."""

    model: str | None
    """The model that made them."""
    by_key: Mapping[str, Sequence[float]]
    """The vector of each memory, by the memory's key; all of one length."""
    unusable: int = 0
    """How many more there are that are damaged, empty or of another length."""

    @property
    def dimensions(self) -> int:
        """How long each vector is; 0 where there is none."""
        return next(map(len, self.by_key.values()), 0)


class OpenStore(Protocol):
    """A store that is being read; leaving the `with` block closes it."""

    @property
    def title(self) -> str:
        """What to call the store: its project where that can be told, or its folder."""
        ...

    def glance(self) -> bytes | None:
        """The same bytes as long as nothing moved; None where a scan is as cheap."""
        ...

    def scan(self) -> Iterator[Source | Refused]:
        """List what there is, cheaply: names and stamps, no file is opened."""
        ...

    def source_at(self, path: str) -> Source | None:
        """The source that a regular file is, as `scan` would list it.

        None where it is none, or where that depends on what else lies in the store.
        """
        ...

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one source, from a mark where it grows; never raises for content.

        A large source is read in pieces: the findings say that there is more.
        """
        ...

    def read_lines(
        self, source: Source, exchange: Exchange, others: int
    ) -> Findings | None:
        """What the lines that came say, and whatever is wrong with the whole file.

        `others` is how many memories stand on its other lines. None where a file is
        only read whole. Raises UnreadableError.
        """
        ...

    def passage(self, source: Source, place: Place) -> Passage:
        """A message whole, read from where it lies."""
        ...

    def ask(
        self, question: str, words: Sequence[str], now: int
    ) -> Iterator[Mapping[str, Json]]:
        """Answer one of the format's questions, row by row."""
        ...

    def rebuild(self, name: str) -> Iterator[Rebuilt]:
        """What a derived file would be if it were made anew; nothing is written."""
        ...

    def vectors(self) -> Vectors | None:
        """The vectors that the store keeps, None where it keeps none.

        They are read now and may be many. Raises UnreadableError.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Format(Protocol):
    """A way of writing memories down."""

    @property
    def name(self) -> str:
        """The word for it in `format` fields and on the command line."""
        ...

    @property
    def editable(self) -> bool:
        """Whether its stores may be changed at all."""
        ...

    @property
    def two_sided(self) -> frozenset[Side]:
        """The sides that belong together: an edge with one ought to have all."""
        ...

    @property
    def questions(self) -> tuple[Question, ...]:
        """What its stores can be asked."""
        ...

    @property
    def hosts(self) -> frozenset[str]:
        """The formats, by name, whose stores may lie within its own."""
        ...

    @property
    def rebuilds(self) -> frozenset[str]:
        """The derived files that can be made anew, in the command line's words."""
        ...

    @property
    def usually(self) -> str:
        """Where its stores usually lie, in words, for who found none."""
        ...

    def places(self, machine: Machine) -> Iterable[Path]:
        """Folders on this machine beneath which such stores usually lie."""
        ...

    def sniff(self, root: Root) -> bool:
        """Whether the folder is such a store, told by what is in it."""
        ...

    def keeps(self, folder: str) -> bool:
        """Whether a folder at the top of a store is its own, so no store lies in it."""
        ...

    def open(self, path: Path) -> OpenStore:
        """Open a store for reading."""
        ...

    def scribe(self, path: Path) -> "Scribe":
        """Open a store to say what changes would write; refuses where none can be."""
        ...

    def shown(self, path: str) -> "Shown | None":
        """What people are shown in place of a file's bytes, where those are secret."""
        ...
