"""The query bar and the counts of the result."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.reactive import reactive
from textual.widgets import Input

from store.clean import clean
from tui.browser.query_input import (
    Known,
    Offer,
    OfferList,
    QueryInput,
    Repertoire,
    Source,
    Understanding,
    is_behind_operator,
    understand,
)
from tui.browser.worker import Found
from widgets import lines as reports
from widgets.bars import Bar, Item, Items
from widgets.sheet import Notice, Pieces, width_of
from widgets.styles import DARK, Palette
from widgets.table import fit

# Earlier queries, recalled in the bar as in a shell.


class Recall:
    """The position in the history of queries; typing resets it."""

    def __init__(self) -> None:
        self.queries: Sequence[str] = ()
        """The queries, newest last."""
        self._back = 0

    @property
    def is_going_on(self) -> bool:
        """Whether the bar shows an earlier query."""
        return self._back > 0

    def end(self) -> None:
        """Reset the position."""
        self._back = 0

    def older(self) -> str | None:
        """The previous query; None at the oldest."""
        if self._back >= len(self.queries):
            return None
        self._back += 1
        return self.queries[-self._back]

    def newer(self) -> str:
        """The next query; empty after the newest."""
        self._back = max(self._back - 1, 0)
        return self.queries[-self._back] if self._back else ""


# The right end of the query bar: an error, or the counts of the result.

_SECOND = 1.0
_LEAST = 12
"""Minimum columns for an error, however long the query is."""


_USUAL = len("99 ms")
"""The usual width of a duration; the text before it stays in place."""


class Counted(Struct, frozen=True):
    """The number of records found, and the time it took."""

    found: int
    total: int
    seconds: float = 0.0
    is_cut: bool = False
    """Whether there may be more than were counted."""
    is_similar: bool = False
    """Whether nothing matches exactly and these are similar."""
    is_reading: bool = False
    """Whether there may be more, because the stores are still being read."""

    @classmethod
    def of(cls, found: Found, *, is_reading: bool = False) -> "Counted":
        """The counts of a result."""
        return cls(
            len(found.rows),
            found.total,
            found.seconds,
            is_similar=found.is_similar,
            is_reading=is_reading,
        )


def counts(counted: Counted, room: int, *, in_ascii: bool) -> Pieces:
    """The counts and the time, as much as fits."""
    if counted.is_similar:
        forms = [f"no exact match · {counted.found} similar", f"~{counted.found}"]
    elif counted.is_reading and not counted.total:
        forms = ["reading…"]
    elif counted.is_reading:
        forms = [f"{counted.found} so far", f"{counted.found}"]
    else:
        number = f"{counted.found}/{counted.total}"
        if counted.is_cut:
            number = f"{'>=' if in_ascii else '≥'}{counted.found}"
        whole = f"{number} · {_took(counted.seconds)}"
        whole = whole.rjust(len(number) + len(" · ") + _USUAL)
        forms = [whole, number, number.split("/")[0]]
    is_bad = counted.is_similar or (not counted.found and not counted.is_reading)
    tone = "warning" if is_bad else "muted"
    fitting = next((form for form in forms if cell_len(form) <= room), "")
    return [(fitting, tone)] if fitting else []


def complaint(reason: str, room: int, *, is_mistake: bool) -> Pieces:
    """Why a part of the query is ignored, cut to the available width."""
    told = clean(reason).removesuffix(".")
    width = min(cell_len(told), room)
    return fit([(told, "error" if is_mistake else "muted")], max(width, 0))


def room_for_reason(width: int, typed: int) -> int:
    """The number of columns for an error beside the query."""
    return max(width - typed - 2, min(width // 2, max(width - _LEAST, 0)))


def _took(seconds: float) -> str:
    if seconds >= _SECOND:
        return f"{seconds:.1f} s"
    return f"{max(round(seconds * 1000), 1)} ms"


# The widget at the right end of the query bar, only as wide as its text.


class VerdictBar(Bar):
    """The error in a query, or the counts of its result."""

    counted: Counted | None = None
    """The last counts, shown until there are new ones."""
    cut_reason: str = ""
    """The error, if there is no room for the whole of it."""

    def tell(self, understood: Understanding, typed: int, width: int) -> None:
        """Update the text, as much as fits beside the query."""
        pieces = self._pieces(understood, typed, max(width, 0))
        taken = width_of(pieces)
        self.styles.width = taken + 1 if taken else 0
        self.items = Items((), (Item((pieces,)),))

    def _pieces(self, understood: Understanding, typed: int, width: int) -> Pieces:
        """The error if there is one, else the counts."""
        reason = understood.reason
        self.cut_reason = ""
        if reason is not None:
            room = room_for_reason(width, typed)
            if cell_len(reason.reason.removesuffix(".")) > room:
                self.cut_reason = reason.reason
            is_mistake = bool(understood.bad)
            return complaint(reason.reason, room, is_mistake=is_mistake)
        if self.counted is None:
            return []
        room = max(width - typed - 2, width // 3)
        return counts(self.counted, room, in_ascii=self.palette.is_ascii)


# The query bar: the list follows the typed text, and the right end shows the result.
#
# Every change of the text is reported. Results may arrive late; until then the last
# ones stay.

_PROMPT = "/ "
_NONE_YET = "No earlier query"
_BEFORE = Items((Item(([(_PROMPT, "brand")],)),))


class QueryBar(Horizontal):
    """The input line with its suggestions, which cover what is below."""

    DEFAULT_CSS = """
    QueryBar { height: 1; background: $panel; }
    QueryBar > .prompt { width: 2; }
    QueryBar > .verdict { width: 0; }
    """

    palette: reactive[Palette] = reactive(DARK)
    """The palette of all its parts."""

    class Asked(Notice):
        """The query has changed."""

        text: str

    class Left(Notice):
        """The list should get the focus."""

        text: str
        is_accepted: bool
        """Whether the user accepted the query, so that it belongs in the history."""

    class Moved(Notice):
        """The cursor of the list should move while the bar keeps the focus."""

        rows: int

    class Missed(Notice):
        """There is nothing to suggest."""

        told: str

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  # as in every widget
        super().__init__(id=id)
        self._repertoire = Repertoire()
        self._recall = Recall()
        self._source = Source.WORD
        self._asked = ""
        """The last valid query, which is listed while the typed text is incomplete."""
        self._prompt = Bar(classes="prompt")
        self._input = QueryInput(self._understood)
        self._verdict = VerdictBar(classes="verdict")
        self._offers = OfferList()

    def compose(self) -> ComposeResult:
        """The parts from left to right, then the suggestions."""
        yield self._prompt
        yield self._input
        yield self._verdict
        yield self._offers.lines.sheet

    def on_mount(self) -> None:
        """Show the prompt."""
        self._prompt.items = _BEFORE
        self._tell()

    @property
    def text(self) -> str:
        """The text of the query."""
        return self._input.value

    @text.setter
    def text(self, text: str) -> None:
        """Set the text without reporting it."""
        with self._input.prevent(Input.Changed):
            self._put(text, len(text))
        self._asked = text
        self._recall.end()
        self._offers.close()
        self._tell()

    @property
    def is_typed_in(self) -> bool:
        """Whether the bar has the focus."""
        return self._input.has_focus

    def begin(self) -> None:
        """Focus the bar and select its query, so that typing replaces it."""
        self._input.focus()
        self._input.select_all()

    def ask_about(self, kind: str) -> None:
        """Interpret queries for another kind of record."""
        self._repertoire.kind = kind
        self._verdict.counted = None
        self._again()

    def know(
        self,
        *,
        values: Known | None = None,
        saved: Mapping[str, str] | None = None,
        earlier: Sequence[str] | None = None,
        called: tuple[str, str] | None = None,
    ) -> None:
        """Set the values, saved queries or earlier queries (newest last) to suggest.

        `called` is a query and the words shown for it unless it is edited.
        """
        if called is not None:
            self._input.called = called
            self._input.refresh()
        if saved is not None:
            self._repertoire.saved = saved
        if earlier is not None:
            self._repertoire.earlier = self._recall.queries = earlier
        if values is None or values == self._repertoire.known:
            return
        self._repertoire.known = values
        self._again()
        if self._input.has_focus:
            self._ask_if_complete()
            self._suggest()

    def tell(self, counted: Counted) -> None:
        """Show the counts of a result."""
        self._verdict.counted = counted
        self._tell()

    def watch_palette(self, palette: Palette) -> None:
        """Pass the palette to all parts."""
        offers = self._offers.lines.sheet
        parts = (self._prompt, self._input, self._verdict, offers)
        for part in parts:
            part.palette = palette
        self._tell()

    def on_resize(self) -> None:
        """Fit the right end to the new width."""
        self._tell()

    def action_query_accept(self) -> None:
        """Insert the chosen suggestion, or accept the query."""
        if self._offers.is_walked:
            self._offers.lines.choose()
        else:
            self._leave(is_accepted=True)

    def action_query_complete(self) -> None:
        """Insert the only completion, or show all, or insert the chosen one."""
        if self._offers.is_walked:
            self._offers.lines.choose()
            return
        words = list(self._repertoire.words(self.text, self._input.cursor_position))
        if len(words) == 1:
            self._take(words[0])
        else:
            self._offer(Source.WORD, walks=True)

    def action_query_move(self, rows: int) -> None:
        """Move among suggestions, in the history, or in the list."""
        if self._offers.is_walked:
            self._offers.walk(rows)
        elif self._recall.is_going_on or (rows < 0 and not self.text):
            query = self._recall.older() if rows < 0 else self._recall.newer()
            if query is not None:
                self._put(query, len(query))
        else:
            self._ask_if_complete()
            self.post_message(self.Moved(rows))

    def action_query_history(self) -> None:
        """Suggest earlier queries, or move to the next one."""
        if self._offers.is_walked and self._source is Source.EARLIER:
            self._offers.walk(1)
        else:
            self._offer(Source.EARLIER, walks=True)
            if not self._offers.is_open:
                told = "No earlier query like this" if self.text.strip() else _NONE_YET
                self.post_message(self.Missed(f"{told}."))

    def action_step_back(self) -> None:
        """Close the suggestions, or leave the bar."""
        if self._offers.is_open:
            self._offers.close()
        else:
            self._leave(is_accepted=False)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        """Report the query and suggest completions."""
        event.stop()
        if event.value not in self._recall.queries:
            self._recall.end()
        self._tell()
        self._ask_if_complete()
        self._suggest()

    def _suggest(self) -> None:
        """Suggest values behind an operator, and update suggestions being chosen."""
        is_value = is_behind_operator(self.text, self._input.cursor_position)
        if self._recall.is_going_on:
            self._offers.close()
        elif self._offers.is_walked:
            self._offer(self._source, walks=True)
        elif is_value:
            self._offer(Source.WORD, walks=False)
        else:
            self._offers.close()

    @on(Input.Blurred)
    def _blurred(self, event: Input.Blurred) -> None:
        """Close the suggestions and report the query even if it is incomplete."""
        event.stop()
        self._offers.close()
        self._ask()

    @on(reports.Chosen)
    def _chosen(self, event: reports.Chosen) -> None:
        event.stop()
        offer = self._offers.lines.at_cursor
        if offer is not None:
            self._take(offer)

    @on(reports.Highlighted)
    def _kept(self, event: reports.Highlighted) -> None:
        """Keep the message of the suggestions within the bar."""
        event.stop()

    def _offer(self, source: Source, *, walks: bool) -> None:
        """Show the suggestions below the word at the cursor."""
        text, cursor = self.text, self._input.cursor_position
        self._source = source
        offers = self._repertoire.suggested(source, text, cursor, is_wide=walks)
        begun = cell_len(text[:cursor].rpartition(" ")[0])
        x = self._input.region.x - self.region.x + begun - self._input.scroll_offset.x
        below = self.screen.size.height - self.region.bottom
        # The natural position of the suggestions is after the right end.
        usual = self._verdict.region.right - self.region.x
        self._offers.open(offers, max(x, 0) - usual, below, walks=walks)

    def _take(self, offer: Offer) -> None:
        self._offers.close()
        self._recall.end()
        self._put(offer.text, offer.cursor)

    def _put(self, text: str, cursor: int) -> None:
        self._input.value = text
        self._input.cursor_position = cursor

    def _ask_if_complete(self) -> None:
        """Report the query, unless it is invalid or incomplete."""
        if self._understood(self.text).is_finished:
            self._ask()

    def _ask(self) -> None:
        """Report the query, unless it was reported already."""
        if self.text != self._asked:
            self._asked = self.text
            self.post_message(self.Asked(self.text))

    def _leave(self, *, is_accepted: bool) -> None:
        self._offers.close()
        self._recall.end()
        self._ask()
        self.post_message(self.Left(self.text, is_accepted))

    def _understood(self, text: str) -> Understanding:
        return understand(text, self._repertoire.kind, self._repertoire.known)

    def _again(self) -> None:
        """Interpret the same text again."""
        self._input.refresh()
        self._tell()

    def _tell(self) -> None:
        """Update the right end; the input line gets the remaining width."""
        understood = self._understood(self.text)
        width = self.size.width - len(_PROMPT)
        self._verdict.tell(understood, cell_len(self.text), width)
