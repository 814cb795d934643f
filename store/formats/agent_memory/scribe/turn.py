"""How an index has to be changed for a change of the memories, whoever wrote it."""

from collections.abc import Mapping

from msgspec import Struct

from store.files.json_document import DamagedJsonError, load_map
from store.files.json_style import style_of
from store.findings import Json
from store.formats.agent_memory.index import IMPORTANCE, Lists
from store.formats.agent_memory.schema import IMPORTANCES
from store.formats.agent_memory.scribe.stamps import instant_like
from store.formats.agent_memory.statistics import lists_of, statistics_of
from store.formats.agent_memory.taken import Taken

Counts = Mapping[str, Mapping[str, int] | int]
"""By how much each count rises; some are told in groups."""


class Turn(Struct, frozen=True):
    """How an index has to be changed for a change of the memories."""

    gone: Mapping[str, Mapping[str, frozenset[str]]]
    """By part and word: the identifiers that are listed there no more."""
    new: Mapping[str, Mapping[str, tuple[str, ...]]]
    """By part and word: those that are listed there now."""
    counts: Counts
    """By how much each count rises."""
    now: int

    def remake(self, raw: bytes | None) -> bytes | None:
        """An index, whoever wrote it last, after the change.

        One that cannot be read stays as it is.
        """
        try:
            data = load_map(raw or b"")
        except DamagedJsonError:
            return raw
        for part in {*self.gone, *self.new}:
            lists = data.get(part)
            if isinstance(lists, dict):
                self._turn(part, lists)
        statistics = data.get("statistics")
        if isinstance(statistics, dict):
            _raise(statistics, self.counts)
        data["last_updated"] = instant_like(data.get("last_updated"), self.now)
        text = style_of((raw or b"").decode(errors="surrogateescape")).dumps(data)
        return text.encode(errors="surrogateescape")

    def _turn(self, part: str, lists: dict[str, Json]) -> None:
        gone, new = self.gone.get(part, {}), self.new.get(part, {})
        for word in [*gone, *(word for word in new if word not in gone)]:
            told = lists.get(word)
            listed = told if isinstance(told, list) else []
            kept = [name for name in listed if name not in gone.get(word, ())]
            kept += [name for name in new.get(word, ()) if name not in kept]
            if kept or (part == IMPORTANCE and word in IMPORTANCES):
                lists[word] = kept
            else:
                lists.pop(word, None)


def turn_of(before: Taken, after: Taken, now: int) -> Turn:
    """The turn that leads from what an index told to what it has to tell."""
    old, new = lists_of(before), lists_of(after)
    return Turn(
        gone={part: _missing(old[part], new[part]) for part in old},
        new={part: _added(old[part], new[part]) for part in new},
        counts=_risen(statistics_of(before), statistics_of(after)),
        now=now,
    )


def _missing(old: Lists, new: Lists) -> dict[str, frozenset[str]]:
    differ = {word: frozenset(old[word]) - frozenset(new.get(word, ())) for word in old}
    return {word: names for word, names in differ.items() if names}


def _added(old: Lists, new: Lists) -> dict[str, tuple[str, ...]]:
    return {
        word: tuple(name for name in names if name not in old.get(word, ()))
        for word, names in new.items()
        if set(names) - set(old.get(word, ()))
    }


def _risen(old: Mapping[str, Json], new: Mapping[str, Json]) -> Counts:
    risen: dict[str, Mapping[str, int] | int] = {}
    for name, value in new.items():
        was = old.get(name)
        if isinstance(value, dict) and isinstance(was, dict):
            risen[name] = {
                kind: count - told
                for kind, count in value.items()
                if isinstance(count, int) and isinstance(told := was.get(kind), int)
            }
        elif isinstance(value, int) and isinstance(was, int):
            risen[name] = value - was
    return risen


def _raise(statistics: dict[str, Json], by: Counts) -> None:
    for name, more in by.items():
        told = statistics.get(name)
        if isinstance(more, int) and isinstance(told, int):
            statistics[name] = told + more
        elif isinstance(told, dict) and not isinstance(more, int):
            _raise(told, more)
