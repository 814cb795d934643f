"""What agents read at their start, and what they would recall for a prompt."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from store.agents import AGENTS, context_of, memory_folders
from store.clean import clean
from store.context import Part as ContextPart
from store.context import Surroundings, below_home, exists
from store.errors import WrongUseError
from store.kinds.conversations import Conversation
from store.machine import Machine
from store.recall import recall, words_of
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.lists import Lists
from tui.browser.panes import show_file
from tui.browser.popups.menus import context_menu, recall_menu, recall_prompt
from tui.browser.session import Session
from tui.browser.status import Status

_NO_CONTEXT = "No agent finds instructions or memories for this folder."
_NO_MEMORIES = "No agent finds memories for this folder."


_Doing = Callable[[Surroundings], Coroutine[Any, Any, None]]


class AgentView(Part):
    """Shows the stores as an agent sees them."""

    display: Display
    session: Session
    status: Status
    lists: Lists
    dialogs: Dialogs

    def context(self) -> None:
        """Show what agents read when they start in the folder of a conversation.

        Without one, it is the folder in which recollect was started, with the memories
        of the store that the record is in, if agents read them at their start.
        """
        self._begin(self._context)

    def recall(self) -> None:
        """Ask for a prompt, and show which memories an agent would recall."""
        self._begin(self._recall)

    def _begin(
        self, doing: Callable[[Surroundings], Coroutine[Any, Any, None]]
    ) -> None:
        record, machine = self.lists.here, Machine.this()
        cwd = record.cwd if isinstance(record, Conversation) else None
        at = Surroundings(
            Path(cwd) if cwd and cwd.startswith("/") else machine.here,
            machine.home,
            Path(record.store) if record else None,
            machine.environment,
        )
        self.dialogs.begin(doing(at))

    async def _context(self, at: Surroundings) -> None:
        parts = await self.session.ask(
            lambda _: [part for agent in AGENTS for part in context_of(agent, at)]
        )
        title = f"what agents read first in {below_home(str(at.folder), at.home)}"
        title += "" if exists(at.folder) else " (not on this machine)"
        rows = context_menu(parts, at.home)
        chosen = await self.dialogs.pick(clean(title), rows, nothing=_NO_CONTEXT)
        if chosen is not None and chosen >= 0:
            self._open(parts[chosen])

    def _open(self, part: ContextPart) -> None:
        file = Path(part.path)
        self.status.message = show_file(self.display, str(file.parent), file.name)

    async def _recall(self, at: Surroundings) -> None:
        wanted = recall_prompt(_checked)
        prompt = await self.dialogs.typed(wanted)
        if prompt is None:
            return
        found = await self.session.ask(lambda _: recall([prompt], memory_folders(at)))
        found.sort(key=lambda one: (not one.is_recalled, not one.near))
        title = f"recalled by words alone, without a model: {prompt}"
        rows = recall_menu(found)
        chosen = await self.dialogs.pick(clean(title), rows, nothing=_NO_MEMORIES)
        if chosen is not None:
            file = Path(found[chosen].path)
            self.status.message = show_file(self.display, str(file.parent), file.name)


def _checked(prompt: str) -> str:
    """A prompt with a word that counts; raises WrongUseError."""
    if not words_of(prompt):
        raise WrongUseError("Only words of four letters or more count.")
    return prompt
