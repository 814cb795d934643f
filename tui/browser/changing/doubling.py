"""What stands more than once, and one memory made of it."""

from tui.browser.changing.relating import Relating, target_of


class Doubling(Relating):
    """Finds doubles, and hands them over to be made one."""

    def action_dedupe(self) -> None:
        """Choose among what stands more than once, and make one of it."""
        self.begin_flow(self._dedupe())

    async def _dedupe(self) -> None:
        from store.library import Library

        doubles = await self.ask(Library.doubles)
        if not doubles:
            self.message = "Nothing here stands more than once."
            self.tell()
            return
        menu = self.popups.doubles_menu(doubles)
        chosen = await self.asked(
            self.popups.Picker("stands more than once", menu, self.palette)
        )
        if chosen is not None:
            await self.make_one(
                [target_of(one.memory) for one in doubles if one.of == chosen]
            )
