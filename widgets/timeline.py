"""Conversations along a time axis."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace
from textual.message import Message

from store.derive.statistics import UNDATED, Closeup, Keeping, Spans
from store.kinds.conversations import Conversation
from store.times import parse
from widgets.charts import spark, spread_over
from widgets.lines import GUTTER, Report
from widgets.rows import Key, Rows
from widgets.sheet import Piece, Pieces, Sheet, width_of
from widgets.styles import status_of
from widgets.table import (
    OPEN,
    Column,
    Heading,
    Table,
    brief,
    fit,
    headed,
    named,
    names_of,
    placed,
    told,
    toned,
    with_hits,
)
from widgets.table import Spans as Hits
from widgets.timeline_lines import (
    Kind,
    Layout,
    Part,
    Scale,
    clock,
    date_told,
    day_told,
    fold_line,
    in_rows,
    is_endangered,
    lasting,
    quiet_days,
    quiet_line,
    status_cell,
    staying,
    staying_in_brief,
)

# Facts about a conversation beneath its title, one per line of its block.

_TOOLS = 6
"""The most tools named."""

_BETWEEN: Piece = (" · ", "faint")


def fact_lines(
    conversation: Conversation,
    closeup: Closeup,
    price: str,
    lines: int,
    *,
    with_tokens: bool = True,
) -> Sequence[Sequence[Piece]]:
    """The facts in this many lines, most important first."""
    until = parse(conversation.ready_at or "").micros
    place = [
        (f"active until {clock(until)}" if until else "", "active"),
        _plain(conversation.project),
        _plain(conversation.branch),
    ]
    tools, spent = _tools(conversation, closeup), _spent(conversation, price)
    if not with_tokens:
        del spent[0]
    if lines > 2:  # noqa: PLR2004  # one line each
        told_ones = [place, tools, spent]
    elif lines == 2:  # noqa: PLR2004  # a line for the tools
        told_ones = [[*place, *spent[:1]], tools]
    else:
        told_ones = [[*place, _count(conversation.tools, "tool"), *spent]]
    return [_joined(each) for each in told_ones]


def tokens_of(conversation: Conversation) -> int:
    """The total number of tokens of a conversation."""
    spent = conversation.tokens
    return spent.input + spent.output + spent.cache_read + spent.cache_creation


def _tools(conversation: Conversation, closeup: Closeup) -> list[Piece]:
    """The tools by name, or the number of calls while names are unknown."""
    named = [
        (f"{told(name)} ×{count}" if count > 1 else told(name), "muted")
        for name, count in closeup.tools[:_TOOLS]
    ]
    more = len(closeup.tools) - _TOOLS
    if more > 0:
        named.append((f"{more} more", "faint"))
    failed = conversation.tool_errors
    return [
        *(named or [_count(conversation.tools, "tool")]),
        (f"✗ {failed} failed" if failed else "", "warning"),
    ]


def _spent(conversation: Conversation, price: str) -> list[Piece]:
    tokens = tokens_of(conversation)
    return [
        (f"{brief(tokens)} tokens" if tokens else "", "muted"),
        (price, "muted"),
        *((told(model), "faint") for model in conversation.models),
    ]


def _plain(text: str | None) -> Piece:
    return told(text), "muted"


def _count(number: int, name: str) -> Piece:
    return (f"{number} {name}{'s' * (number != 1)}" if number else ""), "muted"


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    """Non-empty pieces separated by dots."""
    joined: list[Piece] = []
    for piece in pieces:
        if piece[0]:
            joined += [_BETWEEN, piece] if joined else [piece]
    return joined


# The first line of a conversation, column by column.

SMALL, MEDIUM, WORDY, LARGE = 34, 44, 72, 84
"""The widths of a list from which it shows more."""

MARGIN = 6
"""Cells before the bar of a block: a time of day and a blank."""

_FACTS = 10
"""The minimum width for facts after a title."""

_SKIPPED = "skipped"
"""The status of conversations that are too short to be processed; their titles are
dimmed."""

_SIGNS = ("█", "▜", "▐", "▟")
"""The bar of a block: on a single line, at its top, inside, and at its end."""


class Seen(Struct, frozen=True):
    """What a line shows besides its record."""

    part: Part
    begin: int
    end: int
    leaves: int
    keeping: Keeping
    now: int
    status: str
    """Its status; empty if it means nothing here."""
    closeup: Closeup
    price: str
    hits: Hits
    is_last: bool
    """Whether it is the last conversation folded beneath its parent."""


Looked = Callable[[], Seen]
"""Called for each line that is drawn."""


def in_time(
    seen: Looked, *, has_prices: bool = False
) -> tuple[Column[Conversation], ...]:
    """The columns of conversations in order of time."""

    def when(_record: Conversation, width: int) -> Pieces:
        return _time_and_bar(seen(), width)

    def title(record: Conversation, width: int) -> Pieces:
        return _title(record, seen(), width)

    return (
        Column("first", "", when, ((0, 1), (SMALL, MARGIN + 1)), gap=0),
        Column("title", "title", title, ((0, OPEN),)),
        *_counts(seen, has_prices=has_prices),
    )


def in_order(
    seen: Looked, order: str, *, has_prices: bool = False
) -> tuple[Column[Conversation], ...]:
    """The columns for any other order."""

    def when(_record: Conversation, width: int) -> Pieces:
        one = seen()
        return [(f"{date_told(one.begin)} {clock(one.begin)}"[:width], "muted")]

    def title(record: Conversation, width: int) -> Pieces:
        return _title(record, seen(), width)

    counts = _counts(seen, has_prices=has_prices)
    columns = [
        Column("last", "when", when, ((SMALL, 10), (WORDY, 16)), gap=0),
        Column("title", "title", title, ((0, OPEN),)),
    ]
    if order in _VALUES:
        is_number = order in _NUMBERS
        name = order.replace("_", " ")
        widths = ((MEDIUM, max(len(name), 5 if is_number else 14)),)
        value = toned(lambda record: told(str(getattr(record, order) or "")), "muted")
        columns.append(Column(order, name, value, widths, is_right=is_number))
    if order == "tokens":
        counts = [_spent_columns(MEDIUM), *counts[1:]]
    return (*columns, *counts)


_NUMBERS = ("entries", "prompts", "tools", "tool_errors", "compactions")
_VALUES = (*_NUMBERS, "project", "branch", "source")
"""Sort keys that no other column shows."""


def bar(part: Part) -> str:
    """The bar of a block on one of its lines."""
    if part.lines == 1:
        return _SIGNS[0]
    is_end = part.line == part.lines - 1
    return _SIGNS[1] if part.line == 0 else _SIGNS[3] if is_end else _SIGNS[2]


def _counts(seen: Looked, *, has_prices: bool) -> list[Column[Conversation]]:
    def took(_record: Conversation, _width: int) -> Pieces:
        one = seen()
        has_time = one.begin != UNDATED
        return [(lasting(one.end - one.begin) if has_time else "", "muted")]

    def cost(_record: Conversation, _width: int) -> Pieces:
        return [(seen().price, "muted")]

    def status(_record: Conversation, width: int) -> Pieces:
        return status_cell(seen().status, width)

    spent = [_spent_columns(LARGE)]
    if has_prices:
        spent.append(Column("", "cost", cost, ((WORDY, 8),), is_right=True))
    return [
        *spent,
        Column("messages", "msgs", _messages, ((MEDIUM, 5),), is_right=True),
        Column("duration", "took", took, ((SMALL, 7),), is_right=True),
        Column("", "", status, ((0, 1), (WORDY, 12))),
    ]


def _spent_columns(least: int) -> Column[Conversation]:
    """The tokens, shown from a minimum width."""
    return Column("tokens", "tokens", _tokens, ((least, 6),), is_right=True)


def _time_and_bar(seen: Seen, width: int) -> Pieces:
    is_child = seen.part.kind is Kind.CHILD
    sign: Piece = (
        (" ", "") if is_child else (bar(seen.part), status_of(seen.status).bar)
    )
    if width == 1:
        return [sign]
    return [(f"{clock(seen.begin):5} ", "faint" if is_child else "muted"), sign]


def _title(record: Conversation, seen: Seen, width: int) -> Pieces:
    """The title, followed by the facts if there are no lines beneath it."""
    tone = "title faint" if seen.status == _SKIPPED else "title"
    branch: list[Piece] = []
    if seen.part.kind is Kind.CHILD:
        branch = [("└ " if seen.is_last else "├ ", "faint")]
    title = [*branch, *with_hits(record.title, seen.hits, tone)]
    if seen.part.lines > 1:
        return title
    left = width - width_of(title)
    behind = _behind(record, seen, left)
    if not behind:
        soon = staying_in_brief(seen.leaves, seen.keeping, seen.now)
        behind = [soon] if soon else []
    room = width - sum(width_of([piece]) + 2 for piece in behind)
    return [*fit(title, room), *_spaced(behind)] if behind else title


def _behind(record: Conversation, seen: Seen, left: int) -> list[Piece]:
    """The expiry, preceded by facts as far as they fit."""
    goes = staying(seen.leaves, seen.keeping, seen.now)
    told_ones = [goes] if goes and width_of([goes]) + 2 <= left else []
    left -= sum(width_of([piece]) + 2 for piece in told_ones)
    if goes and not told_ones:
        return []
    (facts,) = fact_lines(record, seen.closeup, "", 1)
    if left - 2 < min(_FACTS, width_of(facts)) or not facts:
        return told_ones
    text = "".join(text for text, _ in fit(facts, min(left - 2, width_of(facts))))
    return [(text, "faint"), *told_ones]


def _spaced(pieces: list[Piece]) -> list[Piece]:
    return [each for piece in pieces for each in (("  ", ""), piece)]


def _tokens(record: Conversation, _width: int) -> Pieces:
    tokens = tokens_of(record)
    return [(brief(tokens) if tokens else "", "muted")]


_messages = toned(lambda record: brief(record.messages), "muted")


# The content of the timeline: times, lines, and derived values.

_HOURS = 24


class Shown(Struct, frozen=True):
    """Conversations, as they are shown."""

    laid: Layout
    """The mapping between lines and conversations."""
    spans: Spans
    """Their times, by position in the list."""
    order: str | None = None
    """The sort order; None for order of time."""

    @property
    def is_in_time(self) -> bool:
        """Whether they are in order of time."""
        return self.order is None

    def talks_on(self, day: int) -> int:
        """How many conversations started on a day, without those of sub-agents."""
        owners = self.laid.items.owners
        return sum(owners[item] == item for item in self._items_of(day, day + 1))

    def messages_on(self, day: int) -> int:
        """The number of messages in the conversations that started on a day."""
        messages = self.spans.messages
        return sum(messages[position] for position in self._began(day, day + 1))

    def hours_of(self, day: int) -> Sequence[float]:
        """Messages per hour, including conversations that run past midnight."""
        begin, end = self.laid.items.days[day]
        near = self._began(max(day - 1, 0), day + 2)
        return spread_over(self.spans, near, begin, end - 1, _HOURS)

    def newest(self) -> int | None:
        """The latest conversation; None if the list is empty."""
        ends = self.spans.ends
        return max(range(len(ends)), key=ends.__getitem__, default=None)

    def removed_after(self, position: int) -> int | None:
        """The position that expires next after this one, cyclically; None if none does.

        Conversations that are completely saved do not count.
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
        begins = self.laid.items.first_of_day
        end = begins[last] if last < len(begins) else len(self.laid.items)
        return range(begins[first], end)

    def _began(self, first: int, last: int) -> Sequence[int]:
        """The positions of the conversations that started on some days."""
        positions = self.laid.items.positions
        return [positions[item] for item in self._items_of(first, last)]


