"""index.json: what a server derived from the memories, to find them sooner."""

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from store.files.beneath import Blob
from store.files.json_document import DamagedJsonError, load_map
from store.findings import (
    DocumentFound,
    Findings,
    Flaw,
    IndexEntry,
    Json,
    Severity,
    Value,
)
from store.formats.agent_memory.layout import FILES, KINDS
from store.formats.agent_memory.values import as_text, as_value

VERSION = "1.0.0"
PARTS = ("tags_index", "category_index", "importance_index")
IMPORTANCE = "importance_index"

_COUNTED = {
    "total_memories": "total",
    "archived_count": "archived",
    **{f"by_type.{kind}": f"type:{kind}" for kind in KINDS},
    **{name: f"type:{kind}" for name, kind in FILES.items()},
}
"""Its counts, in the words of either shape, and what each of them counts."""

Lists = dict[str, list[str]]
"""The identifiers of the memories that each word stands for."""


class Index(Struct):
    """The file as far as it could be understood."""

    data: dict[str, Json] = field(default_factory=dict[str, Json])
    lists: dict[str, Lists] = field(default_factory=dict[str, Lists])
    """Each of its parts that is there."""
    flaws: list[Flaw] = field(default_factory=list[Flaw])

    @property
    def is_old(self) -> bool:
        """Whether it is of the older shape, which lists memories by tag alone."""
        return "tags_index" in self.data and IMPORTANCE not in self.data

    @property
    def statistics(self) -> dict[str, Json]:
        """Its counts, each by its name; those in a group as `group.name`."""
        return flat(_map(self.data.get("statistics")))

    def flaw(
        self,
        code: str,
        message: str,
        severity: Severity = Severity.WARNING,
        line: int | None = None,
    ) -> None:
        """Note what is wrong."""
        self.flaws.append(
            Flaw(code=code, message=message, severity=severity, line=line)
        )


def understand(blob: Blob) -> Index:
    """What the file says; what cannot be understood of it is a flaw."""
    index = Index()
    if not blob.whole:
        index.flaw("too-large", "The file is too large to be read.", Severity.ERROR)
        return index
    try:
        index.data = load_map(blob.raw)
    except DamagedJsonError as error:
        index.flaws.append(error.flaw)
        return index
    index.lists = {part: _lists(part, index) for part in PARTS if part in index.data}
    _check(index)
    return index


def read_index(path: str, blob: Blob) -> Findings:
    """What the index says of itself, and how much each memory matters by it."""
    index = understand(blob)
    if not index.data:
        return Findings(flaws=tuple(index.flaws))
    document = DocumentFound(title=path, role="document", text="", facts=_facts(index))
    return Findings(
        documents=(document,), index=tuple(_entries(index)), flaws=tuple(index.flaws)
    )


def _lists(part: str, index: Index) -> Lists:
    """A part's lists of identifiers; what is none is noted."""
    told = index.data[part]
    if not isinstance(told, dict):
        index.flaw("bad-index", f"`{part}` ought to be a map.", Severity.ERROR)
        return {}
    lists: Lists = {}
    for word, value in told.items():
        found = value if isinstance(value, list) else []
        lists[word] = [name for name in found if isinstance(name, str)]
        if not isinstance(value, list) or len(lists[word]) < len(found):
            message = f"`{part}` of {word:.40} ought to be a list of identifiers."
            index.flaw("bad-index", message)
    return lists


def _check(index: Index) -> None:
    version = index.data.get("version")
    if version != VERSION:
        message = f"The version, {as_text(version):.40}, is none that is known."
        index.flaw("unknown-version", message, Severity.NOTE)
    if index.is_old:
        message = "The index is of an older shape, without categories and importance."
        index.flaw("old-index", message, Severity.NOTE)
    for name, count in index.statistics.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            message = f"The count of {name:.60} ought to be a number from 0."
            index.flaw("bad-count", message)


def _entries(index: Index) -> Iterator[IndexEntry]:
    """The memories that the index lists, all by their importance, and its counts."""
    tags: dict[str, list[str]] = {}
    for tag, names in index.lists.get("tags_index", {}).items():
        for name in names:
            tags.setdefault(name, []).append(tag)
    for word, names in index.lists.get(IMPORTANCE, {}).items():
        for name in names:
            facts = {"importance": word, "tags": ", ".join(tags.get(name, ()))}
            yield IndexEntry(key=f"id:{name.casefold()}", path=None, facts=facts)
    for name, count in index.statistics.items():
        if name in _COUNTED:
            told = {"count": as_text(count)}
            yield IndexEntry(key=f"count:{_COUNTED[name]}", path=None, facts=told)


def _facts(index: Index) -> dict[str, Value]:
    told = ("version", "last_updated", "statistics")
    facts: dict[str, Value] = {
        name: as_value(index.data[name]) for name in told if name in index.data
    }
    facts["shape"] = "older" if index.is_old else "as specified"
    for part, lists in index.lists.items():
        facts[part] = {word: str(len(names)) for word, names in lists.items()}
    return facts


def flat(statistics: Mapping[str, Json]) -> dict[str, Json]:
    """Counts, each by a name of its own."""
    counts: dict[str, Json] = {}
    for name, value in statistics.items():
        if isinstance(value, dict):
            counts |= {f"{name}.{inner}": count for inner, count in value.items()}
        else:
            counts[name] = value
    return counts


def _map(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
