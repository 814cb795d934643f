"""The indexes that list notes: which one lists which, and what changes in each."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.files.beneath import Kind, Root
from store.files.markdown.bench import Bench
from store.files.markdown.job import Job
from store.files.markdown.saying import named
from store.formats.notes.gauge import BYTE_LIMIT, LINE_LIMIT
from store.formats.notes.placement import is_of_a_loop
from store.formats.notes.roles import INDEX, Role, role_of
from store.formats.notes.scribe.lines import (
    LineEdit,
    added,
    changed,
    dropped,
    lines_of,
    put_first,
    targets,
)
from store.formats.notes.scribe.listing import whole
from store.formats.notes.scribe.note import Listed, is_listed, listed
from store.formats.notes.scribe.ruled import is_by_rule

USUAL = "MEMORY.md"

_NEARLY = 0.8
"""The share of a limit from which on the user is told of it."""


class Indexes:
    """What becomes of the indexes of one store."""

    def __init__(self, job: Job, bench: Bench) -> None:
        self._job = job
        self._bench = bench
        self._edits: defaultdict[str, list[LineEdit]] = defaultdict(list)
        self._known: dict[str, str | None] = {}
        self.types: dict[str, str] = {}
        """The type of each note that is known, by its path."""

    def add(self, note: Listed, *, first: bool = False) -> None:
        """List a note, unless one index does already."""
        path = self._nearest(note.path) or self._new(note)
        if path is None or not is_listed(self._bench.root.path.name, note.path):
            return
        folder = path.rpartition("/")[0]
        self._edits[path].append(added(folder, note, self.types, first=first))

    def drop(self, path: str, *, tells: bool = True) -> None:
        """List a note no more; `tells` of sentences that go on naming it."""
        for index in self._all:
            folder, text = index.rpartition("/")[0], self._text(index) or ""
            if path not in targets(folder, text):
                continue
            self._edits[index].append(dropped(folder, path))
            for one in lines_of(folder, text) if tells else ():
                if one.target == path and not one.leads:
                    self._job.warn(
                        f"{index} names {path} on line {one.number + 1} within a"
                        " sentence, which stays."
                    )

    def change(self, old: Listed, new: Listed) -> None:
        """Let every line about a note say what it says by now."""
        for index in self._all:
            folder, text = index.rpartition("/")[0], self._text(index) or ""
            if old.path in targets(folder, text):
                self._edits[index].append(changed(folder, old, new))

    def put_first(self, note: Listed) -> None:
        """Put a note before all others, where somebody keeps the index in order."""
        index = self._nearest(note.path)
        if index is None:
            return
        if is_by_rule(self._text(index) or ""):
            self._job.warn(
                f"{index} is in the order of its files, so its order says nothing of"
                f" {named(note.name)}."
            )
            return
        folder = index.rpartition("/")[0]
        if note.path in targets(folder, self._text(index) or ""):
            self._edits[index].append(put_first(folder, note.path))
        else:
            self.add(note, first=True)

    def edit(self, index: str, edit: LineEdit) -> None:
        """Change an index otherwise."""
        self._edits[index].append(edit)

    def keep(self) -> None:
        """Put all that onto the bench, and tell how full the indexes get.

        Whatever else a note says of itself by now, be it by its first line alone, its
        own line says.
        """
        for path, before, _ in list(self._bench.changed()):
            place = self._bench.where(path)
            if before is not None and self._bench.has(place) and self._lists(path):
                old, new = listed(path, before), listed(place, self._bench.read(place))
                if old != new:
                    self.change(old, new)
        for path, edits in self._edits.items():
            if not self._bench.derive(path, lambda raw, e=edits: _edited(raw, e)):
                self._job.warn(f"{path} is no UTF-8 text and is left alone.")
        for path, before, after in list(self._bench.changed()):
            if path in self._edits and after is not None:
                self._gauge(path, before or b"", after)

    def _lists(self, path: str) -> bool:
        return role_of(self._bench.root.path.name, path) is Role.MEMORY

    def _gauge(self, path: str, before: bytes, after: bytes) -> None:
        """Warn where agents load an index in part alone, or soon will."""
        lines = after.count(b"\n") + (not after.endswith(b"\n") and after != b"")
        fullest = max(lines / LINE_LIMIT, len(after) / BYTE_LIMIT)
        if fullest < _NEARLY or len(after) <= len(before):
            return
        self._job.warn(
            f"{path} has {lines:,} of {LINE_LIMIT} lines and {len(after):,} of"
            f" {BYTE_LIMIT:,} bytes then"
            + ("; agents never see the rest." if fullest > 1 else ".")
        )

    @cached_property
    def _all(self) -> list[str]:
        """Every index that is known of, and the one at the top."""
        top = index_in(self._bench.root, "")
        known = (self._nearest(memory.path) for memory in self._job.known.memories())
        return list(dict.fromkeys(path for path in (top, *known) if path))

    def _nearest(self, path: str) -> str | None:
        """The index of a note's folder, else the one of the folder above."""
        folder = path.rpartition("/")[0]
        if folder not in self._known:
            found = index_in(self._bench.root, folder)
            above = self._nearest(folder) if folder else None
            self._known[folder] = found or above
        return self._known[folder]

    def _new(self, note: Listed) -> str | None:
        """The index that is made for a note, where the store has none."""
        root = self._bench.root
        memories = any(True for _ in self._job.known.memories())
        if is_of_a_loop(root.path) or not memories:
            self._known[note.path.rpartition("/")[0]] = USUAL
            if memories:
                self._edits[USUAL].append(lambda _: whole(root))
            return USUAL
        self._job.warn(
            f"There is no {USUAL}, so agents that load only that do not learn of this;"
            " `recollect rebuild notes-index` makes one."
        )
        return None

    def _text(self, index: str) -> str | None:
        try:
            raw = self._bench.derived(index)
        except (UnreadableError, NotPossibleError):
            return None
        return None if raw is None else raw.decode(errors="surrogateescape")


def index_in(root: Root, folder: str) -> str | None:
    """The index in a folder; None where there is none that is a plain file."""
    try:
        entries = root.entries(folder)
    except UnreadableError:
        return None
    found = [
        e.path for e in entries if e.name.casefold() == INDEX and e.kind is Kind.FILE
    ]
    return found[0] if found else None


def _edited(raw: bytes | None, edits: Sequence[LineEdit]) -> bytes | None:
    try:
        text = (raw or b"").decode()
    except UnicodeDecodeError:
        return None
    if "\0" in text:
        return None
    for edit in edits:
        text = edit(text)
    return text.encode()
