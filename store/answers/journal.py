"""The journal of changes: what is in it, what broke off, what is kept beside it."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store.answers.stores import Access, OpenStores
from store.errors import LockedError, NotWrittenError
from store.records.reports import Clash
from store.state import NAME, keep_marks
from store.text import regex

if TYPE_CHECKING:
    from store.edits.conflict import Conflict
    from store.edits.draft import Marking, Shown
    from store.edits.engine import Engine
    from store.edits.journal import Remember
    from store.edits.recovery import Unsaved
    from store.edits.undo import Stores, Verdict
    from store.records.reports import Past

_NEAR = 4096
"""Bytes to read from the end of the journal."""

_ENDS = tuple(
    b'{"entry":"%b"' % end for end in (b"done", b"aborted", b"unsettled", b"seen")
)
"""How the last entry starts if no operation is unfinished."""

_DECIDING = regex(rb'\{"entry":"(unsettled|late|seen)","id":"(\w+)"')
"""An entry that makes a change half done, or resolves it."""


def may_be_open(changes: Path) -> bool:
    """Whether there may be interrupted changes or replaced files to settle.

    What an earlier start could not settle is left for the next change.
    """
    try:
        with (changes / "journal.jsonl").open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _NEAR))
            tail = file.read()
        last = tail.removesuffix(b"\n").rpartition(b"\n")[2].partition(b" ")[2]
        is_ended = tail.endswith(b"\n") and last.startswith(_ENDS)
        return not is_ended or any((changes / "limbo").iterdir())
    except FileNotFoundError:
        return False
    except OSError:
        return True


def may_be_half_done(changes: Path) -> bool:
    """Whether there may be half-done changes; finds out without parsing the entries."""
    try:
        raw = (changes / "journal.jsonl").read_bytes()
    except OSError:
        return False
    last = {change: entry for entry, change in _DECIDING.findall(raw)}
    return any(entry != b"seen" for entry in last.values())


_SETTINGS = ".json"
"""How files end that may hold a key."""


class Journal:
    """What was changed before, and what was typed and not saved."""

    settled: tuple[str, ...] = ()
    """What had broken off and was settled, a sentence each."""

    def __init__(self, stores: OpenStores, access: Access, save: "Remember") -> None:
        """`save` pins and unpins conversations."""
        self._stores = stores
        self._access = access
        self._save = save
        self._at_work: Engine | None = None
        self._is_settled = False

    def past(self, stores: "Stores" = None) -> "list[Past]":
        """The changes made, newest first; none if this session cannot write."""
        return [] if self._stores.writing is None else self.engine.past(stores)

    def half_done(self) -> "list[Past]":
        """The half-done changes, each with both versions of its files.

        The user has to `resolve` or `dismiss` these.
        """
        writing = self._stores.writing
        if writing is None or not may_be_half_done(writing.places.state / "changes"):
            return []
        return [
            replace(past, conflicts=tuple(map(self._clash, conflicts)))
            for past, conflicts in self.engine.half_done()
        ]

    def _clash(self, conflict: "Conflict") -> Clash:
        """A conflict as text, with the secrets of its file masked."""
        shown = self.shown(conflict.root, conflict.path.partition(":")[0])
        text = replace(conflict, shown=shown).text
        return Clash(
            store=str(conflict.root),
            path=conflict.path,
            base=text(conflict.base),
            mine=text(conflict.ours),
            theirs=text(conflict.theirs),
        )

    def settle(self) -> None:
        """Finish or undo interrupted changes, once; `settled` reports the outcome.

        If another process is writing, they wait until the next change.
        """
        writing = self._stores.writing
        if self._is_settled or writing is None or writing.is_forbidden:
            return
        self._is_settled = True
        if may_be_open(writing.places.state / "changes"):
            with suppress(LockedError, NotWrittenError):
                self.settled = tuple(self.engine.recover())

    def keep_draft(
        self, name: str, text: bytes, was: bytes | None = None, **of: str | None
    ) -> None:
        """Save a text that can't be written to its store yet, and what it was based on.

        `of` may name the `title` and the `store` of its record. Raises NotWrittenError.
        """
        self.engine.unsaved.keep(name, text, was, **of)

    def drafts(self) -> "list[Unsaved]":
        """All texts saved as drafts, newest first."""
        return [] if self._stores.writing is None else self.engine.unsaved.all()

    def drop_draft(self, name: str) -> None:
        """Delete a draft; raises NotWrittenError."""
        self.engine.unsaved.drop(name)

    def verify(self) -> "list[Verdict]":
        """Check that everything undo depends on is present and intact."""
        return self.engine.verify()

    def purge(self) -> int:
        """Forget all changes and their backups; returns the number of bytes freed.

        None of them can be undone afterwards.
        """
        self._access.require_session()
        return self.engine.purge()

    def close(self) -> None:
        """Close the catalogue and the journal."""
        if self._at_work is not None:
            self._at_work.close()
            self._at_work = None

    def _remember(self, root: Path, marks: "Sequence[Marking]", now: int) -> None:
        """Save the marks that a store has no field for; raises NotWrittenError."""
        keep_marks(self._access.writing.places, str(root), marks, now)
        saved = [one for one in marks if one.name != NAME]
        if saved:
            self._save(root, saved, now)

    def shown(self, root: Path, path: str) -> "Shown | None":
        """What users see instead of a file's bytes, if those are secret.

        If the store is not open, its format is unknown, so its settings are hidden.
        """
        for found in self._stores.found:
            if found.path == root:
                return found.format.shown(path)
        return _hidden if path.endswith(_SETTINGS) else None

    @property
    def engine(self) -> "Engine":
        """The engine, imported on first use."""
        if self._at_work is None:
            from store.edits.engine import Engine  # noqa: PLC0415  # only for changes

            writing = self._access.writing
            self._at_work = Engine(writing.places, writing.clock, self._remember)
        return self._at_work


def _hidden(_raw: bytes) -> bytes:
    return b"(not shown)\n"
