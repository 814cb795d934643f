"""A record as the reader shows it: what it says first, what is known of it after."""

from collections.abc import Iterable

from store.clean import clean
from store.opening import InFull
from store.records.document import DocumentInFull
from store.records.edge import Edge, EdgeInFull
from store.records.episode import Episode
from store.records.link import Link
from store.records.memory import Memory, MemoryInFull
from store.records.problem import Problem
from tui.faces.whole import fields_of, links_of, text_of

_RULE = "─" * 24


def page(record: InFull, links: Iterable[Link]) -> str:
    """The text of the reader: title, facts, text, links, and every field."""
    parts = [_head(record), text_of(record), links_of(links), _RULE, fields_of(record)]
    return "\n\n".join(part for part in parts if part)


def problem_page(problem: Problem) -> str:
    """What is wrong, where, and what would mend it."""
    place = clean(problem.path) + (f", line {problem.line}" if problem.line else "")
    lines = [
        clean(problem.message),
        f"{problem.severity} · {problem.code}",
        f"in {place}",
        f"of {clean(problem.store)}",
        f"mended by {problem.fix}" if problem.fix else "",
    ]
    return "\n".join(line for line in lines if line) + f"\n\n{_RULE}\n\n"


def _head(record: InFull) -> str:
    """What it is called, and what one wants to know of it at a glance."""
    match record:
        case MemoryInFull():
            return f"{clean(record.memory.title)}\n{_at_a_glance(record.memory)}"
        case DocumentInFull():
            return f"{clean(record.document.title)}\n{record.document.role}"
        case Edge():
            return _ends(record) + _more(record.context)
        case EdgeInFull():
            return _ends(record.edge)
        case Episode():
            return clean(record.title) + _more(record.summary)
        case _:
            return ""


def _ends(edge: Edge) -> str:
    """An edge in one line."""
    ends = f"{edge.from_title or '?'} → {edge.to_title or '?'}"
    return clean(f"{edge.type}: {ends}")


def _more(text: str | None) -> str:
    """What is told beneath a title."""
    return f"\n\n{clean(text, multiline=True)}" if text else ""


def _at_a_glance(memory: Memory) -> str:
    importance = f"importance {memory.importance}" if memory.importance else None
    facts = (memory.type, memory.stage, importance, ", ".join(memory.tags))
    return " · ".join(clean(fact) for fact in facts if fact)
