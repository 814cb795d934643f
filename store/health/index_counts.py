"""A derived index that counts the memories otherwise than they are."""

from collections import Counter
from collections.abc import Iterator

from store.health.complaint import Complaint
from store.health.evidence import Evidence


def check(evidence: Evidence) -> Iterator[Complaint]:
    """What was put away counts only as that; a copy of a memory does not count."""
    told = evidence.index_counts()
    if not told:
        return
    real: Counter[str] = Counter()
    for memory in evidence.memories:
        if memory.archived and not memory.is_copy:
            real["archived"] += 1
        elif not memory.is_copy:
            real.update(("total", f"type:{memory.type}"))
    for index, of, count in told:
        if count != str(real[of]):
            yield Complaint(
                code="index-drift",
                message=f"The index counts {count} memories as {_words(of)}, "
                f"and there are {real[of]}.",
                path=index,
            )


def _words(of: str) -> str:
    return {"total": "all", "archived": "put away"}.get(of, of.removeprefix("type:"))
