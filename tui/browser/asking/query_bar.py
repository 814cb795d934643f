"""The query bar: one types, the list follows, and the right end tells what came of it.

What is typed is reported letter by letter; whoever answers may be late, and what was
told last stays until something else can be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input

from tui.browser.asking.offer_list import OfferList
from tui.browser.asking.offers import Offer, Repertoire, Source, is_behind_operator
from tui.browser.asking.query_input import QueryInput
from tui.browser.asking.recall import Recall
from tui.browser.asking.understanding import Known, Understanding, understand
from tui.browser.asking.verdict import Counted
from tui.browser.asking.verdict_bar import VerdictBar
from widgets.bars.bar import Bar
from widgets.bars.items import Item, Items
from widgets.lines import reports
from widgets.styles.palette import DARK, Palette

_PROMPT = "/ "
_NONE_YET = "No query was"
_BEFORE = Items((Item(([(_PROMPT, "brand")],)),))


class QueryBar(Horizontal):
    """One line; what it offers lies over whatever is below it."""

    DEFAULT_CSS = """
    QueryBar { height: 1; background: $panel; }
    QueryBar > .prompt { width: 2; }
    QueryBar > .verdict { width: 0; }
    """

    palette: reactive[Palette] = reactive(DARK)
    """What all parts of it look like."""

    @dataclass
    class Asked(Message):
        """Something else is asked than before."""

        text: str

    @dataclass
    class Left(Message):
        """The keys are to go to the list."""

        text: str
        is_accepted: bool
        """Whether this is what one wanted to ask, and worth remembering."""

    @dataclass
    class Moved(Message):
        """The cursor of the list shall move, while one goes on typing."""

        rows: int

    @dataclass
    class Missed(Message):
        """There is nothing to offer of what was asked for."""

        told: str

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id)
        self._repertoire = Repertoire()
        self._recall = Recall()
        self._source = Source.WORD
        self._asked = ""
        """What was asked last: while what is typed is none yet, that is listed."""
        self._prompt = Bar(classes="prompt")
        self._input = QueryInput(self._understood)
        self._verdict = VerdictBar(classes="verdict")
        self._offers = OfferList()

    def compose(self) -> ComposeResult:
        """From left to right, and what lies over all."""
        yield self._prompt
        yield self._input
        yield self._verdict
        yield self._offers

    def on_mount(self) -> None:
        """Say where to type."""
        self._prompt.items = _BEFORE
        self._tell()

    @property
    def text(self) -> str:
        """What is asked."""
        return self._input.value

    @text.setter
    def text(self, text: str) -> None:
        """Put a query there; nothing is reported of it."""
        with self._input.prevent(Input.Changed):
            self._put(text, len(text))
        self._asked = text
        self._recall.end()
        self._offers.close()
        self._tell()

    @property
    def is_typed_in(self) -> bool:
        """Whether keys go here."""
        return self._input.has_focus

    def begin(self) -> None:
        """Have the keys."""
        self._input.focus()

    def ask_about(self, kind: str) -> None:
        """Understand queries as about another kind of record."""
        self._repertoire.kind = kind
        self._verdict.counted = None
        self._again()

    def know(
        self,
        *,
        values: Known | None = None,
        saved: Mapping[str, str] | None = None,
        earlier: Sequence[str] | None = None,
    ) -> None:
        """Offer other values, saved queries, or earlier ones, the newest last."""
        if values is not None:
            self._repertoire.known = values
        if saved is not None:
            self._repertoire.saved = saved
        if earlier is not None:
            self._repertoire.earlier = self._recall.queries = earlier
        self._again()

    def tell(self, counted: Counted) -> None:
        """Say what was found."""
        self._verdict.counted = counted
        self._tell()

    def watch_palette(self, palette: Palette) -> None:
        """Everything in it looks otherwise."""
        parts = (self._prompt, self._input, self._verdict, self._offers)
        for part in parts:
            part.palette = palette
        self._tell()

    def on_resize(self) -> None:
        """There is more room for the verdict, or less."""
        self._tell()

    def action_query_accept(self) -> None:
        """Take what is offered; else turn to the list."""
        if self._offers.is_walked:
            self._offers.choose()
        else:
            self._leave(is_accepted=True)

    def action_query_complete(self) -> None:
        """Take the only way to go on, or offer all of them; then take the chosen."""
        if self._offers.is_walked:
            self._offers.choose()
            return
        words = list(self._repertoire.words(self.text, self._input.cursor_position))
        if len(words) == 1:
            self._take(words[0])
        else:
            self._offer(Source.WORD, walks=True)

    def action_query_move(self, rows: int) -> None:
        """Move where it makes sense: among offers, earlier queries, or in the list."""
        if self._offers.is_walked:
            self._offers.walk(rows)
        elif self._recall.is_going_on or (rows < 0 and not self.text):
            query = self._recall.older() if rows < 0 else self._recall.newer()
            if query is not None:
                self._put(query, len(query))
        else:
            self.post_message(self.Moved(rows))

    def action_query_history(self) -> None:
        """Look among earlier queries, and go on in them."""
        if self._offers.is_walked and self._source is Source.EARLIER:
            self._offers.walk(1)
        else:
            self._offer(Source.EARLIER, walks=True)
            if not self._offers.is_open:
                told = "No query like this was" if self.text.strip() else _NONE_YET
                self.post_message(self.Missed(f"{told} asked before."))

    def action_step_back(self) -> None:
        """Offer nothing more; else turn to the list."""
        if self._offers.is_open:
            self._offers.close()
        else:
            self._leave(is_accepted=False)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        """Tell what is asked now, and offer how to go on."""
        event.stop()
        if event.value not in self._recall.queries:
            self._recall.end()
        self._tell()
        if self._understood(event.value).is_finished:
            self._ask()
        is_value = is_behind_operator(event.value, self._input.cursor_position)
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
        """Whoever goes elsewhere wants no offers."""
        event.stop()
        self._offers.close()

    @on(reports.Chosen)
    def _chosen(self, event: reports.Chosen) -> None:
        event.stop()
        offer = self._offers.at_cursor
        if offer is not None:
            self._take(offer)

    @on(reports.Highlighted)
    def _kept(self, event: reports.Highlighted) -> None:
        """Where the cursor of the offers is concerns nobody else."""
        event.stop()

    def _offer(self, source: Source, *, walks: bool) -> None:
        """Open the list of offers, where the word at the cursor begins."""
        text, cursor = self.text, self._input.cursor_position
        self._source = source
        if source is Source.EARLIER:
            offers: Sequence[Offer] = list(self._repertoire.asked_before(text))
        elif walks:
            offers = self._repertoire.offers(text, cursor)
        else:
            offers = list(self._repertoire.words(text, cursor))
        begun = cell_len(text[:cursor].rpartition(" ")[0])
        x = self._input.region.x - self.region.x + begun - self._input.scroll_offset.x
        below = self.screen.size.height - self.region.bottom
        self._offers.open(offers, max(x, 0) - self._offers_x, below, walks=walks)

    @property
    def _offers_x(self) -> int:
        """Where the list of offers would be by itself: behind the verdict."""
        return self._verdict.region.right - self.region.x

    def _take(self, offer: Offer) -> None:
        self._offers.close()
        self._recall.end()
        self._put(offer.text, offer.cursor)

    def _put(self, text: str, cursor: int) -> None:
        self._input.value = text
        self._input.cursor_position = cursor

    def _ask(self) -> None:
        """Ask for what stands there, unless that was asked already."""
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
        """The same text may mean something else now."""
        self._input.refresh()
        self._tell()

    def _tell(self) -> None:
        """Bring the right end up to date; the line gives way by as much as it takes."""
        understood = self._understood(self.text)
        width = self.size.width - len(_PROMPT)
        self._verdict.tell(understood, cell_len(self.text), width)
