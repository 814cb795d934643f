"""What is there more than once: memories with one identifier, and backups."""

from collections import defaultdict
from collections.abc import Iterator

from store.findings import Json
from store.formats.agent_memory.answers.rows import Row
from store.formats.agent_memory.layout import BACKUP, Role
from store.formats.agent_memory.taken import Kept, Taken


def duplicates(taken: Taken, _now: int) -> Iterator[Row]:
    """Memories that share an identifier: the first is the record."""
    groups: defaultdict[str, list[Kept]] = defaultdict(list)
    for one in taken.everything:
        if one.memory.id is not None:
            groups[one.memory.id.casefold()].append(one)
    for group in groups.values():
        if len(group) > 1:
            first = group[0]
            newest = max(group, key=_updated)
            for one in group:
                yield _copy(one, first, newest)


def backups(taken: Taken, _now: int) -> Iterator[Row]:
    """The backups in all three ways of naming them, the newest of each file first."""
    rows = [
        {"of": None, "when": None, "lines": None, "memories": None}
        | {name: _number(value) for name, value in document.facts.items()}
        | {"path": source.path, "naming": _naming(source.path)}
        for source in taken.sources
        if source.role == Role.BACKUP
        for document in taken.read[source.path].documents
    ]
    rows.sort(key=lambda told: str(told["when"]), reverse=True)
    rows.sort(key=lambda told: str(told["of"]))
    yield from rows


def _copy(one: Kept, first: Kept, newest: Kept) -> Row:
    memory = one.memory
    return {
        "id": memory.id,
        "is_record": one is first,
        "is_newest": one is newest,
        "same_text": memory.body == first.memory.body,
        "title": memory.title,
        "updated_at": memory.updated.iso if memory.updated else None,
        "path": one.path,
        "line": memory.line,
    }


def _updated(one: Kept) -> tuple[int, int, str]:
    updated = one.memory.updated
    return updated.order if updated else (0, 0, "")


def _number(value: object) -> Json:
    """A fact as JSON: digits as a number."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() else text


def _naming(path: str) -> str:
    """Which way of naming backups a path follows."""
    if not path.startswith(f"{BACKUP}/"):
        return "beside the file"
    return "plain" if path.endswith(".backup") else "with a time"
