"""The bars: the message, the counts, the hints for the next keys."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual.timer import Timer

from tui.browser.bars import LIVE, PAUSED, Happening, keys_told, place, state, tabs
from tui.browser.display import Display, Part
from tui.browser.layout import Layout, PrefixStrip
from tui.browser.popups.popup import Popup
from tui.browser.query_bar import VerdictBar
from tui.browser.session import Journal, Session
from tui.browser.worker import unlisted
from tui.commands.command import Scope, chain
from tui.commands.registry import Hint, following, hints
from tui.keys import Chords, shown
from widgets.bars import Bar, Items, plain
from widgets.styles import NONE

if TYPE_CHECKING:
    from store.past.lookback import Difference
    from tui.browser.commands import Focus, Possible
    from tui.browser.lists import Listing, Lists
    from tui.browser.live import Live
    from tui.browser.query import Facets
    from tui.browser.welcome import Welcome

SECONDS = 6.0
"""Seconds that the message of a change stays, unless there is another message."""


class Status(Part):
    """What the status bar says has happened."""

    display: Display
    tell: Callable[[], None]
    """Updates the bars."""
    message: str = ""
    """The message in the status bar."""
    is_wrong: bool = False
    """Whether the message is an error."""
    _staying: str = ""
    _ending: Timer | None = None

    def say(self, message: str) -> None:
        """Show a message."""
        self.message = message
        self.tell()

    def stay(self) -> None:
        """Keep the current message until it expires or another replaces it."""
        if self._ending is not None:
            self._ending.stop()
        self._staying = self.message
        if self.message:
            over = partial(self._say_no_more, self.message)
            self._ending = self.display.set_timer(SECONDS, over)

    def leave_behind(self) -> None:
        """Don't show a message again that belongs to another place."""
        self._staying = ""

    def _say_no_more(self, told: str) -> None:
        self._staying = ""
        if self.message == told and self.display.is_running:
            self.say("")

    def show_again(self) -> None:
        """Show a message that should stay, unless there is another one now."""
        if self.message:
            self._staying = ""
        elif self._staying:
            self.say(self._staying)


