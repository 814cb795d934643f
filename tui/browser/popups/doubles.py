"""What stands more than once: one choice for all memories that are one."""

from collections.abc import Sequence
from itertools import groupby

from store.records.double import Double
from tui.browser.popups.named import at_a_glance
from tui.browser.popups.rows import Choice
from widgets.columns.cells import told


def doubles_menu(doubles: Sequence[Double]) -> list[Choice[str]]:
    """The groups, each by its first memory, with how many and how much alike."""
    return [
        _choice(of, list(group)) for of, group in groupby(doubles, lambda one: one.of)
    ]


def _choice(of: str, group: Sequence[Double]) -> Choice[str]:
    first, *others = group
    names = " · ".join(one.memory.title for one in others)
    return Choice(
        of,
        first.memory.title,
        before=[(f"{len(group)}× ", "muted"), *at_a_glance(first.memory)],
        right=[(f"{first.share:.2f}", "muted")],
        detail=told(f"{first.why}: {names}"),
    )
