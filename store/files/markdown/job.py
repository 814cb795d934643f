"""One change while it is worked out: its files, the store around it, the time."""

from collections.abc import Callable, Sequence
from pathlib import Path

from store.edits.draft import FileStep
from store.edits.port import Changeable, Known
from store.edits.refusals import NotPossibleError
from store.files.beneath import Root
from store.files.frontmatter.errors import HeaderError
from store.files.frontmatter.header import Header, locate
from store.files.markdown.bench import Bench
from store.records.memory import Memory

Change = Callable[[Header], Header]
"""What becomes of a header."""

Stamped = Callable[[Header, int], Header]
"""What becomes of a header that was changed at a time."""


class Job:
    """What the parts of one change share."""

    def __init__(self, root: Root, known: Known, now: int, stamped: Stamped) -> None:
        """`stamped` lets a header say that it was changed, as its format says it."""
        self.bench = Bench(root)
        self.known = known
        self.now = now
        self._stamped = stamped
        self.is_grave = False
        self._warnings: dict[str, None] = {}
        self._others: list[Bench] = []

    @property
    def warnings(self) -> tuple[str, ...]:
        """What else the user ought to know, each once."""
        return tuple(self._warnings)

    @property
    def steps(self) -> tuple[FileStep, ...]:
        """Every file that would change; what another store gets comes first."""
        benches = (*self._others, self.bench)
        return tuple(step for bench in benches for step in bench.steps())

    def warn(self, sentence: str) -> None:
        """Tell the user something besides."""
        self._warnings[sentence] = None

    def beside(self, root: Root, path: Path) -> Bench:
        """A bench for the files of another store."""
        bench = Bench(root, path)
        self._others.append(bench)
        return bench

    def header(self, path: str) -> Header:
        """The header of a file as it is by now; refuses one that cannot be changed."""
        try:
            return locate(self.bench.read(path))
        except HeaderError as error:
            raise _cannot(path, error) from error

    def edit(self, path: str, change: Change) -> None:
        """Change the header of a file."""
        try:
            header = change(self.header(path))
        except HeaderError as error:
            raise _cannot(path, error) from error
        self.bench.write(path, header.raw)

    def revise(self, path: str, change: Change) -> None:
        """Change the header of a file, which then says that it was changed now."""

        def revised(header: Header) -> Header:
            after = change(header)
            return self._stamped(after, self.now) if after.raw != header.raw else after

        self.edit(path, revised)

    def stamp(self, path: str) -> None:
        """Let a file say that it was changed now, where it says when that was."""
        self.edit(path, lambda header: self._stamped(header, self.now))

    def edit_beside(self, path: str, change: Change, what: str) -> None:
        """Change a file that only goes along; one that cannot be changed is named."""
        try:
            self.edit(path, change)
        except NotPossibleError as error:
            self.warn(f"{what} stays as it is. {error}")


def memories_of(records: Sequence[Changeable], least: int = 1) -> list[Memory]:
    """The records, all of which have to be memories."""
    found = [record for record in records if isinstance(record, Memory)]
    if len(found) < len(records):
        raise NotPossibleError("This can be done with memories alone.")
    if len(found) < least:
        many = "one memory" if least == 1 else f"{least} memories"
        raise NotPossibleError(f"This takes {many} at least.")
    return found


def _cannot(path: str, error: HeaderError) -> NotPossibleError:
    return NotPossibleError(f"{path} cannot be changed. {error}")
