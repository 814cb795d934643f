"""A record as the reader shows it: what it says first, what is known of it after."""

from collections.abc import Iterable

from store.clean import clean
from store.opening import InFull
from store.records.conversation import ConversationInFull
from store.records.document import DocumentInFull
from store.records.edge import Edge, EdgeInFull
from store.records.episode import Episode
from store.records.event import Event
from store.records.link import Link
from store.records.memory import Memory, MemoryInFull
from store.records.problem import Problem
from tui.faces.whole import fields_of, links_of, text_of

_RULE = "─" * 24


def page(record: InFull, links: Iterable[Link], problem: Problem | None = None) -> str:
    """The text of the reader: title, facts, text, links, and every field.

    A problem is told before the record that it concerns.
    """
    above = f"{problem_page(problem)}\n\n{_RULE}" if problem else ""
    parts = (above, _head(record), text_of(record), links_of(links))
    told = [part for part in parts if part]
    return "\n\n".join(
        [*told, _RULE, fields_of(record)] if told else [fields_of(record)]
    )


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
    return "\n".join(line for line in lines if line)


def _head(record: InFull) -> str:
    """What it is called, and what one wants to know of it at a glance."""
    match record:
        case MemoryInFull(memory=memory):
            head = f"{clean(memory.title)}\n{_at_a_glance(memory)}"
        case DocumentInFull(document=document):
            head = f"{clean(document.title)}\n{document.role}"
        case EdgeInFull(edge=edge):
            head = _ends(edge)
        case Edge(context=context):
            head = _ends(record) + _more(context)
        case Episode(title=title, summary=summary):
            head = clean(title) + _more(summary)
        case ConversationInFull(conversation=conversation):
            head = clean(conversation.title or "")
        case Event(message=message):
            head = clean(message or "", multiline=True)
        case _:
            head = ""
    return head


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
