"""What a memory lacks, or has in the wrong form, put right by the usual values."""

from collections.abc import Callable, Mapping
from uuid import uuid4

from store.edits.refusals import NotPossibleError
from store.findings import Json
from store.formats.agent_memory.layout import KINDS, TASK, is_archive
from store.formats.agent_memory.memory import memory_of
from store.formats.agent_memory.schema import (
    IMPORTANCES,
    TIMES,
    access_count,
    faults,
    instant,
)
from store.formats.agent_memory.scribe.held import Held
from store.formats.agent_memory.scribe.setting import rehome
from store.formats.agent_memory.scribe.work import Work
from store.formats.agent_memory.values import as_text

_TASK = "task_metadata"
_DONE = (_TASK, "completed_at")

Mender = Callable[[Work, Held], None]


def complete(work: Work, held: Held) -> None:
    """Give a memory every field that it ought to have and does not."""
    thing = work.thing(held)
    usual: dict[str, Json] = {
        "id": str(uuid4()),
        "type": held.kind,
        **dict.fromkeys(TIMES, _earliest(work, held)),
        "access_count": 0,
        "tags": [],
        "importance": IMPORTANCES[1],
        "archived": is_archive(held.path),
    }
    for name, value in usual.items():
        if thing.get(name) in (None, "") and value is not None:
            work.set(held, (name,), value)


def put_right(work: Work, held: Held, code: str) -> None:
    """Mend what a problem says of a memory; raises NotPossibleError where it cannot."""
    mender = MENDERS.get(code)
    if mender is None:
        sentence = "There is no telling what it ought to be; edit it by hand."
        raise NotPossibleError(sentence)
    told = [fault.code for fault in faults(work.thing(held), held.kind)]
    if code in told:
        mender(work, held)


def _earliest(work: Work, held: Held) -> Json:
    """The earliest moment that a memory tells of itself, as it is written there."""
    thing = work.thing(held)
    told = [thing.get(name) for name in TIMES]
    known = [(when, one) for one in told if (when := instant(one)) and when.micros]
    return min(known, key=lambda pair: pair[0])[1] if known else work.moment(held)


def _zone(work: Work, held: Held) -> None:
    for name in TIMES:
        _name_zone(work, held, (name,), work.thing(held).get(name))
    data = work.thing(held).get(_TASK)
    if isinstance(data, dict):
        _name_zone(work, held, _DONE, data.get("completed_at"))


def _name_zone(work: Work, held: Held, path: tuple[str, ...], told: Json) -> None:
    when = instant(told)
    if when and when.micros is not None and not _is_zoned(told):
        work.set(held, path, when.iso if isinstance(told, int | float) else f"{told}Z")


def _is_zoned(told: Json) -> bool:
    codes = {fault.code for fault in faults({"created_at": told}, None)}
    return "time-without-zone" not in codes


def _count(work: Work, held: Held) -> None:
    told = work.thing(held).get("access_count")
    text = told.strip() if isinstance(told, str) else ""
    is_number = text.isascii() and text.isdigit() and access_count(int(text))
    work.set(held, ("access_count",), int(text) if is_number else 0)


def _importance(work: Work, held: Held) -> None:
    word = as_text(work.thing(held).get("importance")).strip().lower()
    work.set(held, ("importance",), word if word in IMPORTANCES else IMPORTANCES[1])


def _as_read(name: str) -> Mender:
    """Write a field as it is read already."""

    def write(work: Work, held: Held) -> None:
        thing = work.thing(held)
        read = memory_of(thing, kind=held.kind, line=held.line, archived=False)
        value: dict[str, Json] = {
            "tags": list[Json](read.tags),
            "archived": read.archived,
            "category": as_text(thing.get("category")),
        }
        work.set(held, (name,), value[name])

    return write


def _type(work: Work, held: Held) -> None:
    if held.kind not in KINDS:
        raise NotPossibleError("There is no telling of which type it ought to be.")
    work.set(held, ("type",), held.kind)


def _metadata(work: Work, held: Held) -> None:
    thing = work.thing(held)
    is_done = thing.get("category") == "completed"
    data: dict[str, Json] = {"status": "completed" if is_done else "in-progress"}
    if is_done:
        data["completed_at"] = thing.get("updated_at") or work.moment(held)
    if thing.get("type") == TASK:
        work.set(held, (_TASK,), data)


def _completed(work: Work, held: Held) -> None:
    told = work.thing(held).get("updated_at")
    work.set(held, _DONE, told if instant(told) else work.moment(held))


def _drop(*path: str) -> Mender:
    return lambda work, held: work.unset(held, path)


MENDERS: Mapping[str, Mender] = {
    "missing-fields": complete,
    "missing-id": complete,
    "time-without-zone": _zone,
    "bad-access-count": _count,
    "bad-importance": _importance,
    "bad-tags": _as_read("tags"),
    "bad-archived": _as_read("archived"),
    "bad-category": _as_read("category"),
    "bad-type": _type,
    "missing-task-metadata": _metadata,
    "missing-completed-at": _completed,
    "stray-completed-at": _drop(*_DONE),
    "stray-blockers": _drop(_TASK, "blockers"),
    "type-mismatch": rehome,
}
"""What is done about each fault that can be mended without asking."""
