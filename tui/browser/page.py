"""A record as the reader shows it: what it says first, what is known of it after."""

from store.clean import clean
from store.opening import InFull
from store.records.document import DocumentInFull
from store.records.memory import MemoryInFull
from tui.cli.faces.whole import whole


def page(record: InFull) -> str:
    """The text of the reader."""
    match record:
        case MemoryInFull():
            memory = record.memory
            facts = [
                memory.type,
                memory.stage,
                f"importance {memory.importance}" if memory.importance else None,
                ", ".join(memory.tags),
            ]
            return _page(memory.title, facts, record.body, record)
        case DocumentInFull():
            document = record.document
            return _page(document.title, [document.role], record.text, record)
        case _:
            return whole(record)


def _page(title: str, facts: list[str | None], text: str, record: InFull) -> str:
    """Title, one line of facts, the text, and then every field."""
    line = " · ".join(clean(fact) for fact in facts if fact)
    body = clean(text, multiline=True).strip("\n")
    return (
        f"{clean(title)}\n{line}\n\n{body}\n\n{'─' * 24}\n{whole(record, text=False)}"
    )
