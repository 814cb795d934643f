"""The right end of the query bar: as wide as what it tells, and no wider."""

from tui.browser.asking import verdict
from tui.browser.asking.understanding import Understanding
from tui.browser.asking.verdict import Counted
from widgets.bars.bar import Bar
from widgets.bars.items import Item, Items
from widgets.lines.pieces import Pieces, width_of


class VerdictBar(Bar):
    """What is wrong with a query, or what it found."""

    counted: Counted | None = None
    """What was found last; it stays until something else is."""

    def tell(self, understood: Understanding, typed: int, width: int) -> None:
        """Tell as much as there is room for beside what is typed."""
        pieces = self._pieces(understood, typed, max(width, 0))
        taken = width_of(pieces)
        self.styles.width = taken + 1 if taken else 0
        self.items = Items((), (Item((pieces,)),))

    def _pieces(self, understood: Understanding, typed: int, width: int) -> Pieces:
        """A reason before all counts."""
        reason = understood.reason
        if reason is not None:
            room = verdict.room_for_reason(width, typed)
            is_mistake = bool(understood.bad)
            return verdict.complaint(reason.reason, room, is_mistake=is_mistake)
        if self.counted is None:
            return []
        room = max(width - typed - 2, width // 3)
        return verdict.counts(self.counted, room, in_ascii=self.palette.is_ascii)
