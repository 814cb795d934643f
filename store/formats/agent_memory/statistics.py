"""What an index says of the memories, reckoned from the memories themselves."""

from collections import defaultdict
from collections.abc import Iterable

from store.findings import Json
from store.formats.agent_memory.index import Lists
from store.formats.agent_memory.layout import KINDS
from store.formats.agent_memory.schema import IMPORTANCES
from store.formats.agent_memory.taken import Kept, Taken


def statistics_of(taken: Taken) -> dict[str, Json]:
    """The counts; what was put away counts only as that."""
    live = taken.live
    kinds = [one.memory.type for one in live]
    by_type: dict[str, Json] = {kind: kinds.count(kind) for kind in KINDS}
    return {
        "total_memories": len(live),
        "by_type": by_type,
        "archived_count": len(taken.memories) - len(live),
        "total_storage_bytes": sum(one.stamp.size for one in taken.holders),
    }


def lists_of(taken: Taken) -> dict[str, Lists]:
    """The identifiers for each tag, category and importance, in the files' order."""
    live = [one for one in taken.live if one.memory.id]
    importances = {word: list[str]() for word in IMPORTANCES}
    return {
        "tags_index": _lists((tag, one) for one in live for tag in one.memory.tags),
        "category_index": _lists((one.category or "", one) for one in live),
        "importance_index": importances
        | _lists((str(one.memory.importance), one) for one in live),
    }


def _lists(named: Iterable[tuple[str, Kept]]) -> Lists:
    lists: defaultdict[str, list[str]] = defaultdict(list)
    for word, one in named:
        if word and one.memory.id and one.memory.id not in lists[word][-1:]:
            lists[word].append(one.memory.id)
    return {word: lists[word] for word in lists if lists[word]}
