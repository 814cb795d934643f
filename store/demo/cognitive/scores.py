"""The decay score of a memory, as the store's own program would have noted it."""

from datetime import datetime

from store.demo.cognitive.placed import Placed
from store.demo.days import micros
from store.derive.decay import PINNED, strength, vigour

DIGITS = 4


def score(one: Placed, now: datetime) -> float:
    """The score at an instant; what was recalled after it counts as just recalled."""
    memory = one.memory
    if memory.pinned:
        return PINNED
    last = min(one.accessed or one.updated, now)
    lasting = vigour(memory.importance, memory.uses, memory.type, micros(last))
    return round(strength(lasting, micros(now)), DIGITS)
