"""What becomes of a memory that nobody recalls: its strength over the days to come."""

import math

from store.derive.decay import LAMBDA, STAGES, stage
from widgets.columns.strengths import share
from widgets.reader.runs import Run

DAYS = 120
"""How far one looks ahead."""

_CELLS = 24
_LEVELS = "▁▂▃▄▅▆▇█"


def curve(strength: float) -> list[Run]:
    """Strength from now on, in the tones of the stages that it goes through."""
    runs: list[Run] = []
    for cell in range(_CELLS):
        then = strength * math.exp(-LAMBDA * DAYS * cell / (_CELLS - 1))
        level = math.ceil(share(then) * len(_LEVELS)) - 1
        runs.append(Run(_LEVELS[max(level, 0)], stage(then)))
    return runs


def changes(strength: float) -> list[tuple[str, int]]:
    """The stages to come, and in how many days they do."""
    names = [*(name for name, _ in STAGES[1:]), "archived"]
    return [
        (name, round(math.log(strength / floor) / LAMBDA))
        for (_, floor), name in zip(STAGES, names, strict=True)
        if floor < strength < math.inf
    ]
