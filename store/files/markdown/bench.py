"""The files of a store while a change is worked out: read once, changed in memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from store.edits.draft import FileStep, Remake, Shown
from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from store.errors import RefusedError, UnreadableError
from store.files.beneath import NOTE_LIMIT, Root

DERIVED_LIMIT = 256 * 1024 * 1024
"""The largest derived file that is changed; notes may be as large as they are read."""


class Changed(NamedTuple):
    """A file, as it was and as it is by now; None where there is, or was, none."""

    path: str
    before: bytes | None
    after: bytes | None


class _Sheet(Struct):
    """One file on the bench."""

    before: bytes | None
    after: bytes | None
    remake: Remake | None = None
    shown: Shown | None = None


class Bench:
    """Reads files beneath a root and keeps what would become of them; writes none."""

    def __init__(self, root: Root, other: Path | None = None) -> None:
        """`other` is the store's own path, where it is not the one that is changed."""
        self.root = root
        self._other = other
        self._sheets: dict[str, _Sheet] = {}
        self._moved: dict[str, str] = {}

    def where(self, path: str) -> str:
        """Where a file lies by now that lay at a path."""
        while path in self._moved:
            path = self._moved[path]
        return path

    def read(self, path: str) -> bytes:
        """All bytes of a file as they are by now; refuses what cannot be changed."""
        path = self.where(path)
        sheet = self._sheets.get(path)
        if sheet is None:
            raw = self._found(path)
            sheet = self._sheets[path] = _Sheet(raw, raw)
        if sheet.after is None:
            raise NotPossibleError(f"{path} is not there any more.")
        return sheet.after

    def has(self, path: str) -> bool:
        """Whether there is anything at a path by now."""
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
        """Put other bytes in the place of what was read."""
        self.read(path)
        self._sheets[self.where(path)].after = raw

    def create(self, path: str, raw: bytes) -> None:
        """Make a file where there is none."""
        if self.has(path):
            raise NotPossibleError(f"There is a {path} already.")
        sheet = self._sheets.setdefault(path, _Sheet(None, None))
        sheet.after = raw
        self._moved.pop(path, None)

    def remove(self, path: str) -> None:
        """Take a file away."""
        path = self._own(path)
        self.read(path)
        self._sheets[path].after = None

    def move(self, path: str, new: str) -> None:
        """Put a file at another path, with the bytes that it has by now."""
        path = self._own(path)
        raw = self.read(path)
        if path != new:
            self.remove(path)
            self.create(new, raw)
            self._moved[path] = new

    def mask(self, path: str, shown: Shown) -> None:
        """Let people see of a file only what may be seen."""
        self._sheets[path].shown = shown

    def derived(self, path: str) -> bytes | None:
        """All bytes of a derived file, None where there is none."""
        if not self.has(path):
            return None
        return self._load(path, DERIVED_LIMIT)

    def derive(self, path: str, remake: Remake) -> bool:
        """Make a derived file from what it is; False where that cannot be done."""
        before = self.derived(path)
        after = remake(before)
        if after is None:
            return False
        self._sheets[path] = _Sheet(before, after, remake)
        return True

    def changed(self) -> Iterator[Changed]:
        """The files that would not be what they were."""
        for path, sheet in self._sheets.items():
            if sheet.before != sheet.after:
                yield Changed(path, sheet.before, sheet.after)

    def steps(self) -> Iterator[FileStep]:
        """What is made, what is changed, what is derived, what goes: in this order."""
        changed = [path for path, _, _ in self.changed()]
        for path in sorted(changed, key=lambda path: _order(self._sheets[path])):
            sheet = self._sheets[path]
            yield FileStep(
                path=path,
                before=sheet.before,
                after=sheet.after,
                remake=sheet.remake,
                root=self._other,
                shown=sheet.shown,
            )

    def _own(self, path: str) -> str:
        """The path of a file that may go from there: not that of a link to one."""
        path = self.where(path)
        sheet = self._sheets.get(path)
        is_new = sheet is not None and sheet.before is None
        if not is_new and self.root.link_text(path) is not None:
            sentence = f"{path} is a link; change what it leads to."
            raise NotPossibleError(sentence)
        return path

    def _found(self, path: str) -> bytes:
        try:
            return self._load(path, NOTE_LIMIT)
        except RefusedError:
            raise
        except UnreadableError as error:
            raise ChangedOnDiskError(f"{error} Look again.") from error

    def _load(self, path: str, limit: int) -> bytes:
        blob = self.root.read(path, limit=limit)
        if not blob.whole:
            raise NotPossibleError(f"{path} is too large to be changed.")
        return blob.raw


def _order(sheet: _Sheet) -> int:
    if sheet.before is None:
        return 0
    if sheet.after is None:
        return 3
    return 2 if sheet.remake else 1
