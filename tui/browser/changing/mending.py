"""What mends problems: one, all that are safe, or none of a kind any more."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store.library import Library, Page
from tui.browser.changing.deriving import Deriving
from tui.browser.changing.planning import told_of

if TYPE_CHECKING:
    from store.records.problem import Problem
    from tui.browser.data.found import Wish

_PROBLEMS = "problems"


class Mending(Deriving):
    """Carries out what concerns problems."""

    shows_ignored = False
    """Whether problems are listed that are ignored."""

    def _wish(self) -> "Wish":
        """What is to be listed; of problems, what nobody ignores."""
        from tui.browser.changing.ignoring import left_out

        wish = super()._wish()
        if self.kind != _PROBLEMS or self.shows_ignored:
            return wish
        return replace(wish, without=left_out(self.kept.ignored()))

    def action_ignore(self) -> None:
        """Leave what is marked or here out from now on, or tell it again."""
        self.begin_flow(self._ignore())

    async def _ignore(self) -> None:
        from tui.browser.changing.ignoring import ignorable

        table = self.table
        rows = [row for row in table.marks if isinstance(row, int)]
        records = await self.ask(lambda library: library.numbered(_PROBLEMS, rows))
        chosen = ignorable(records.values() if rows else [table.at_cursor])
        ignores = not self.kept.ignored().issuperset(chosen)
        self.message = self.kept.ignore(chosen, ignores=ignores)
        self.table.set_marks(())
        await self.looked()
        self.tell()

    def action_show_ignored(self) -> None:
        """List what is ignored too, or no longer."""
        self.shows_ignored = not self.shows_ignored
        self.look()

    def action_fix(self) -> None:
        """Show what would mend this, and do it."""
        self.begin_flow(self._fix())

    async def _fix(self) -> None:
        record = self.table.at_cursor
        problems = await self.ask(lambda library: _problems_of(library, record))
        await self._mend(problems[:1])

    def action_fix_all(self) -> None:
        """Show what would mend all that is listed and can be mended, and do it."""
        self.begin_flow(self._fix_all())

    async def _fix_all(self) -> None:
        found = self.listing.found
        rows = found.rows if found else ()
        problems = await self.ask(lambda library: _mendable(library, rows))
        await self._mend(problems)

    async def _mend(self, problems: "Sequence[Problem]") -> None:
        """One plan for all of it, whatever the stores."""
        from store.records.intents import Mend
        from tui.browser.changing.bulk import Bulk

        if not problems:
            self.message = "Nothing here can be mended from here."
            self.tell()
            return
        planned = Bulk(
            await self.changes.ask(lambda library: library.plan_each(Mend(), problems))
        )
        self.refuse_where_read_only(planned.plans)
        if await self.is_wanted(planned):
            done = await self.carry_out_all(planned.plans)
            self.message = told_of(f"mended {planned.count}", planned, done)
            await self.changed()


def _problems_of(library: Library, record: object) -> "list[Problem]":
    """The problem at the cursor, or those that concern the record there."""
    from store.records.problem import Problem

    if isinstance(record, Problem):
        return [record]
    ref = getattr(record, "ref", None)
    everything = _mendable(library, library.order(_PROBLEMS, Page()))
    return [one for one in everything if one.ref == ref]


def _mendable(library: Library, rows: Sequence[int]) -> "list[Problem]":
    """The problems that something here can mend."""
    from store.records.problem import Problem

    found = library.numbered(_PROBLEMS, list(rows))
    return [one for one in found.values() if isinstance(one, Problem) and one.fix]
