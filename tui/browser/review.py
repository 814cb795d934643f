"""Reviewing memories one by one."""

from collections.abc import Mapping, Sequence
from functools import partial

from store.clean import clean
from store.kinds.problems import Problem
from store.library import Library, Page
from store.queues import DAMAGED, QUEUES
from store.records.answers import Due
from store.records.intents import Intent
from store.search.tree import Named
from tui.browser.dialogs import Dialogs
from tui.browser.display import Part
from tui.browser.layout import Layout
from tui.browser.lists import Lists, Spot
from tui.browser.popups.popup import Choice
from tui.browser.session import Session
from tui.browser.status import Status
from tui.output.reports import CHANGED, KEPT, Progress
from widgets.table import brief

_PROBLEMS = "problems"

_GOES_ON = frozenset({"pin", "archive", "delete", "merge"})
"""Changes after which the review goes on to the next memory."""

_LEAVES_PROBLEMS = frozenset({"pin", "archive"})
"""Those of them that fix nothing."""


class Review(Part):
    """A review: memories shown one by one."""

    session: Session
    layout: Layout
    status: Status
    lists: Lists
    dialogs: Dialogs
    _before: Spot | None = None
    """Where the user was when the review began."""

    async def later(self) -> None:
        """Skip this memory."""
        await self.step(1)

    async def back(self) -> None:
        """Go back to the previous memory."""
        await self.step(-1)

    async def changed_by(self, intent: Intent) -> None:
        """Count a change and go on to the next memory if it was final.

        A damaged memory that is only pinned or archived still has its problem.
        """
        review = self.session.review
        if review is None:
            return
        review.decide(CHANGED)
        here = review.here
        stays = here and here.queue == DAMAGED and intent.word in _LEAVES_PROBLEMS
        if stays and here and await self._trouble(here.memory.ref):
            self.status.say(f"Problem not fixed · {self.status.message}")
            return
        if intent.word in _GOES_ON:
            await self.step(1)

    async def begin(self) -> None:
        """Choose a review queue."""
        counts = await self.session.ask(lambda library: library.review.due_in_each())
        menu = review_menu(counts)
        chosen = await self.dialogs.pick("review", menu)
        if chosen is not None:
            names = [chosen] if chosen else []
            await self.go_through(
                await self.session.ask(lambda lib: lib.review.due(names))
            )

    async def go_through(self, dues: Sequence[Due]) -> None:
        """Start to review memories."""
        if not dues:
            self.status.message = "Nothing left to review."
            return
        self._before = self.lists.spot
        self.session.review = Progress(dues)
        await self.step(0)

    async def keep(self) -> None:
        """Mark this memory as reviewed."""
        review = self.session.review
        here = review.here if review else None
        if review is None or here is None:
            return
        await self.session.ask_changes(lambda library: library.review.note(here.memory))
        review.decide(KEPT)
        await self.step(1)

    async def step(self, step: int) -> None:
        """Show the next memory, or end the review."""
        review = self.session.review
        if review is None:
            return
        review.at = max(review.at + step, 0)
        here = review.here
        if here is None:
            await self.end()
            return
        review.trouble = await self._trouble(here.memory.ref)
        await self.lists.come(Spot("memories", "", here.memory.ref))
        self.layout.zoom("zoom-side")
        self.layout.reader.text.sheet.focus()
        self.status.tell()

    async def _trouble(self, ref: str) -> str:
        """What is wrong with a memory, and what fixes it; empty if nothing is."""
        found = await self.session.ask(partial(_problem_of, ref=ref))
        if found is None:
            return ""
        fix = "x fixes it." if found.fix else "gh lists its problems."
        return f"⚠ {clean(found.message)} {fix}"

    async def end(self) -> None:
        """End the review; all decisions stay."""
        review, self.session.review = self.session.review, None
        if review is not None:
            self.status.message = review.outcome
        if self._before is not None:
            await self.lists.come(self._before)
        self.lists.focus()
        self.status.tell()


def _problem_of(library: Library, ref: str) -> Problem | None:
    """The first problem of a memory; one that can be fixed comes first."""
    rows = library.lists.order(_PROBLEMS, Page(), Named("ref", (ref,)))
    found = library.lists.numbered(_PROBLEMS, list(rows)).values()
    problems = [one for one in found if isinstance(one, Problem)]
    return min(problems, key=lambda one: not one.fix, default=None)


# Review queues with their counts.


def review_menu(counts: Mapping[str, int]) -> list[Choice[str]]:
    """All queues together, then each queue that is not empty."""
    everything = Choice(
        "",
        "everything",
        "all queues in turn",
        right=[(brief(counts[""]), "muted")],
        detail="then: space keep · p pin · d archive · e edit · . later",
        why_not=None if any(counts.values()) else "Nothing to review.",
    )
    return [
        everything,
        *(
            Choice(
                queue.name,
                queue.name,
                queue.why,
                right=[(brief(counts[queue.name]), "muted")],
                detail=queue.query or queue.why,
            )
            for queue in QUEUES
            if counts[queue.name]
        ),
    ]