class Bars(Part):
    """Shows the tabs, the status and the hints."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    lists: "Lists"
    journal: Journal
    facets: "Facets"
    live: "Live"
    welcome: "Welcome"
    focus: "Focus"
    possible: "Possible"
    chords: Chords
    _counted: tuple[Sequence[int], frozenset[Hashable], int] = ((), frozenset(), 0)
    """The last list and marks, and how many of these are not listed."""
    _given: tuple[object, ...] = ()
    """What the hints depend on, as they were computed last."""
    _hints: Items = Items()

    def tell(self) -> None:
        """Update the bars."""
        session, lists = self.session, self.lists
        is_reading = session.is_reading
        where = place(session.stores or session.library.stores.chosen, session.names)
        counts = {kind: n for kind, n in session.counts.items() if n or not is_reading}
        self._bar("tabs").items = tabs(counts, lists.kind, where, session.access)
        listing = lists.listings.get(lists.kind)
        found = listing.found if listing else None
        marked = len(listing.table.marks) if listing else 0
        is_known = found is not None and (found.total or not is_reading)
        is_filling = is_reading and session.is_filling
        states = dict[str, int]() if is_filling else self.facets.states
        marks = marked, self._unlisted(listing) if listing and marked else 0
        told = state(found if is_known else None, states, marks, self.happening)
        if self.layout.is_dense:
            told = Items(told.left, self.hints_told(0).right)
        self._bar("status").items = told
        size = self.display.size
        small = f"too small · {size.width}x{size.height}"
        self._bar("small").items = Items((plain(small, "warning", 0),))
        self.show_hints()

    def _unlisted(self, listing: "Listing") -> int:
        """How many marked rows are not listed; counted once for each list and marks."""
        listed = listing.found.rows if listing.found else ()
        marks = frozenset(listing.table.marks)
        if self._counted[0] is not listed or self._counted[1] != marks:
            self._counted = listed, marks, unlisted(marks, listed)
        return self._counted[2]

    def show_hints(self) -> None:
        """Show the hints, or the continuations of the prefix."""
        prefix, possible, base = self.chords.prefix, self.possible, self.display.base
        looks, told = "", ()
        if prefix:
            looks = shown(prefix, in_ascii=possible.keyed.in_ascii)
            scope, situation = self.focus.scope, possible.situation
            told = following(possible.keyed, scope, situation, prefix)
        base.query_one(PrefixStrip).show(looks, told)
        hints = self._bar("hints")
        for bar in (self._bar("status"), hints):
            bar.set_class(bool(prefix), "away")
        hints.items = self.hints_told(self.display.size.width)

    def hints_told(self, width: int) -> Items:
        """The hints that fit."""
        scope, situation = self.focus.scope, self.possible.situation
        taken, may_allow = self.welcome.keys, self.session.may_be_allowed
        verb = getattr(self.display.top, "verb", "")
        words = {Popup.verb: verb or Popup.verb}
        if scope is Scope.REVIEW:
            words["close"] = "end"
        given = scope, situation, width, taken, may_allow, verb
        if given != self._given:
            needs_edits = situation.read_only and Scope.RECORD in chain(scope)
            allow = self._allow() if needs_edits and may_allow else None
            told = hints(self.possible.keyed, scope, situation, max(width - 1, 0))
            self._hints = keys_told(
                [_called(one, words) for one in told if one.key not in taken],
                allow,
                in_colour=self.layout.palette.name != NONE.name,
            )
            self._given = given
        return self._hints

    @property
    def happening(self) -> Happening:
        """What the status bar shows in addition to the list."""
        session, live, journal = self.session, self.live, self.journal
        past, review = self._past, session.review
        has_news = session.reads and not session.is_reading and past is None
        fresh = LIVE if live.is_following else PAUSED
        is_typed = self.layout.query.is_typed_in
        cut = "" if is_typed else self.display.base.query_one(VerdictBar).cut_reason
        reason = "" if self.status.message else cut
        message = self.status.message or reason
        brief = past[1] if past and not message else ""
        if review:
            brief = f"review {review.brief}"
        return Happening(
            message=message,
            job=past[0] if past else (review.told if review else live.job),
            brief_job=brief,
            undoable=journal.undoable,
            undoes="undo in all stores" if journal.undoes_everywhere else "undo",
            half_done=len(journal.half_done),
            is_wrong=bool(reason) or self.status.is_wrong,
            fresh=fresh if has_news else "",
        )

    def _allow(self) -> Hint | None:
        """The hint for the key that allows edits, if there is one."""
        key = self.possible.key("allow-changes")
        return Hint(key, "allow edits", is_possible=True) if key else None

    @property
    def _past(self) -> tuple[str, str] | None:
        """The date that is shown and how the present differs; also without that."""
        lookback = self.session.lookback
        if lookback is None:
            return None
        then = f"as of {lookback.when}"
        back = f"{self.possible.key('step-back') or ':now'} returns"
        is_uncertain = self.lists.kind == "problems" and not lookback.is_certain
        differs = (
            "" if is_uncertain else since_told(lookback.differences, self.lists.kind)
        )
        told = (then, differs, back)
        return " · ".join(one for one in told if one), f"{then} · {back}"

    def _bar(self, name: str) -> Bar:
        return self.display.base.query_one(f"#{name}", Bar)


def _called(hint: Hint, words: Mapping[str, str]) -> Hint:
    """A hint with the word for what its key does here."""
    return replace(hint, word=words.get(hint.word, hint.word))


def since_told(differences: "Mapping[str, Difference]", kind: str) -> str:
    """How a kind differs between then and now, in a few words."""
    new, changed, gone = differences[kind]
    told = [f"{new} new", f"{changed} changed", f"{gone} deleted"]
    counts = zip(told, (new, changed, gone), strict=True)
    several = " · ".join(words for words, count in counts if count)
    return f"{several} since" if several else "no changes since"