# The line of a day.

_SPARKS = ((_HOURS + 10, _HOURS), (_HOURS // 2 + 10, _HOURS // 2))
"""The number of cells for a day's bars, by room for them, their hours and a rule."""

_WORDS = 44
"""The width from which counts have labels."""


def day_line(shown: Shown, day: int, width: int) -> Pieces:
    """A day: its name, the gap before it, its activity per hour, and its counts."""
    name = f"{day_told(shown.laid.items.days[day].begin)} "
    talks, gap = shown.talks_on(day), quiet_days(shown.laid.untold_gap(day))
    gap, counts = f"─ {gap} " if gap else "", f" {talks} conv"
    if width < _WORDS:
        gap, counts = "", f" {talks}"
    elif talks > 1:
        counts += f" · {brief(shown.messages_on(day))} msg"
    room = width - len(name + gap + counts)
    cells = next((cells for least, cells in _SPARKS if room >= least), 0)
    right: list[Piece] = [(counts, "muted")]
    if cells:
        drawn = spark(shown.hours_of(day), cells)
        right = [(" 0h ", "faint"), (drawn, "arrow"), (" 24h ", "faint"), *right]
    rule = gap + "─" * max(width - len(name + gap) - width_of(right), 0)
    return fit([(name, "strong"), (rule, "faint"), *right], width)


# The list of conversations in order of time: blocks, days, and gaps.

K = TypeVar("K", bound=Key)

_KEPT = 4000
"""The most close-ups cached; beyond that, the cache is cleared."""

_UNKNOWN = Closeup()


class Known:
    """What is known about conversations besides their records."""

    def __init__(self) -> None:
        self.hits: Callable[[Conversation], Hits] = lambda _: ()
        """Finds the hits in the title of a conversation."""
        self.price: Callable[[Closeup], str] | None = None
        """The cost of a conversation as text; None without prices."""
        self.is_processed = True
        """Whether a program processes conversations, and skips short ones."""
        self.now = 0
        """The reference time, in microseconds since 1970."""
        self._closeups: dict[Key, Closeup] = {}

    def bring(self, keys: Iterable[K], closeups: Mapping[K, Closeup]) -> None:
        """Add close-ups of some conversations; those without messages get none."""
        if len(self._closeups) > _KEPT:
            self._closeups.clear()
        for key in keys:
            self._closeups[key] = closeups.get(key, _UNKNOWN)

    def lacking(self, keys: Iterable[Key]) -> list[Key]:
        """The conversations whose close-ups are missing."""
        return [key for key in keys if key not in self._closeups]

    def _is_without_status(self, record: Conversation) -> bool:
        return record.status == _SKIPPED and not self.is_processed

    def seen(
        self, shown: Shown, part: Part, position: int, record: Conversation, key: Key
    ) -> Seen:
        """What a line shows besides its record."""
        spans, items = shown.spans, shown.laid.items
        closeup = self._closeups.get(key, _UNKNOWN)
        owner = items.owners[part.item]
        is_child = part.kind is Kind.CHILD
        return Seen(
            part=part,
            begin=spans.begins[position],
            end=spans.ends[position],
            leaves=spans.leaves[position],
            keeping=Keeping(0 if is_child else spans.kept[position]),
            now=self.now,
            status="" if self._is_without_status(record) else record.status,
            closeup=closeup,
            price=self.price(closeup) if self.price else "",
            hits=self.hits(record),
            is_last=part.item == owner + items.kids[owner],
        )


_NOTHING = Shown(Layout(in_rows(0), Scale.NONE), Spans.none())


class Timeline(Table[Conversation]):
    """Conversations, each as high as its duration."""

    opens_at_end = True

    class CloseupsWanted(Report):
        """Close-ups of conversations that came into view are needed."""

        keys: Collection[Key]

        def can_replace(self, message: Message) -> bool:
            """Only the latest request matters."""
            return isinstance(message, Timeline.CloseupsWanted)

    def __init__(self, sheet: Sheet) -> None:
        self.known = Known()
        self.unfolded: set[Key] = set()
        """The keys of the unfolded rows."""
        self._shown = _NOTHING
        self._seen: Seen | None = None
        super().__init__(sheet, in_time(self._looked))

    @property
    def shown(self) -> Shown:
        """What is shown; empty until the layout is known."""
        return self._shown if self.lines.laid is self.laid else _NOTHING

    @property
    def laid(self) -> Layout:
        """The last known layout."""
        return self._shown.laid

    def arranged(self, rows: Rows[Conversation]) -> None:
        """Leave the layout of other rows to `show`, as it takes long."""

    def show(self, shown: Shown, *, reveals: bool = False) -> None:
        """Show rows in their layout; with `reveals`, unfold the one at the cursor.

        A cursor on a folded row that is not revealed goes to the row it belongs to.
        """
        self._shown = shown
        seen, priced = self._looked, self.known.price is not None
        self.columns = (
            in_order(seen, shown.order, has_prices=priced)
            if shown.order
            else in_time(seen, has_prices=priced)
        )
        cursor, laid = self.lines.cursor, shown.laid
        if self.lines.count() and laid.is_hidden(cursor):
            if reveals or self.lines.is_sought:
                self._unfold(cursor)
            else:
                cursor = laid.owner(cursor)
        self.lines.lay(laid, cursor)

    def scale(self, before: Layout, laid: Layout) -> None:
        """Change the layout of the same rows, unless they changed meanwhile."""
        if self.lines.laid is before:
            self._shown = replace(self._shown, laid=laid)
            self.lines.lay_again(laid)

    def fold(self, position: int, *, folded: bool) -> bool:
        """Fold the rows beneath or beside a row, or unfold those beneath.

        Returns whether this changed anything.
        """
        laid, lines = self.laid, self.lines
        if lines.laid is not laid or not lines.count():
            return False
        owner = laid.owner(position) if folded else position
        if not laid.fold(owner, folded=folded):
            return False
        change = self.unfolded.discard if folded else self.unfolded.add
        change(lines.key(owner))
        lines.sheet.forget()
        lines.sheet.measure()
        if laid.is_hidden(lines.cursor):
            lines.to(laid.owner(lines.cursor))
        else:
            lines.settle()
        return True

    def reached(self, row: int, before: int) -> int:
        """Unfold a row to which the cursor goes."""
        del before
        if self.laid.is_hidden(row):
            self._unfold(row)
            self.lines.sheet.forget()
            self.lines.sheet.measure()
        return row

    def bring(self, keys: Iterable[K], closeups: Mapping[K, Closeup]) -> None:
        """Add close-ups of some conversations, and draw them."""
        self.known.bring(keys, closeups)
        self.renew()

    def be_at(self, now: int) -> None:
        """Set the reference time, in microseconds since 1970."""
        if now != self.known.now:
            self.known.now = now
            self.renew()

    def to_day(self, step: int) -> None:
        """Move the cursor to the start of its day, then of the previous one."""
        items = self.shown.laid.items
        if not items.days:
            return
        number = self.laid.day_at(self.laid.item_of(self.lines.cursor))
        begin = self.laid.day_begin(number)
        if step > 0 or begin == self.lines.cursor:
            number = max(0, min(number + step, len(items.days) - 1))
        self.lines.to(self.laid.day_begin(number))

    def head(self, width: int) -> Pieces:
        """The day in view, unless its line is, and the columns."""
        if not self._shown.is_in_time:
            return super().head(width)
        places = placed(self.columns, width, max(width - GUTTER, 0))
        day = self._day_in_view()
        most = GUTTER + places[1].end
        names = [*names_of(self), day]
        name = named(names, most, key=len(names) - 1 - (not day))
        return headed(name, map(Heading.of, places[2:]))

    def draw_beside(self, line: int, row: int, width: int) -> Pieces:
        """A gap, a day, a line of facts, or a fold."""
        laid, part = self.laid, self.laid.part(line)
        items = laid.items
        margin = MARGIN if width + GUTTER >= SMALL else 0
        match part.kind:
            case Kind.GAP:
                quiet = items.quiets[part.item]
                return quiet_line(quiet, part.line, part.lines, margin)
            case Kind.DAY:
                return day_line(self._shown, laid.day_at(part.item), width)
            case Kind.FOLD:
                is_open = row in laid.unfolded
                return fold_line(items.kids[part.item], margin, is_open=is_open)
            case _:
                return self._facts(part, row, width, margin)

    def draw_row(self, row: int, record: Conversation, width: int) -> Pieces:
        """The first line of a conversation."""
        part = self.laid.part(self.laid.own_line(row))
        self._seen = self._seen_at(part, row, record)
        return self.draw(record, width)

    def viewed(self) -> None:
        """Request close-ups of what is in view."""
        lines, sheet = self.lines, self.lines.sheet
        if lines.laid is None or not sheet.room:
            return
        keys = [lines.key(row) for row in lines.laid.in_view(sheet.first, sheet.room)]
        unknown = self.known.lacking(keys)
        if unknown:
            sheet.post_message(self.CloseupsWanted(sheet, unknown))

    def clicked(self, line: int, row: int, x: int, times: int) -> None:
        """Toggle a clicked fold, ignore a gap, and move the cursor to anything else."""
        kind = self.laid.part(line).kind
        if kind is Kind.FOLD:
            self.lines.to(row)
            self.fold(row, folded=row in self.laid.unfolded)
        elif kind is not Kind.GAP:
            super().clicked(line, row, x, times)

    def _unfold(self, row: int) -> None:
        """Show the rows that a row is folded with."""
        owner = self.laid.owner(row)
        self.laid.fold(owner, folded=False)
        self.unfolded.add(self.lines.key(owner))

    def _looked(self) -> Seen:
        if self._seen is None:
            raise LookupError
        return self._seen

    def _seen_at(self, part: Part, row: int, record: Conversation) -> Seen:
        return self.known.seen(self._shown, part, row, record, self.lines.key(row))

    def _facts(self, part: Part, position: int, width: int, margin: int) -> Pieces:
        """A line beneath a title; the last one shows the end."""
        record = self.lines.record(position)
        if record is None:
            return ()
        seen = self._seen_at(part, position, record)
        is_end = part.line == part.lines - 1
        told = f"{clock(seen.end) if is_end else '':5} "[:margin]
        here = "strong " if position == self.lines.cursor else ""
        pieces: list[Piece] = [
            (told, "faint"),
            (bar(part), f"{here}{status_of(seen.status).bar}"),
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
        stays = staying(seen.leaves, seen.keeping, seen.now)
        right: list[Piece] = []
        if stays and part.line == 1:
            facts, right = _with_stay(facts, stays, room)
        return [*pieces, *fit(facts, max(room - width_of(right), 0)), *right]

    def _day_in_view(self) -> Pieces:
        """The day of the first line in view."""
        laid = self.shown.laid
        items = laid.items
        if not items.days:
            return ()
        part = laid.part(self.lines.sheet.first)
        if part.kind is Kind.DAY:
            return ()
        number = laid.day_at(part.item)
        if part.kind is Kind.GAP and items.begins_day[part.item]:
            number -= 1
        return [(f"from {day_told(items.days[number].begin)}", "sorted")]


def _with_stay(
    facts: Sequence[Piece], stays: Piece, room: int
) -> tuple[Sequence[Piece], list[Piece]]:
    """Facts and the expiry, which takes the room of all but the place."""
    right = [(" ", ""), stays, (" ", "")]
    while facts[3:] and width_of([*facts, *right]) > room:  # the place stays
        facts = facts[:-2]
    is_cut = stays[1] == "faint" and width_of([*facts, *right]) > room
    return facts, [] if is_cut else right
