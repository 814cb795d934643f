"""Read a file by its role; notes, backlogs, copies and markers are read here."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import cast

from msgspec import Struct

from store.derive.events import RUNNING
from store.errors import UnreadableError
from store.files.beneath import Blob, Root
from store.files.frontmatter import read_page
from store.files.json_read import DamagedJsonError, Line, load, read_lines
from store.findings import (
    START,
    UNREADABLE,
    DocumentFound,
    Findings,
    Flaw,
    Json,
    Mark,
    MeasureFound,
    Severity,
    Value,
)
from store.formats.kei.databases import (
    agent_line,
    read_analyzer,
    read_ledger,
    skill_line,
)
from store.formats.kei.journals import (
    JournalReader,
    ReaderOf,
    Reading,
    Record,
    agent_events,
    figures,
    instant,
    read_growing,
    read_tasks,
    text,
    without,
)
from store.formats.kei.layout import COPY, Reach, Role, original
from store.formats.kei.traces import passage_of, trace_reader, with_purpose
from store.formats.port import Passage, Place, Source

# Markers that a timer leaves while something runs; they may be left over.

_SESSION, _TASK, _END = ".session-", ".task-", ".start"
_LONGEST_NUMBER = 18


def read_marker(path: str, blob: Blob) -> Findings:
    """The running session or task, as far as its marker shows."""
    name = PurePosixPath(path).name.removesuffix(_END)
    told = _told(blob.raw)
    start = told.get("start_epoch")
    measure = MeasureFound(
        kind="session" if name.startswith(_SESSION) else "task",
        line=1,
        name=text(told, "desc"),
        id=text(told, "id") or name.removeprefix(_SESSION).removeprefix(_TASK),
        session=name.removeprefix(_SESSION) if name.startswith(_SESSION) else None,
        start=instant(start),
        source=PurePosixPath(path).name,
        fields={"state": RUNNING, **without(told, ("id", "desc", "start_epoch"))},
    )
    if measure.start is None or measure.start.micros is None:
        flaw = Flaw(code="no-start", message="The marker has no start time.")
        return Findings(measures=(measure,), flaws=(flaw,))
    return Findings(measures=(measure,))


def _told(raw: bytes) -> Record:
    """The content of a marker: seconds since 1970, or an object that contains them."""
    words = raw.decode("utf-8", errors="replace").strip()
    if words.isascii() and words.isdigit() and len(words) <= _LONGEST_NUMBER:
        return {"start_epoch": int(words)}
    with suppress(DamagedJsonError):
        held = cast("Json", load(raw))
        if isinstance(held, dict):
            return held
    return {}


# What a mirrored copy has beyond its original.
#
# A copy is made once and never updated, so it is usually the start of its original.

_DIGEST = 12


def stands_in(root: Root, original: str) -> Callable[[Line], bool]:
    """A test for lines that the original has as well."""
    try:
        known = {_digest(line.raw) for line in read_lines(root, original)}
    except UnreadableError:
        return lambda _line: False
    return lambda line: _digest(line.raw) in known


def _digest(raw: bytes | None) -> bytes:
    return blake2b(raw or b"", digest_size=_DIGEST).digest()


# Backlogs: of the audit, and of the nightly work in the mirror.
#
# The audit's lines are `- [VERDICT yyyy-mm-dd] class ×count rest`, below a comment with
# the number of sessions checked; other backlogs are plain list items.

_SESSIONS = re.compile(r"<!--\s*session_count:\s*(\d{1,18})\s*-->")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(?:\[([^\]\n]{0,80})\][ \t]*)?(.*)")
_VERDICT = re.compile(r"([A-Z][A-Z-]{2,20})(?:[ \t]+(\d{4}-\d\d-\d\d))?")
_COUNTED = re.compile(r"(\S+)[ \t]+[×x](\d{1,18})(?:[ \t]+|$)(.*)")
_DONE = frozenset({"x", "X"})


class Item(Struct, frozen=True, kw_only=True):
    """An entry of a backlog."""

    line: int
    state: str | None
    """Its verdict; `open` or `done` in a list with checkboxes."""
    date: str | None = None
    event_class: str | None = None
    """What recurred, and how often."""
    count: int | None = None
    text: str = ""

    def as_fact(self) -> Value:
        """The entry as a fact of a document."""
        facts = {
            "line": str(self.line),
            "state": self.state,
            "date": self.date,
            "class": self.event_class,
            "count": None if self.count is None else str(self.count),
            "text": self.text,
        }
        return {key: value for key, value in facts.items() if value}


class Backlog(Struct, frozen=True):
    """A whole backlog."""

    items: tuple[Item, ...]
    sessions: int | None
    """The number of sessions checked for it."""


def read_backlog(text: str) -> Backlog:
    """The entries of a backlog, and the facts in its head."""
    lines = enumerate(text.split("\n"), 1)
    items = (_item(number, line.rstrip("\r")) for number, line in lines)
    told = _SESSIONS.search(text)
    return Backlog(tuple(filter(None, items)), int(told[1]) if told else None)


def _item(number: int, line: str) -> Item | None:
    found = _ITEM.fullmatch(line)
    if not found:
        return None
    mark, rest = found[1], found[2].strip()
    verdict = _VERDICT.fullmatch(mark.strip()) if mark else None
    if verdict:
        return _judged(number, verdict[1], verdict[2], rest)
    if mark is not None and mark.strip() in {"", *_DONE}:
        return Item(line=number, state="done" if mark in _DONE else "open", text=rest)
    words = f"[{mark}] {rest}" if mark is not None else rest
    return Item(line=number, state=None, text=words) if words else None


def _judged(number: int, state: str, date: str | None, rest: str) -> Item:
    counted = _COUNTED.fullmatch(rest)
    if not counted:
        return Item(line=number, state=state, date=date, text=rest)
    return Item(
        line=number,
        state=state,
        date=date,
        event_class=counted[1],
        count=int(counted[2]),
        text=counted[3],
    )


# Other files of a store: notes, logs, reports and lists, each as a document.

_INDEX = "MEMORY.md"
_PRIVATE = "[PRIVATE]"
_MARKDOWN = ".md"


def read_page_of(path: str, blob: Blob) -> Findings:
    """A file as a document; a Markdown header becomes a fact."""
    inside = PurePosixPath(original(path))
    page = read_page(blob.raw, whole=blob.whole) if _is_markdown(inside) else None
    text = page.body if page else blob.raw.decode("utf-8", errors="replace")
    facts: dict[str, Value] = {"lines": str(len(text.splitlines()))}
    if page and page.fields:
        facts["header"] = page.fields
    if _PRIVATE in text:
        facts["private"] = "yes"
    title = (_heading(text) or inside.stem) if page else inside.name
    document = DocumentFound(
        title=title,
        role="memory-index" if inside.name == _INDEX else "document",
        text=text,
        category=inside.parent.name or None,
        facts=facts,
    )
    return Findings(documents=(document,), flaws=page.flaws if page else _cut(blob))


def read_backlog_of(path: str, blob: Blob) -> Findings:
    """A backlog as a document, with its entries as facts."""
    text = blob.raw.decode("utf-8", errors="replace")
    backlog = read_backlog(text)
    facts: dict[str, Value] = {"entries": [item.as_fact() for item in backlog.items]}
    if backlog.sessions is not None:
        facts["sessions"] = str(backlog.sessions)
    name = PurePosixPath(original(path)).stem
    document = DocumentFound(
        title=_heading(text) or name,
        role="document",
        text=text,
        category="backlog",
        facts=facts,
    )
    return Findings(documents=(document,), flaws=_cut(blob))


def _is_markdown(path: PurePosixPath) -> bool:
    return path.suffix == _MARKDOWN


def _heading(text: str) -> str:
    """The first heading of a page; empty if there is no heading."""
    lines = (line for line in text.splitlines() if line.startswith("#"))
    return next((words for line in lines if (words := line.strip("# \t"))), "")


def _cut(blob: Blob) -> tuple[Flaw, ...]:
    flaws: list[Flaw] = []
    if not blob.whole:
        message = "File too large; only the beginning is shown."
        flaws.append(Flaw(code="cut-short", message=message))
    try:
        blob.raw.decode()
    except UnicodeDecodeError:
        if blob.whole:
            message = "Not valid UTF-8; invalid bytes are shown as �."
            flaws.append(
                Flaw(code="not-utf-8", message=message, severity=Severity.WARNING)
            )
    return tuple(flaws)


# A file by its role.

_WHOLE: Mapping[str, Callable[[str, Blob], Findings]] = {
    Role.MARKER: read_marker,
    Role.BACKLOG: read_backlog_of,
    Role.PAGE: read_page_of,
}
_OPENED_LINES: Mapping[str, Reading] = {
    Role.FIGURES: figures,
    Role.AGENT_EVENTS: agent_events,
    Role.AGENT_LINES: agent_line,
    Role.SKILL_LINES: skill_line,
}


class KeiReader:
    """Reads the files of one store."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one file, or one piece of it."""
        try:
            return self._read(source, since)
        except UnreadableError as error:
            flaw = Flaw(code=UNREADABLE, message=str(error), severity=Severity.ERROR)
            return Findings(flaws=(flaw,))

    def passage(self, source: Source, place: Place) -> Passage:
        """A whole message of a trace."""
        root, path = self._reach.of(source.path)
        return passage_of(root, path, place)

    def _read(self, source: Source, since: Mark) -> Findings:
        root, path = self._reach.of(source.path)
        role = source.role.removesuffix(COPY)
        if role in _WHOLE:
            return _WHOLE[role](source.path, root.read(path))
        match role:
            case Role.DATABASE:
                return read_analyzer(root, path, source.path, since)
            case Role.LEDGER:
                return read_ledger(root, path)
            case Role.COVERED:
                return Findings()
            case Role.TASKS:
                return read_tasks(root, path, self._known(source))
            case _:
                reader = _reader_of(role, source.path)
                found = read_growing(root, path, since, reader, self._known(source))
                return with_purpose(root, path, found)

    def _known(self, source: Source) -> Callable[[Line], bool] | None:
        """A test for lines of a copy that its original has too; None if not a copy."""
        if not source.role.endswith(COPY):
            return None
        return stands_in(self._reach.root, original(source.path))


def _reader_of(role: str, path: str) -> ReaderOf:
    """A factory of readers for files that are read line by line."""
    reading = _OPENED_LINES.get(role)
    return (lambda _known: JournalReader(reading)) if reading else trace_reader(path)
