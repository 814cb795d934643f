"""Derived files made anew: indexes, and pages that programs put together."""

from pathlib import Path

from store.library import Library
from tui.browser.changing.passing import Passing


class Deriving(Passing):
    """Carries out what makes derived files anew."""

    def action_rebuild(self) -> None:
        """Choose a derived file, and see what making it anew would change."""
        self.begin_flow(self._rebuild())

    async def _rebuild(self) -> None:
        from store.records.intents import Rebuild

        found = await self.changes.ask(_derived)
        shown = [one for one in found if not self.stores or str(one[1]) in self.stores]
        menu = self.popups.changing.derived_menu(shown, self.names)
        picker = self.popups.Picker("make anew", menu, self.palette)
        chosen = await self.asked(picker)
        if chosen is None:
            return
        name, store = chosen
        planned = await self.changes.ask(
            lambda library: library.plan(Rebuild(name=name), store=store)
        )
        idle = "Nothing of it would be other than it is."
        await self.put_in_place(planned, f"rebuilt {name}", idle)


def _derived(library: Library) -> list[tuple[str, Path]]:
    """What can be made anew, and in which store."""
    from tui.words import DERIVED

    return [(name, store) for name in DERIVED for store in library.rebuilding(name)]
