"""A review: one memory after the other, each decided by a key and undone by one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tui.browser.changing.mending import Mending
from tui.browser.panes import ReadingPane
from tui.browser.telling import Happening
from tui.commands.scopes import Scope

if TYPE_CHECKING:
    from store.records.due import Due
    from store.records.intents import Intent
    from tui.faces.reviewing import Progress

_GOES_ON = frozenset({"pin", "archive", "delete", "merge"})
"""The changes after which there is nothing left to decide."""

_WITHIN = frozenset({Scope.MEMORIES, Scope.READER})
"""Where the keys of a review hold, while one goes on."""


class Reviewing(Mending):
    """Carries a review out."""

    review: "Progress | None" = None

    @property
    def scope(self) -> Scope:
        """The scope of the pane that has the focus; a review has its own keys."""
        scope = super().scope
        return Scope.REVIEW if self.review and scope in _WITHIN else scope

    @property
    def happening(self) -> Happening:
        """What goes on; how far the review is."""
        now = super().happening
        return now._replace(job=self.review.told) if self.review else now

    def action_review(self) -> None:
        """Choose what to go through."""
        self.begin_flow(self._review())

    async def _review(self) -> None:
        counts = await self.ask(lambda library: library.due_in_each())
        menu = self.popups.review_menu(counts)
        chosen = await self.asked(self.popups.Picker("review", menu, self.palette))
        if chosen is not None:
            names = [chosen] if chosen else []
            await self.go_through(await self.ask(lambda lib: lib.review(names)))

    async def go_through(self, dues: "Sequence[Due]") -> None:
        """Begin to go through memories that are due."""
        from tui.faces.reviewing import Progress

        if not dues:
            self.message = "Nothing is left to be reviewed."
            return
        self.review = Progress(dues)
        await self._next(0)

    def action_keep(self) -> None:
        """This is right as it stands."""
        self.begin_flow(self._keep_it())

    async def _keep_it(self) -> None:
        review = self.review
        here = review.here if review else None
        if review is None or here is None:
            return
        await self.changes.ask(lambda library: library.note_reviewed(here.memory))
        review.kept += 1
        await self._next(1)

    def action_later(self) -> None:
        """Leave it for another time."""
        self.begin_flow(self._next(1))

    def action_back_in_review(self) -> None:
        """To the one before."""
        self.begin_flow(self._next(-1))

    def action_end_review(self) -> None:
        """Leave off; what was decided stays."""
        self.begin_flow(self._end())

    async def went_on(self, intent: "Intent") -> None:
        """A decision was made: on to the next."""
        if self.review is not None:
            self.review.changed += 1
            if intent.word in _GOES_ON:
                await self._next(1)

    async def _next(self, step: int) -> None:
        """Show the memory that is due next, or end."""
        review = self.review
        if review is None:
            return
        review.at = max(review.at + step, 0)
        here = review.here
        if here is None:
            await self._end()
            return
        await self.go("memories", here.memory.ref, "")
        self.zoom("zoom-side")
        self.base.query_one(ReadingPane).focus()
        self.tell()

    async def _end(self) -> None:
        review, self.review = self.review, None
        if review is not None:
            self.message = review.outcome
        self.action_back_to_list()
        self.tell()
