"""The bars: the message, the counts, the hints for the next keys."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from textual.timer import Timer

from tui.browser.bars import LIVE, PAUSED, Happening, keys_told, place, state, tabs
from tui.browser.layout import PrefixStrip
from tui.commands.command import Scope, chain
from tui.commands.registry import REGISTRY, Hint, Keyed, following, hints
from tui.keys import shown
from widgets.bars import Bar, Items, plain

if TYPE_CHECKING:
    from store.past.lookback import Difference
    from tui.browser.app import Browser

SECONDS = 6.0
"""Seconds that the message of a change stays, unless there is another message."""


class Status:
    """Shows what has happened, and what can be done."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self.message = ""
        """The message in the status bar."""
        self.is_wrong = False
        """Whether the message is an error."""
        self._staying = ""
        self._ending: Timer | None = None

    def stay(self) -> None:
        """Keep the current message until it expires or another replaces it."""
        if self._ending is not None:
            self._ending.stop()
        self._staying = self.message
        if self.message:
            over = partial(self._say_no_more, self.message)
            self._ending = self._browser.set_timer(SECONDS, over)

    def _say_no_more(self, told: str) -> None:
        self._staying = ""
        if self.message == told:
            self.message = ""
            self.tell()

    def hints_told(self, width: int) -> Items:
        """The hints that fit."""
        commands = self._browser.commands
        keyed, scope, situation = commands.keyed, commands.scope, commands.situation
        needs_edits = situation.read_only and Scope.RECORD in chain(scope)
        allow = self._allow(keyed, scope) if needs_edits else None
        told = hints(keyed, scope, situation, max(width - 1, 0))
        taken = self._browser.welcome.keys
        return keys_told([one for one in told if one.key not in taken], allow)

    def _allow(self, keyed: Keyed, scope: Scope) -> Hint | None:
        """The hint for the key that allows edits, where it works."""
        if self._browser.session.library.access.is_read_only:
            return None
        key = next(iter(keyed.keys(scope, REGISTRY.command("allow-changes"))), "")
        return Hint(key, "allow edits", is_possible=True) if key else None

    def show_again(self) -> None:
        """Show a message that should stay, unless there is another one now."""
        if self.message:
            self._staying = ""
        elif self._staying:
            self.message = self._staying
            self.tell()

    @property
    def happening(self) -> Happening:
        """What the status bar shows in addition to the list."""
        live, past, review = (
            self._browser.live,
            self._difference,
            self._browser.session.review,
        )
        fresh = LIVE if self._browser.live.is_following else PAUSED
        has_news = (
            self._browser.session.reads
            and not self._browser.live.is_reading
            and past is None
        )
        return Happening(
            message=self.message,
            job=past or (review.told if review else live.job),
            undoable=self._browser.plans.undoable,
            undoes="undo in all stores"
            if self._browser.plans.undoes_everywhere
            else "undo",
            half_done=len(self._browser.plans.half_done),
            is_wrong=self.is_wrong,
            fresh=fresh if has_news else "",
        )

    @property
    def _difference(self) -> str | None:
        """How the listed kind differs from the present; None in the present."""
        lookback = self._browser.session.lookback
        if lookback is None:
            return None
        return since_told(lookback.differences, self._browser.lists.kind)

    def tell(self) -> None:
        """Update the bars."""
        where = place(
            self._browser.session.stores or self._browser.session.library.stores.chosen,
            self._browser.session.names,
        )
        is_reading, counts = self._browser.live.is_reading, self._browser.session.counts
        views = tabs(
            {kind: n for kind, n in counts.items() if n or not is_reading},
            self._browser.lists.kind,
            where,
            self._browser.session.access,
        )
        self._browser.layout.base.query_one("#tabs", Bar).items = views
        listing = self._browser.lists.listings.get(self._browser.lists.kind)
        found = listing.found if listing else None
        marked = len(listing.table.marks) if listing else 0
        is_known = found is not None and (found.total or not is_reading)
        states = self._browser.facets.states
        told = state(found if is_known else None, states, marked, self.happening)
        if self._browser.layout.is_dense:
            told = Items(told.left, self.hints_told(0).right)
        self._browser.layout.base.query_one("#status", Bar).items = told
        size = self._browser.size
        small = f"too small · {size.width}x{size.height}"
        self._browser.layout.base.query_one("#small", Bar).items = Items(
            (plain(small, "warning", 0),)
        )
        self.show_hints()

    def show_hints(self) -> None:
        """Show the hints, or the continuations of the prefix."""
        prefix = self._browser.chords.prefix
        told = following(
            self._browser.commands.keyed,
            self._browser.commands.scope,
            self._browser.commands.situation,
            prefix,
        )
        looks = (
            shown(prefix, in_ascii=self._browser.layout.colours.is_ascii)
            if prefix
            else ""
        )
        self._browser.layout.base.query_one(PrefixStrip).show(
            looks, told if prefix else ()
        )
        self._browser.layout.base.query("#status, #hints").set_class(
            bool(prefix), "away"
        )
        self._browser.layout.base.query_one("#hints", Bar).items = self.hints_told(
            self._browser.size.width
        )


def since_told(differences: "Mapping[str, Difference]", kind: str) -> str:
    """How a kind differs between then and now, in a few words."""
    new, changed, gone = differences[kind]
    told = [f"{new} new", f"{changed} changed", f"{gone} deleted"]
    counts = zip(told, (new, changed, gone), strict=True)
    several = " · ".join(words for words, count in counts if count)
    return f"{several} since" if several else "no changes since"
