"""Operations as entries of the journal, and back."""

from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from store.edits.draft import Marking
from store.edits.kept.deeds import (
    Deed,
    FileDeed,
    LinesDeed,
    ModeDeed,
    RowChange,
    RowsDeed,
)
from store.edits.kept.journal import Entry
from store.edits.kept.operation import Kind, Operation, State
from store.files.replacing import Attributes, End
from store.findings import Json

_ENDS = {
    "back": State.BACKWARDS,
    "done": State.DONE,
    "aborted": State.ABORTED,
    "unsettled": State.UNSETTLED,
    "seen": State.ABORTED,
}


def begun(operation: Operation) -> Entry:
    """The entry that comes before anything is done."""
    return {
        "entry": "begun",
        "id": operation.id,
        "time": operation.time,
        "kind": operation.kind.value,
        "change": operation.change,
        "action": operation.action,
        "refs": list(operation.refs),
        "root": str(operation.root),
        "locks": [[str(root), name] for root, name in operation.locks],
        "shuns": [list(shunned) for shunned in operation.shuns],
        "marks": [_marking(mark) for mark in operation.marks],
        "pid": operation.pid,
        "deeds": [_deed(deed) for deed in operation.deeds],
    }


def overwriting(operation: Operation, number: int) -> Entry:
    """The entry that comes before a file is overwritten in place."""
    return {"entry": "overwriting", "id": operation.id, "deed": number}


def backwards(operation: Operation) -> Entry:
    """The entry that comes before what failed is taken back."""
    return {"entry": "back", "id": operation.id}


def aborted(operation: Operation) -> Entry:
    """The entry that ends an operation of which nothing is left."""
    return {"entry": "aborted", "id": operation.id}


def unsettled(operation: Operation) -> Entry:
    """The entry that leaves an operation to people."""
    return {"entry": "unsettled", "id": operation.id}


def seen(operation: Operation) -> Entry:
    """The entry with which a person is done with what was left to people."""
    return {"entry": "seen", "id": operation.id}


def done(operation: Operation) -> Entry:
    """The entry with which an operation is done."""
    settled: dict[str, Json] = {
        str(number): None if pair is None else list(pair)
        for number, pair in operation.settled.items()
    }
    return {
        "entry": "done",
        "id": operation.id,
        "notes": list(operation.notes),
        "settled": settled,
    }


def add(found: dict[str, Operation], entries: list[Entry]) -> None:
    """Add what some entries tell to the operations that were found before them."""
    for entry in cast("list[dict[str, Any]]", entries):
        if entry["entry"] == "begun":
            found[entry["id"]] = _begun(entry)
        elif entry.get("id") in found:
            found[entry["id"]] = _further(found[entry["id"]], entry)


def _further(operation: Operation, entry: dict[str, Any]) -> Operation:
    """An operation after one more entry about it."""
    if entry["entry"] == "overwriting":
        return replace(operation, overwritten=operation.overwritten | {entry["deed"]})
    state = _ENDS.get(entry["entry"])
    if state is None:
        return operation
    if state is not State.DONE:
        return replace(operation, state=state)
    return replace(
        operation,
        state=state,
        notes=tuple(entry["notes"]),
        settled={
            int(number): None if pair is None else (pair[0], pair[1])
            for number, pair in entry["settled"].items()
        },
    )


def _begun(entry: dict[str, Any]) -> Operation:
    return Operation(
        id=entry["id"],
        time=entry["time"],
        kind=Kind(entry["kind"]),
        change=entry["change"],
        action=entry["action"],
        refs=tuple(entry["refs"]),
        root=Path(entry["root"]),
        locks=tuple((Path(root), name) for root, name in entry["locks"]),
        shuns=tuple((path, age) for path, age in entry["shuns"]),
        marks=tuple(map(_marking_of, entry.get("marks", ()))),
        pid=entry["pid"],
        deeds=tuple(map(_deed_of, entry["deeds"])),
    )


def _marking(mark: Marking) -> Entry:
    return {
        "path": mark.path,
        "id": mark.id,
        "name": mark.name,
        "is_set": mark.is_set,
        "root": None if mark.root is None else str(mark.root),
    }


def _marking_of(entry: dict[str, Any]) -> Marking:
    return Marking(
        path=entry["path"],
        id=entry["id"],
        name=entry["name"],
        is_set=entry["is_set"],
        root=None if entry["root"] is None else Path(entry["root"]),
    )


def _deed(deed: Deed) -> Entry:
    if isinstance(deed, RowsDeed):
        return {
            "database": deed.path,
            "root": str(deed.root),
            "rows": [_row(row) for row in deed.rows],
        }
    if isinstance(deed, LinesDeed):
        return {
            "appended": deed.path,
            "root": str(deed.root),
            "size": deed.end.size,
            "tail": _packed(deed.end.tail),
            "lines": _packed(deed.lines),
            "mtime_ns": deed.mtime_ns,
            "takes": deed.takes,
        }
    if isinstance(deed, ModeDeed):
        return {
            "mode_of": deed.path,
            "root": str(deed.root),
            "before": deed.before,
            "after": deed.after,
        }
    return {
        "file": deed.path,
        "root": str(deed.root),
        "before": deed.before,
        "after": deed.after,
        "temp": deed.temp,
        "derived": deed.is_derived,
        "folders": list(deed.folders),
        "about": _attributes(deed.about),
        "restores": _attributes(deed.restores),
        "mode": deed.mode,
    }


def _deed_of(entry: dict[str, Any]) -> Deed:
    root = Path(entry["root"])
    if "database" in entry:
        rows = tuple(map(_row_of, entry["rows"]))
        return RowsDeed(root=root, path=entry["database"], rows=rows)
    if "appended" in entry:
        return LinesDeed(
            root=root,
            path=entry["appended"],
            end=End(entry["size"], b64decode(entry["tail"])),
            lines=b64decode(entry["lines"]),
            mtime_ns=entry["mtime_ns"],
            takes=entry["takes"],
        )
    if "mode_of" in entry:
        before, after = entry["before"], entry["after"]
        return ModeDeed(root=root, path=entry["mode_of"], before=before, after=after)
    return FileDeed(
        root=root,
        path=entry["file"],
        before=entry["before"],
        after=entry["after"],
        temp=entry["temp"],
        is_derived=entry["derived"],
        folders=tuple(entry["folders"]),
        about=_attributes_of(entry["about"]),
        restores=_attributes_of(entry["restores"]),
        mode=entry["mode"],
    )


def _row(row: RowChange) -> Entry:
    return {
        "table": row.table,
        "key": dict(row.key),
        "before": row.before,
        "after": row.after,
        "triggers": list(row.triggers),
    }


def _row_of(entry: dict[str, Any]) -> RowChange:
    return RowChange(
        table=entry["table"],
        key=entry["key"],
        before=entry["before"],
        after=entry["after"],
        triggers=tuple(entry["triggers"]),
    )


def _attributes(about: Attributes | None) -> Json:
    if about is None:
        return None
    extended: list[Json] = [[name, _packed(value)] for name, value in about.extended]
    return [about.mode, about.uid, about.gid, about.mtime_ns, extended]


def _packed(raw: bytes) -> str:
    return b64encode(raw).decode("ascii")


def _attributes_of(told: list[Any] | None) -> Attributes | None:
    if told is None:
        return None
    mode, uid, gid, mtime_ns, extended = told
    pairs = tuple((name, b64decode(value)) for name, value in extended)
    return Attributes(mode, uid, gid, mtime_ns, pairs)
