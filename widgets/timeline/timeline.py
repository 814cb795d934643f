"""The list of conversations along their time: blocks, days, and the quiet between."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from textual.message import Message
from textual.reactive import reactive

from store.records.conversation import Conversation
from store.records.spans import Closeup, Keeping, Spans
from widgets.columns.cells import Spans as Hits
from widgets.columns.cells import fit
from widgets.columns.column import placed
from widgets.lines.cursor_lines import GUTTER
from widgets.lines.pieces import Piece, Pieces, width_of
from widgets.lines.reports import Report
from widgets.lines.rows import Key
from widgets.timeline.between import day_line, fold_line, quiet_line
from widgets.timeline.block_lines import BlockLines
from widgets.timeline.columns import (
    LARGE,
    MARGIN,
    SMALL,
    WORDY,
    Seen,
    bar,
    in_order,
    in_time,
)
from widgets.timeline.days import clock, day_told
from widgets.timeline.facts import fact_lines
from widgets.timeline.items import in_rows
from widgets.timeline.layout import Kind, Layout, Part
from widgets.timeline.scale import Scale
from widgets.timeline.shown import Shown
from widgets.timeline.statuses import status_of
from widgets.timeline.staying import staying

K = TypeVar("K", bound=Key)

_KEPT = 4000
"""Close-ups that are kept; then one begins anew."""

_UNKNOWN = Closeup()
_NOTHING = Shown(Layout(in_rows(0), Scale.NONE), Spans.none())


class Timeline(BlockLines[Conversation]):
    """Conversations, each as high as it was long."""

    now: reactive[int] = reactive(0)
    """The instant that is told from, in microseconds since 1970."""

    @dataclass
    class CloseupsWanted(Report):
        """More is to be known of conversations that came into view."""

        keys: Collection[Key]

        def can_replace(self, message: Message) -> bool:
            """What was in view before interests nobody."""
            return isinstance(message, Timeline.CloseupsWanted)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__((), id=id, classes=classes)
        self.hits: Callable[[Conversation], Hits] = lambda _: ()
        """Where in its title a conversation holds what was looked for."""
        self.price: Callable[[Closeup], str] | None = None
        """What a conversation cost, in words; None where no prices are known."""
        self._shown = _NOTHING
        self._closeups: dict[Key, Closeup] = {}
        self._seen: Seen | None = None
        self._columns = in_time(self._looked)

    @property
    def shown(self) -> Shown:
        """What is shown; nothing until it is known how the rows lie."""
        return self._shown if self._is_laid else _NOTHING

    @property
    def is_in_time(self) -> bool:
        """Whether they lie along their time."""
        return self._shown.order is None

    def show(self, shown: Shown, *, reveals: bool = False) -> None:
        """Show the rows as they lie; `reveals` what is at the cursor, if folded."""
        self._shown = shown
        seen, priced = self._looked, self.price is not None
        self._columns = (
            in_order(seen, shown.order, has_prices=priced)
            if shown.order
            else in_time(seen, has_prices=priced)
        )
        self.lay(shown.laid, reveals=reveals)

    def bring(self, keys: Iterable[K], closeups: Mapping[K, Closeup]) -> None:
        """Tell more of some conversations; of those without messages there is none."""
        if len(self._closeups) > _KEPT:
            self._closeups.clear()
        for key in keys:
            self._closeups[key] = closeups.get(key, _UNKNOWN)
        self.forget()
        self.redraw()

    def watch_now(self) -> None:
        """What is removed soon is another now."""
        self.forget()
        self.redraw()

    def to_day(self, step: int) -> None:
        """Move the cursor to where a day begins: this one, then the one before."""
        items = self._laid.items
        if not self._is_laid or not items.days:
            return
        number = self.day
        begin = self._laid.day_begin(number)
        if step > 0 or begin == self.cursor:
            number = max(0, min(number + step, len(items.days) - 1))
        self.to(self._laid.day_begin(number))

    @property
    def day(self) -> int:
        """The number of the day that the cursor is on."""
        return self._laid.day_at(self._laid.item_of(self.cursor)) if self.count() else 0

    def head(self, width: int) -> Pieces:
        """The day that is in view, if its name is not, and what stands where."""
        if not self.is_in_time:
            return super().head(width)
        width = max(width - GUTTER, 0)
        places = placed(self._columns, width + GUTTER, width)
        left = sum(place.width + place.column.gap for place in places[:2])
        pieces: list[Piece] = [(" " * GUTTER, ""), *fit(self._day_in_view(), left)]
        tone = self.HEADS[0]
        for column, _, wide in places[2:]:
            pieces.append((" " * column.gap, tone))
            pieces += fit([(column.title, tone)], wide, is_right=column.is_right)
        return pieces

    def beside(self, part: Part, position: int, width: int) -> Pieces:
        """Quiet, a day, what is told beneath a title, or what is folded away there."""
        items = self._laid.items
        margin = MARGIN if width + GUTTER >= SMALL else 0
        match part.kind:
            case Kind.GAP:
                quiet = items.quiets[part.item]
                return quiet_line(quiet, part.line, part.lines, margin)
            case Kind.DAY:
                day = self._laid.day_at(part.item)
                return day_line(self._shown, day, width)
            case Kind.FOLD:
                is_open = position in self._laid.unfolded
                return fold_line(items.kids[part.item], margin, is_open=is_open)
            case _:
                return self._facts(part, position, width, margin)

    def draw(self, record: Conversation, width: int) -> Pieces:
        """The first line of a conversation."""
        item = self._part.item
        self._seen = self._seen_at(self._laid.items.positions[item], record)
        return super().draw(record, width)

    def _look_ahead(self) -> None:
        """Ask for what is to be told more of what is in view."""
        super()._look_ahead()
        if self._is_laid and self.room:
            shown = self._laid.in_view(self.top_line, self.room)
            keys = [self.key(position) for position in shown]
            unknown = [key for key in keys if key not in self._closeups]
            if unknown:
                self.post_message(self.CloseupsWanted(self, unknown))

    def _looked(self) -> Seen:
        if self._seen is None:
            raise LookupError
        return self._seen

    def _seen_at(self, position: int, record: Conversation) -> Seen:
        """What is told of a conversation beside its record."""
        spans, part = self._shown.spans, self._part
        closeup = self._closeups.get(self.key(position), _UNKNOWN)
        items = self._laid.items
        owner = items.owners[part.item]
        is_child = part.kind is Kind.CHILD
        return Seen(
            part=part,
            begin=spans.begins[position],
            end=spans.ends[position],
            leaves=spans.leaves[position],
            keeping=Keeping(0 if is_child else spans.kept[position]),
            now=self.now,
            closeup=closeup,
            price=self.price(closeup) if self.price else "",
            hits=self.hits(record),
            is_last=part.item == owner + items.kids[owner],
        )

    def _facts(self, part: Part, position: int, width: int, margin: int) -> Pieces:
        """A line beneath a title; the last one tells the end."""
        record = self.record(position)
        if record is None:
            return ()
        seen = self._seen_at(position, record)
        is_end = part.line == part.lines - 1
        told = f"{clock(seen.end) if is_end else '':5} "[:margin]
        here = "strong " if position == self.cursor else ""
        pieces: list[Piece] = [
            (told, "faint"),
            (bar(part), f"{here}{status_of(record.status).bar}"),
            (" ", ""),
        ]
        lines = fact_lines(
            record,
            seen.closeup,
            seen.price if width + GUTTER < WORDY else "",
            part.lines - 1,
            with_tokens=width + GUTTER < LARGE,
        )
        facts, room = lines[part.line - 1], max(width - width_of(pieces), 0)
        right = _stay(seen, room - width_of(facts)) if part.line == 1 else []
        return [*pieces, *fit(facts, max(room - width_of(right), 0)), *right]

    def _day_in_view(self) -> Pieces:
        """The day of what is in view first."""
        items = self._laid.items
        if not (self._is_laid and items.days):
            return ()
        part = self._laid.part(self.top_line)
        if part.kind is Kind.DAY:
            return ()
        number = self._laid.day_at(part.item)
        if part.kind is Kind.GAP and items.begins_day[part.item]:
            number -= 1
        return [(day_told(items.days[number].begin), "sorted")]


def _stay(seen: Seen, room: int) -> list[Piece]:
    """Whether it stays; what is far off is told where it takes no room from facts."""
    stays = staying(seen.leaves, seen.keeping, seen.now)
    told: list[Piece] = [(" ", ""), stays, (" ", "")] if stays else []
    is_far_off = stays is not None and stays[1] == "faint"
    return [] if is_far_off and width_of(told) > room else told
