"""What the timeline shows: when all was, which lines that becomes, and what follows."""

from collections.abc import Sequence

from msgspec import Struct

from store.records.spans import Spans
from widgets.timeline.activity import spread
from widgets.timeline.layout import Layout
from widgets.timeline.staying import is_endangered

_HOURS = 24


class Shown(Struct, frozen=True):
    """Conversations, as they are shown."""

    laid: Layout
    """Which line shows what."""
    spans: Spans
    """When they were, by their positions in the list."""
    order: str | None = None
    """What they are ordered by; None where they lie along their time."""

    def talks_on(self, day: int) -> int:
        """How many conversations began on a day, those of sub-agents not counted."""
        owners = self.laid.items.owners
        return sum(owners[item] == item for item in self._items_of(day, day + 1))

    def messages_on(self, day: int) -> int:
        """How many messages the conversations have that began on a day."""
        messages = self.spans.messages
        return sum(messages[position] for position in self._began(day, day + 1))

    def hours_of(self, day: int) -> Sequence[float]:
        """Messages hour by hour, those of conversations that run past midnight too."""
        begin, end = self.laid.items.days[day]
        near = self._began(max(day - 1, 0), day + 2)
        return spread(self.spans, near, begin, end - 1, _HOURS)

    def newest(self) -> int | None:
        """The conversation that went on last; None where there is none."""
        ends = self.spans.ends
        return max(range(len(ends)), key=ends.__getitem__, default=None)

    def removed_after(self, position: int) -> int | None:
        """What is removed next after another, round and round; None where none is.

        What is kept as it is may be removed without harm.
        """
        spans, leaves = self.spans, self.spans.leaves
        going = sorted(
            (leaves[at], at) for at in range(len(spans)) if is_endangered(spans, at)
        )
        if not going or position >= len(leaves):
            return None
        here = (leaves[position], position)
        return next((at for leave, at in going if (leave, at) > here), going[0][1])

    def _items_of(self, first: int, last: int) -> range:
        """The items of some days."""
        begins = self.laid.items.first_of_day
        end = begins[last] if last < len(begins) else len(self.laid.items)
        return range(begins[first], end)

    def _began(self, first: int, last: int) -> Sequence[int]:
        """The positions of the conversations that began on some days."""
        positions = self.laid.items.positions
        return [positions[item] for item in self._items_of(first, last)]
