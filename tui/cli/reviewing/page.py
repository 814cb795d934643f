"""A memory that is due, as a review shows it: short enough for a glance."""

from collections.abc import Iterator

from store.clean import clean
from store.records.memory import Memory, MemoryInFull
from tui.faces.lines import Line
from tui.faces.whole import text_of

_LINES = 12
"""So many lines of its text are shown at first."""


def lines_of(record: MemoryInFull, *, whole: bool = False) -> Iterator[Line]:
    """What the memory says of itself, and its text."""
    memory = record.memory
    yield Line("")
    yield Line(clean(memory.title), "bold")
    yield Line(_facts(memory), "dim")
    yield Line(clean(f"{memory.path} · {memory.ref}"), "dim")
    for problem in memory.problems:
        yield Line(f"{clean(problem)}: `recollect health` says more", "yellow")
    yield Line("")
    text = text_of(record).strip("\n").split("\n")
    shown = text if whole else text[:_LINES]
    yield from map(Line, shown)
    if len(text) > len(shown):
        yield Line(f"… {len(text) - len(shown)} more lines; s shows them", "dim")


def _facts(memory: Memory) -> str:
    """The fields that are looked at first, those left out that say nothing."""
    count = memory.links_in + memory.links_out
    links = "no link" if not count else f"{count} link{'s' if count > 1 else ''}"
    told = (
        memory.type,
        None if memory.importance is None else f"importance {memory.importance}",
        memory.stage,
        ", ".join(memory.tags),
        links,
        f"updated {memory.updated[:10]}" if memory.updated else None,
    )
    return clean(" · ".join(part for part in told if part))
