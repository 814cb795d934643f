"""One field of a memory changed: set, tagged, pinned, recalled."""

from collections.abc import Sequence

from store.edits.refusals import NotPossibleError
from store.findings import Json
from store.formats.agent_memory.layout import (
    KINDS,
    STEM_OF,
    TASK,
    Role,
    is_archive,
    kind_of,
    role_of,
)
from store.formats.agent_memory.schema import IMPORTANCES, access_count
from store.formats.agent_memory.scribe.fields import check, path_of, typed, without
from store.formats.agent_memory.scribe.held import Held
from store.formats.agent_memory.scribe.work import Work
from store.records.intents import Retag, Set

_TASK_FIELD = "task_metadata"
_UPDATED = ("updated_at",)


def set_field(work: Work, intent: Set, memories: Sequence[Held]) -> None:
    """Give fields of each memory other values, or take them away."""
    paths = {path_of(name): value for name, value in intent.values.items()}
    for held in memories:
        before = work.thing(held)
        is_task = TASK in [before.get("type"), paths.get(("type",))]
        for path, value in paths.items():
            if path[0] == _TASK_FIELD and not is_task:
                raise NotPossibleError(f"Only a task has a field {path[-1]!r}.")
            if value is None:
                _take_away(work, held, path)
            else:
                _set(work, held, path, typed(path, value, _old(before, path)))
        check(work, held, before)
        if _UPDATED not in paths:
            work.touch_up(held)
        settle_kind(work, held)


def retag(work: Work, intent: Retag, memories: Sequence[Held]) -> None:
    """Add tags and take tags away; all others stay as they are spelt."""
    for held in memories:
        before = work.thing(held)
        tags = before.get("tags")
        if not isinstance(tags, list):
            work.set(held, ("tags",), list[Json](_told(tags)))
            tags = _told(tags)
        for at in reversed(range(len(tags))):
            if tags[at] in intent.remove and tags[at] not in intent.add:
                work.unset(held, ("tags", at))
        for tag in dict.fromkeys(intent.add):
            now = work.thing(held)["tags"]
            if isinstance(now, list) and tag not in now:
                work.set(held, ("tags", len(now)), tag)
        check(work, held, before)
        work.touch_up(held)


def pin(work: Work, memories: Sequence[Held], *, pins: bool) -> None:
    """Say that memories matter; how much they did before is nowhere told."""
    if not pins:
        work.warnings.append("How much it matters stays as it is: `importance`.")
        return
    for held in memories:
        work.set(held, ("importance",), IMPORTANCES[0])
        work.touch_up(held)


def recall(work: Work, memories: Sequence[Held]) -> None:
    """Note that memories were recalled once more."""
    for held in memories:
        count = access_count(work.thing(held).get("access_count")) or 0
        work.set(held, ("access_count",), count + 1)
        work.note_time(held, "accessed_at")


def settle_kind(work: Work, held: Held) -> None:
    """Move a memory whose type is another now to the file for that type."""
    if work.thing(held).get("type") != held.thing.get("type"):
        rehome(work, held)


def rehome(work: Work, held: Held) -> None:
    """Move a memory to the file for its type, if it lies in another."""
    told = work.thing(held).get("type")
    if told == held.kind or told not in KINDS:
        return
    kind = str(told)
    raw = work.file(held.path).take(held)
    work.add(_sibling(work, held.path, kind), kind, raw)


def _sibling(work: Work, path: str, kind: str) -> str:
    """The file beside another that is for a kind of memory."""
    if role_of(path) is Role.AGENT:
        return path
    if not is_archive(path):
        return work.live_file(kind)
    return path.replace(STEM_OF.get(kind_of(path) or "", "\0"), STEM_OF[kind])


def _set(work: Work, held: Held, path: tuple[str, ...], value: Json) -> None:
    for length in range(1, len(path)):
        if not isinstance(_old(work.thing(held), path[:length]), dict):
            work.set(held, path[:length], {})
    work.set(held, path, value)
    if path == (_TASK_FIELD, "status"):
        _settle_status(work, held, value)


def _settle_status(work: Work, held: Held, status: Json) -> None:
    """What goes with a status comes with it, and goes with it."""
    done = (_TASK_FIELD, "completed_at")
    if status != "completed":
        work.unset(held, done)
    elif _old(work.thing(held), done) is None:
        work.set(held, done, work.moment(held))
    if status != "blocked":
        work.unset(held, (_TASK_FIELD, "blockers"))


def _take_away(work: Work, held: Held, path: tuple[str, ...]) -> None:
    usual = without(path)
    if usual is None:
        work.unset(held, path)
    else:
        work.set(held, path, usual)


def _old(thing: Json, path: tuple[str, ...]) -> Json:
    for step in path:
        thing = thing.get(step) if isinstance(thing, dict) else None
    return thing


def _told(tags: Json) -> list[Json]:
    """Tags that stand in one text, as they are read."""
    if isinstance(tags, str):
        return [tag.strip() for tag in tags.split(",") if tag.strip()]
    return []
