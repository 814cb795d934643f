"""Whether a folder is a store of this format, told by what is in it."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice

from store.errors import UnreadableError
from store.files.beneath import Entry, Kind, Root
from store.files.jsonl import parse
from store.files.sqlite import open_database
from store.formats.kei.growing import Record
from store.formats.kei.layout import DATABASE, METRICS, TRACES
from store.formats.kei.measures import shape_of
from store.formats.kei.values import text

_HEAD = 256 * 1024
"""How much of a file tells what it is."""

_FILES, _LINES = 8, 20
"""How many files, and lines of each, are looked into; one good line is enough."""

_GRAPH = "graph"
_TABLES = frozenset({"events", "sessions", "coaccess", "patterns"})
_LEGACY_KINDS = frozenset({"tool_use", "tool_result", "other"})
_CONVERSED = ("sessionId", "uuid", "leafUuid", "messageId")
_TIMED = frozenset({"start_epoch", "duration_s", "evidence_tier", "tool_stats"})


def sniff(root: Root) -> bool:
    """Whether there are traces, journals of figures, or the analyzer's database."""
    names = {entry.name: entry for entry in _entries(root, "")}
    if _is_a_graph(root, names.get(_GRAPH)):
        return False
    return (
        _holds(root, names.get(TRACES), is_trace)
        or _holds(root, names.get(METRICS), _is_figure)
        or _is_database(root, names.get(DATABASE))
    )


def is_trace(record: Record) -> bool:
    """Whether a line is one of a transcript, or of the flat form before that."""
    if isinstance(record.get("type"), str):
        speaks = isinstance(record.get("message"), dict)
        return speaks or any(key in record for key in _CONVERSED)
    if type(record.get("ts")) is not int:
        return False
    return "event_class" in record or text(record, "kind") in _LEGACY_KINDS


def _is_figure(record: Record) -> bool:
    return shape_of(record) is not None and not _TIMED.isdisjoint(record)


def _entries(root: Root, folder: str) -> list[Entry]:
    with suppress(UnreadableError):
        return root.entries(folder)
    return []


def _is_a_graph(root: Root, graph: Entry | None) -> bool:
    """Whether markdown memories lie in a graph, which is what the folder then is."""
    if graph is None or graph.kind is not Kind.FOLDER:
        return False
    folders = (e for e in _entries(root, graph.path) if e.kind is Kind.FOLDER)
    pages = (e for f in folders for e in _entries(root, f.path))
    return any(e.kind is Kind.FILE and e.name.endswith(".md") for e in pages)


def _holds(root: Root, folder: Entry | None, fits: Callable[[Record], bool]) -> bool:
    """Whether a folder holds journals with lines that fit."""
    if folder is None or folder.kind is not Kind.FOLDER:
        return False
    journals = (
        entry.path
        for entry in _entries(root, folder.path)
        if entry.kind is Kind.FILE and entry.name.endswith(".jsonl")
    )
    found = (r for path in islice(journals, _FILES) for r in _records(root, path))
    return any(map(fits, found))


def _records(root: Root, path: str) -> Iterator[Record]:
    """The records that a journal begins with."""
    try:
        head = root.read(path, limit=_HEAD).raw
    except UnreadableError:
        return
    for raw in islice(head.split(b"\n"), _LINES):
        for value in parse(raw).values:
            if isinstance(value, dict):
                yield value


def _is_database(root: Root, entry: Entry | None) -> bool:
    if entry is None or entry.kind is not Kind.FILE:
        return False
    try:
        with open_database(root, entry.path) as database:
            return set(database.tables) >= _TABLES
    except UnreadableError:
        return False
