"""A flow: what goes on step by step while keys are listened to, questions in between.

One flow at a time: whoever is asked something sees nothing else opened over it.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from rich.cells import cell_len
from textual.screen import ModalScreen

from store.errors import RecollectError
from tui.browser.changing.staying import Staying

if TYPE_CHECKING:
    from store.edits.conflict import Conflict

Answer = TypeVar("Answer")

_STATES = 12
"""Columns of the status line that no message gets."""


class Flowing(Staying):
    """Carries flows out; what is in the way of one stands in the status line."""

    def __init__(self, *args: Any, **settings: Any) -> None:  # noqa: ANN401  # as who inherits from has it
        super().__init__(*args, **settings)
        self._flow: asyncio.Task[None] | None = None
        self._still = asyncio.Event()
        self._still.set()

    def begin_flow(self, doing: Coroutine[Any, Any, None]) -> None:
        """Begin a flow, unless one goes on; what is typed meanwhile is meant for after.

        Who pins one memory after the other need not wait, and hits none by mistake.
        """
        if self._flow is not None and not self._flow.done():
            doing.close()
            self.message = "One thing after another: a change is going on."
            return
        self._still.clear()
        self.hold_keys()
        self._flow = asyncio.create_task(self._carry_out(doing))
        self._flow.add_done_callback(_tell_stray_errors)
        self._flow.add_done_callback(self._listen_again)

    async def asked(self, screen: ModalScreen[Answer | None]) -> Answer | None:
        """Ask something, and wait for the answer; None where there is none."""
        answer: asyncio.Future[Answer | None] = asyncio.Future()

        def take(given: Answer | None) -> None:
            self._still.clear()
            self.hold_keys()
            if not answer.done():
                answer.set_result(given)

        await self.push_screen(screen, take)
        self.call_after_refresh(self._wait_for_answer)
        return await answer

    async def _wait_for_answer(self) -> None:
        """Hear what was typed meanwhile: what is asked is on the screen."""
        await self.release_keys()
        self._still.set()

    async def settled(self) -> None:
        """Until nothing goes on any more, or an answer is waited for."""
        await super().settled()
        await self._still.wait()
        await super().settled()

    async def on_unmount(self) -> None:
        """A flow that waits for an answer gets none any more."""
        if self._flow is not None:
            self._flow.cancel()
            await asyncio.gather(self._flow, return_exceptions=True)

    def _listen_again(self, _flow: asyncio.Task[None]) -> None:
        """What was typed meanwhile is pressed now."""
        if self.is_running:
            self.call_later(self.release_keys)

    async def _carry_out(self, doing: Coroutine[Any, Any, None]) -> None:
        try:
            await doing
            self.stay()
        except RecollectError as error:
            await self._tell_trouble(error)
        finally:
            self._still.set()

    async def _tell_trouble(self, error: RecollectError) -> None:
        """Say what was in the way; whole where it is long, or others changed a file."""
        from store.edits.refusals import ChangedOnDiskError

        self.message = str(error)
        self.is_wrong = True
        self.tell()
        conflicts = error.conflicts if isinstance(error, ChangedOnDiskError) else ()
        if conflicts or self._is_long(self.message):
            await self._show_trouble(self.message, conflicts)

    def refuse(self, why_not: str) -> None:
        """Say why something is not possible; whole, where it is too long for a line."""
        super().refuse(why_not)
        if self._is_long(why_not):
            self.begin_flow(self._show_trouble(why_not, ()))

    async def _show_trouble(self, why: str, conflicts: "Sequence[Conflict]") -> None:
        question = self.popups.changing.trouble_question(why, conflicts, self.palette)
        await self.asked(question)

    def _is_long(self, sentence: str) -> bool:
        return cell_len(sentence) > self.size.width - _STATES


def _tell_stray_errors(task: asyncio.Task[None]) -> None:
    """What nobody foresaw is told at once, though nobody waits for the flow."""
    error = None if task.cancelled() else task.exception()
    if error is not None:
        context = {"message": "A flow broke off.", "exception": error}
        task.get_loop().call_exception_handler(context)
