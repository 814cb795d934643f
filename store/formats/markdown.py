"""Shared code for editing formats that consist of markdown files."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from store.edits import draft
from store.edits.conflict import ChangedOnDiskError
from store.errors import NotPossibleError, RefusedError, UnreadableError
from store.files.beneath import NOTE_LIMIT, Amended, Root, in_memory
from store.files.frontmatter import HeaderError, read_page
from store.files.frontmatter_edit import Header, locate
from store.findings import Flaw, Severity
from store.kinds.memories import Memory

# The name of a change, as a user would type it after the program's name.

_LONGEST = 60


def said(word: str, titles: Sequence[str], what: str = "memories") -> str:
    """`pin “Redis timeouts”`, `pin 3 memories`."""
    if len(titles) == 1:
        return f"{word} {named(titles[0])}"
    return f"{word} {len(titles)} {what}"


def named(title: str) -> str:
    """A title for a sentence: on one line, shortened."""
    line = " ".join(title.split())
    return f"“{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}”"


def counted(number: int, one: str, many: str) -> str:
    """`1 note`, `3 notes`."""
    return f"{number:,} {one if number == 1 else many}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Some names for a sentence, with the number of further ones."""
    shown = ", ".join(names[:most])
    more = len(names) - most
    return f"{shown} and {more} more" if more > 0 else shown


# The files of a store while a change is prepared: read once, changed in memory.

DERIVED_LIMIT = 256 * 1024 * 1024
"""The largest derived file that is changed; notes have the limit for reading."""


class Changed(NamedTuple):
    """A file before and after; None where it does not exist."""

    path: str
    before: bytes | None
    after: bytes | None


class _Sheet(Struct):
    """One file in memory."""

    before: bytes | None
    after: bytes | None
    remake: draft.Remake | None = None
    shown: draft.Shown | None = None


class PendingFiles:
    """The files below a root with their pending changes; writes none."""

    def __init__(self, root: Root, other: Path | None = None) -> None:
        """`other` is the store's own path, if it is not the store being changed."""
        self.root = root
        self._other = other
        self._sheets: dict[str, _Sheet] = {}
        self._moved: dict[str, str] = {}

    def where(self, path: str) -> str:
        """The current path of a file that may have been moved."""
        while path in self._moved:
            path = self._moved[path]
        return path

    def read(self, path: str) -> bytes:
        """The current bytes of a file; raises if it cannot be changed."""
        path = self.where(path)
        sheet = self._sheets.get(path)
        if sheet is None:
            raw = self._found(path)
            sheet = self._sheets[path] = _Sheet(raw, raw)
        if sheet.after is None:
            raise NotPossibleError(f"{path} no longer exists.")
        return sheet.after

    def has(self, path: str) -> bool:
        """Whether a path currently exists."""
        sheet = self._sheets.get(path)
        if sheet is not None:
            return sheet.after is not None
        try:
            self.root.read(path, limit=0)
        except RefusedError:
            return True
        except UnreadableError:
            return False
        return True

    def write(self, path: str, raw: bytes) -> None:
        """Replace the bytes of a file."""
        self.read(path)
        self._sheets[self.where(path)].after = raw

    def create(self, path: str, raw: bytes) -> None:
        """Create a file."""
        if self.has(path):
            raise NotPossibleError(f"{path} already exists.")
        sheet = self._sheets.setdefault(path, _Sheet(None, None))
        sheet.after = raw
        self._moved.pop(path, None)

    def remove(self, path: str) -> None:
        """Remove a file."""
        path = self._own(path)
        self.read(path)
        self._sheets[path].after = None

    def move(self, path: str, new: str) -> None:
        """Move a file, with its current bytes."""
        path = self._own(path)
        raw = self.read(path)
        if path != new:
            self.remove(path)
            self.create(new, raw)
            self._moved[path] = new

    @property
    def moves(self) -> tuple[draft.FileMove, ...]:
        """The files that were there before and are at another path by now."""
        return tuple(
            draft.FileMove(path=path, new=self.where(path))
            for path in self._moved
            if self._sheets[path].before is not None
        )

    def mask(self, path: str, shown: draft.Shown) -> None:
        """Set how the file is shown to users, without its secrets."""
        self._sheets[path].shown = shown

    def derived(self, path: str) -> bytes | None:
        """The bytes of a derived file; None if it does not exist."""
        if not self.has(path):
            return None
        return self._load(path, DERIVED_LIMIT)

    def derive(self, path: str, remake: draft.Remake) -> bool:
        """Rebuild a derived file from its changed content; False if that fails."""
        known = self._sheets.get(path)
        now = self.derived(path)
        after = remake(now)
        if after is None:
            return False
        before, earlier = (known.before, known.remake) if known else (now, None)
        whole = draft.in_turn([earlier, remake]) if earlier else remake
        self._sheets[path] = _Sheet(before, after, whole)
        return True

    @property
    def amended(self) -> Amended:
        """The files with the changes so far, for reading the store as it would be."""
        changed = {
            path: None if after is None else in_memory(after)
            for path, _, after in self.changed()
        }
        return {**self.root.amended, **changed}

    def changed(self) -> Iterator[Changed]:
        """The files that would change."""
        for path, sheet in self._sheets.items():
            if sheet.before != sheet.after:
                yield Changed(path, sheet.before, sheet.after)

    def steps(self) -> Iterator[draft.FileStep]:
        """The steps: created files first, then changed, derived and removed ones."""
        changed = [path for path, _, _ in self.changed()]
        for path in sorted(changed, key=lambda path: _order(self._sheets[path])):
            sheet = self._sheets[path]
            yield draft.FileStep(
                path=path,
                before=sheet.before,
                after=sheet.after,
                remake=sheet.remake,
                root=self._other,
                shown=sheet.shown,
            )

    def _own(self, path: str) -> str:
        """The path of a file that can be moved or removed: not one that is a link."""
        path = self.where(path)
        sheet = self._sheets.get(path)
        is_new = sheet is not None and sheet.before is None
        if not is_new and self.root.link_text(path) is not None:
            sentence = f"{path} is a link; change its target instead."
            raise NotPossibleError(sentence)
        return path

    def _found(self, path: str) -> bytes:
        try:
            return self._load(path, NOTE_LIMIT)
        except RefusedError:
            raise
        except UnreadableError as error:
            raise ChangedOnDiskError(f"{error} Reload and try again.") from error

    def _load(self, path: str, limit: int) -> bytes:
        blob = self.root.read(path, limit=limit)
        if not blob.whole:
            raise NotPossibleError(f"{path} is too large to change.")
        return blob.raw


