"""A memory, found by typing a part of its name; the one that asks is left out."""

from collections.abc import Sequence
from functools import partial

from store.errors import GivenUpError
from store.records.memory import Memory
from tui.browser.data.desk import Desk
from tui.browser.popups.named import LEAST, at_a_glance, named, told_of
from tui.browser.popups.popup import Popup
from tui.browser.popups.rows import Choice
from widgets.columns.cells import told
from widgets.styles.palette import Palette


class MemoryPicker(Popup[str]):
    """Closes with the ref of a memory."""

    def __init__(
        self, title: str, desk: Desk, palette: Palette, near: Sequence[Memory]
    ) -> None:
        """`near` are offered before anything is typed."""
        super().__init__(title, "a part of its name", palette)
        self._desk = desk
        self._near = near
        self._found = near
        self._is_asking = False

    def rows(self, typed: str) -> Sequence[Choice[str]]:
        """What is like what was typed."""
        del typed
        return [_choice(memory) for memory in self._found]

    def changed(self) -> None:
        """Ask anew, unless an answer is on its way: that asks again."""
        if not self._is_asking:
            self._is_asking = True
            self.run_worker(self._ask)

    async def _ask(self) -> None:
        """Ask until what was answered is what is typed."""
        answered: str | None = None
        while answered != self.typed.strip():
            answered = self.typed.strip()
            self._found = self._near
            if len(answered) >= LEAST:
                self._found = await self._named(answered)
            self.fill()
        self._is_asking = False

    async def _named(self, typed: str) -> Sequence[Memory]:
        try:
            return await self._desk.ask_once(partial(named, typed=typed))
        except GivenUpError:
            return ()


def _choice(memory: Memory) -> Choice[str]:
    return Choice(
        memory.ref,
        memory.title,
        before=at_a_glance(memory),
        detail=told(told_of(memory)),
    )
