"""The questions that a store can be asked, and who answers each."""

from collections.abc import Callable, Iterator, Sequence

from store.errors import WrongUseError
from store.formats.agent_memory.answers.checks import validate
from store.formats.agent_memory.answers.copies import backups, duplicates
from store.formats.agent_memory.answers.counts import limits, stats
from store.formats.agent_memory.answers.index import index
from store.formats.agent_memory.answers.query import WORDS, found, understood
from store.formats.agent_memory.answers.rows import Row
from store.formats.agent_memory.answers.views import (
    active_tasks,
    archive_candidates,
    completed_tasks,
    core,
    learnings,
    recent,
)
from store.formats.agent_memory.taken import Taken
from store.formats.port import Question

DOCUMENT = "document"

QUESTIONS = (
    Question("stats", "counts by type and importance, oldest, newest, top tags"),
    Question("recent", "the 20 memories that were recalled last"),
    Question("core", "core memories, those that matter most first"),
    Question("learnings", "learnings that are new or were recalled in 30 days"),
    Question("active-tasks", "tasks that are in progress or blocked"),
    Question("completed-tasks", "tasks that were completed in 30 days"),
    Question("archive-candidates", "learnings and tasks that may be put away, and why"),
    Question("limits", "how full each file is"),
    Question("validate", "permissions, reading, syntax, schema and index, checked"),
    Question("index", "the index beside what the files would have it say"),
    Question("query", "memories by tag, category, importance and text", WORDS),
    Question("backups", "the backups, of what and of when"),
    Question("duplicates", "memories that share an identifier"),
    Question(DOCUMENT, "all memories as one document, for another store to take in"),
)

_ANSWERS: dict[str, Callable[[Taken, int], Iterator[Row]]] = {
    "stats": stats,
    "recent": recent,
    "core": core,
    "learnings": learnings,
    "active-tasks": active_tasks,
    "completed-tasks": completed_tasks,
    "archive-candidates": archive_candidates,
    "limits": limits,
    "validate": validate,
    "index": index,
    "backups": backups,
    "duplicates": duplicates,
}


def answer(
    question: str, words: Sequence[str], taken: Callable[[], Taken], now: int
) -> Iterator[Row]:
    """Answer a question; the store is read only once it is understood."""
    if question == "query":
        asked = understood(words)
        return found(asked, taken())
    if question not in {*_ANSWERS, DOCUMENT}:
        known = ", ".join(one.name for one in QUESTIONS)
        raise WrongUseError(f"{question!r} is no question; there are: {known}.")
    if words:
        raise WrongUseError(f"{question} takes no words, but got {words[0]!r}.")
    return _ANSWERS[question](taken(), now)
