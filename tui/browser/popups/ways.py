"""What pickers offer around a memory: others like it, and the way to another."""

from collections.abc import Sequence

from store.records.memory import Memory
from store.records.similar import Similar
from tui.browser.popups.named import at_a_glance, told_of
from tui.browser.popups.rows import Choice
from widgets.columns.cells import told

_LINKED, _APART = "→ ", "  "


def alike_menu(found: Sequence[Similar]) -> list[Choice[str]]:
    """Memories like one, each with why; those that are linked with it are marked."""
    return [
        Choice(
            one.memory.ref,
            one.memory.title,
            before=[
                (_LINKED if one.linked else _APART, "arrow"),
                *at_a_glance(one.memory),
            ],
            right=[(f"{one.score:.2f}", "muted")],
            detail=told(one.reason),
        )
        for one in found
    ]


def way_menu(way: Sequence[Memory]) -> list[Choice[str]]:
    """The memories on a way, in its order."""
    return [
        Choice(
            memory.ref,
            memory.title,
            before=[(f"{number} ", "faint"), *at_a_glance(memory)],
            detail=told(told_of(memory)),
        )
        for number, memory in enumerate(way, 1)
    ]