def _order(sheet: _Sheet) -> int:
    if sheet.before is None:
        return 0
    if sheet.after is None:
        return 3
    return 2 if sheet.remake else 1


# One change while it is prepared: its files, the store around it, the time.

Change = Callable[[Header], Header]
"""Turns a header into a changed one."""

Stamped = Callable[[Header, int], Header]
"""Sets the modification time of a header."""


class Job:
    """The shared state of one change."""

    def __init__(
        self, root: Root, known: draft.Known, now: int, stamped: Stamped
    ) -> None:
        """`stamped` sets the modification time in a header, as the format writes it."""
        self.files = PendingFiles(root)
        self.known = known
        self.now = now
        self._stamped = stamped
        self.is_grave = False
        self._warnings: dict[str, None] = {}
        self._others: list[PendingFiles] = []

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings for the user, without duplicates."""
        return tuple(self._warnings)

    @property
    def steps(self) -> tuple[draft.FileStep, ...]:
        """Every file that would change; files of other stores come first."""
        everywhere = (*self._others, self.files)
        return tuple(step for files in everywhere for step in files.steps())

    def warn(self, sentence: str) -> None:
        """Add a warning."""
        self._warnings[sentence] = None

    def warn_about_pin(self, kept: Memory, other: Memory) -> None:
        """Warn if a pinned memory is merged into one that is not pinned."""
        if other.pinned and not kept.pinned:
            self.warn(
                f"{named(other.title)} was pinned, but {named(kept.title)} isn't."
            )

    def beside(self, root: Root, path: Path) -> PendingFiles:
        """The pending files of another store."""
        files = PendingFiles(root, path)
        self._others.append(files)
        return files

    def header(self, path: str) -> Header:
        """The current header of a file; raises if it cannot be changed."""
        try:
            return locate(self.files.read(path))
        except HeaderError as error:
            raise _cannot(path, error) from error

    def edit(self, path: str, change: Change) -> None:
        """Change the header of a file."""
        try:
            header = change(self.header(path))
        except HeaderError as error:
            raise _cannot(path, error) from error
        self.files.write(path, header.raw)

    def revise(self, path: str, change: Change) -> None:
        """Change the header of a file, including its modification time."""

        def revised(header: Header) -> Header:
            after = change(header)
            return self._stamped(after, self.now) if after.raw != header.raw else after

        self.edit(path, revised)

    def stamp(self, path: str) -> None:
        """Set the modification time of a file, if it has one."""
        self.edit(path, lambda header: self._stamped(header, self.now))

    def edit_beside(self, path: str, change: Change, what: str) -> None:
        """Change the header of a related file; warn if it cannot be changed."""
        try:
            self.edit(path, change)
        except NotPossibleError as error:
            self.warn(f"{what} won't be updated. {error}")


def memories_of(records: Sequence[draft.Changeable], least: int = 1) -> list[Memory]:
    """The records, all of which must be memories."""
    found = [record for record in records if isinstance(record, Memory)]
    if len(found) < len(records):
        raise NotPossibleError("Only memories can be changed this way.")
    if len(found) < least:
        many = "one memory" if least == 1 else f"{least} memories"
        raise NotPossibleError(f"Choose at least {many}.")
    return found


def open_other(path: Path, sniff: Callable[[Root], bool], kind: str) -> Root:
    """The store that memories are moved to; raises NotPossibleError if it isn't one."""
    try:
        root = Root(path)
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    if not sniff(root):
        root.close()
        raise NotPossibleError(f"{path} isn't {kind} store.")
    return root


def _cannot(path: str, error: HeaderError) -> NotPossibleError:
    return NotPossibleError(f"Can't change {path}. {error}")


def refuse_worse(before: bytes, after: bytes) -> None:
    """Raise if the new text is unreadable and the old one was not."""
    known = {flaw.code for flaw in _errors(before)}
    for flaw in _errors(after):
        if flaw.code not in known:
            raise NotPossibleError(f"Can't save. {flaw.message}")


def _errors(raw: bytes) -> list[Flaw]:
    flaws = read_page(raw).flaws
    return [flaw for flaw in flaws if flaw.severity is Severity.ERROR]
