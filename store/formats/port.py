"""What a format must be able to do: know its stores, list their sources, read one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from store.files.beneath import Root, Stamp
from store.findings import Findings, Flaw, Side
from store.machine import Machine


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


@dataclass(frozen=True, slots=True)
class Refused:
    """Something in a store that is not read, and why: never dropped silently."""

    path: str
    flaw: Flaw


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

    def read(self, source: Source, since: int = 0) -> Findings:
        """Read one source, from an offset where it grows; never raises for content."""
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
