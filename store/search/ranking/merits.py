"""What speaks for a record whatever was asked: what it is, and how alive it is.

All of it together weighs less than the step from a word's beginning to a whole word: it
decides between records that answer equally well.
"""

from store.search.ranking.candidate import Candidate
from store.search.ranking.verdict import Evidence

_KINDS = {
    "memory": 0.2,
    "document": 0.15,
    "episode": 0.15,
    "conversation": 0.15,
    "edge": 0.1,
    "message": 0.1,
}
"""What each kind is worth; what an agent chose to keep above what was merely said."""

_RECENT = 0.3
_STRONG = 0.2
_PINNED = 0.2

MOST = max(_KINDS.values()) + _RECENT + _STRONG + _PINNED
"""The most that merits come to."""

ARCHIVED = 0.5
"""What it costs to have been put away."""

_HALF = 30
"""Days after which half of being recent is left."""

_MONTHS = 365
"""Days up to which it is told when something changed."""

_DAY = 86_400_000_000


def merits(candidate: Candidate, now: int, evidence: list[Evidence]) -> float:
    """What a record merits by itself; the reasons go into the evidence."""
    points = _KINDS.get(candidate.kind, 0.0)
    if points:
        evidence.append(("is of kind {}", candidate.kind))
    if candidate.at is not None:
        days = max(0, now - candidate.at) // _DAY
        points += _RECENT * _HALF / (_HALF + days)
        if days <= _MONTHS:
            evidence.append(_changed(days))
    if candidate.pinned:
        points += _PINNED
        evidence.append(("pinned", ""))
    if candidate.strength:
        strength = max(0.0, min(candidate.strength, 1.0))
        points += _STRONG * strength
        evidence.append(("strength {:.2f}", strength))
    if candidate.archived:
        points -= ARCHIVED
        evidence.append(("archived", ""))
    return points


def _changed(days: int) -> Evidence:
    if days > 1:
        return "changed {} days ago", days
    return ("changed yesterday" if days else "changed today"), ""
