"""A record as the reader shows it: what it says first, what is known of it after."""

from collections.abc import Iterable

from store.clean import clean
from store.opening import InFull
from store.records.document import DocumentInFull
from store.records.link import Link
from store.records.memory import Memory, MemoryInFull
from tui.cli.faces.whole import fields_of, links_of, text_of

_RULE = "─" * 24


def page(record: InFull, links: Iterable[Link]) -> str:
    """The text of the reader: title, facts, text, links, and every field."""
    parts = [_head(record), text_of(record), links_of(links), _RULE, fields_of(record)]
    return "\n\n".join(part for part in parts if part)


def _head(record: InFull) -> str:
    """What it is called, and what one wants to know of it at a glance."""
    match record:
        case MemoryInFull():
            return f"{clean(record.memory.title)}\n{_at_a_glance(record.memory)}"
        case DocumentInFull():
            return f"{clean(record.document.title)}\n{record.document.role}"
        case _:
            return ""


def _at_a_glance(memory: Memory) -> str:
    importance = f"importance {memory.importance}" if memory.importance else None
    facts = (memory.type, memory.stage, importance, ", ".join(memory.tags))
    return " · ".join(clean(fact) for fact in facts if fact)
