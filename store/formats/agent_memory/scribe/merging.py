"""One memory made of several: the first stays, what the others add goes into it."""

from collections.abc import Sequence

from store.edits.refusals import NotPossibleError
from store.files.jsonl.exact import Pairs, exact
from store.files.jsonl.splice import value_at, with_text
from store.findings import Json
from store.formats.agent_memory.schema import (
    IMPORTANCES,
    Thing,
    access_count,
    instant,
)
from store.formats.agent_memory.scribe.fields import check, path_of, typed
from store.formats.agent_memory.scribe.held import Held
from store.formats.agent_memory.scribe.work import Work
from store.records.intents import Merge

_OWN = frozenset({"id", "type", "content", "archived", "updated_at"})


def merge(work: Work, intent: Merge, memories: Sequence[Held]) -> None:
    """Unite memories in the first of them; the others go."""
    first, *others = memories
    if not others:
        raise NotPossibleError("It takes two memories to merge.")
    unite(work, first, others, intent.body)
    before = work.thing(first)
    for name, value in intent.fields.items():
        path = path_of(name)
        work.set(first, path, typed(path, value, before.get(path[0])))
    check(work, first, before)
    work.touch_up(first)


def unite(
    work: Work, first: Held, others: Sequence[Held], body: str | None = None
) -> None:
    """Put into the first what only the others have, and take the others out."""
    things = [work.thing(held) for held in (first, *others)]
    work.set(first, ("content",), _joined(things) if body is None else body)
    if any(thing.get("tags") for thing in things):
        work.set(first, ("tags",), _tags(things))
    work.set(first, ("importance",), _importance(things))
    counts = [access_count(thing.get("access_count")) or 0 for thing in things]
    work.set(first, ("access_count",), sum(counts))
    for name, latest in (("created_at", False), ("accessed_at", True)):
        told = _time(things, name, latest=latest)
        if told is not None:
            work.set(first, (name,), told)
    for held in others:
        _take_over(work, first, held)
        work.file(held.path).take(held)


def _take_over(work: Work, first: Held, other: Held) -> None:
    """Fields that only the other has, as they are spelt there."""
    theirs = work.file(other.path).raw(other)
    pairs = exact(theirs)
    known = work.thing(first)
    for name in [key for key, _ in pairs] if isinstance(pairs, Pairs) else []:
        text = value_at(theirs, (name,))
        if name not in _OWN and known.get(name) is None and text is not None:
            file = work.file(first.path)
            file.put(first, with_text(file.raw(first), (name,), text))


def _joined(things: Sequence[Thing]) -> str:
    """The texts one after another; one that another one holds already is left out."""
    texts = [str(thing.get("content") or "").strip() for thing in things]
    kept: list[str] = []
    for text in texts:
        if text and not any(text in one for one in kept):
            kept.append(text)
    return "\n\n".join(kept)


def _tags(things: Sequence[Thing]) -> list[Json]:
    united: list[Json] = []
    for thing in things:
        tags = thing.get("tags")
        for tag in tags if isinstance(tags, list) else []:
            if tag not in united:
                united.append(tag)
    return united


def _importance(things: Sequence[Thing]) -> Json:
    """The greatest that any of them has."""
    told = [thing.get("importance") for thing in things]
    known = [word for word in IMPORTANCES if word in told]
    return known[0] if known else IMPORTANCES[1]


def _time(things: Sequence[Thing], name: str, *, latest: bool) -> Json:
    """The latest, or the earliest, of what they tell."""
    told = [thing.get(name) for thing in things]
    known = [(when, one) for one in told if (when := instant(one)) and when.micros]
    if not known:
        return None
    choose = max if latest else min
    return choose(known, key=lambda pair: pair[0])[1]
