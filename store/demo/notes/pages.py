"""A note in each of the forms that its writers have used over time."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from store.demo.days import iso_z
from store.demo.identity import identify
from store.demo.model import Note


def page(note: Note, changed: datetime) -> str:
    """The file of a note; V0 has no header at all."""
    if note.form == "V0":
        return note.body
    extras = "\n".join(_FORMS[note.form](note, changed))
    head = f"---\nname: {note.name}\ndescription: {note.description}\n{extras}\n---\n"
    return f"{head}\n{note.body}"


def _v1(note: Note, _: datetime) -> Iterator[str]:
    yield f"type: {note.type}"


def _v2(note: Note, _: datetime) -> Iterator[str]:
    yield f"type: {note.type}"
    yield f"originSessionId: {_origin(note)}"


def _v3(note: Note, _: datetime) -> Iterator[str]:
    yield "metadata: "
    yield f"  type: {note.type}"


def _v4(note: Note, _: datetime) -> Iterator[str]:
    yield "metadata: "
    yield "  node_type: memory"
    yield f"  type: {note.type}"


def _v5(note: Note, changed: datetime) -> Iterator[str]:
    yield from _v4(note, changed)
    yield f"  originSessionId: {_origin(note)}"


def _v6(note: Note, changed: datetime) -> Iterator[str]:
    yield from _v5(note, changed)
    yield f"  modified: {iso_z(changed - timedelta(milliseconds=38))}"


_FORMS: dict[str, Callable[[Note, datetime], Iterator[str]]] = {
    "V1": _v1,
    "V2": _v2,
    "V3": _v3,
    "V4": _v4,
    "V5": _v5,
    "V6": _v6,
}


def _origin(note: Note) -> str:
    return identify("session", note.session or note.file)
