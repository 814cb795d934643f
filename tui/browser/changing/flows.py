"""A flow: what goes on step by step while keys are listened to, questions in between.

One flow at a time: whoever is asked something sees nothing else opened over it.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from textual.screen import ModalScreen

from store.errors import RecollectError
from tui.browser.choosing import Choosing

Answer = TypeVar("Answer")


class Flowing(Choosing):
    """Carries flows out; what is in the way of one stands in the status line."""

    def __init__(self, *args: Any, **settings: Any) -> None:  # noqa: ANN401  # as who inherits from has it
        super().__init__(*args, **settings)
        self._flow: asyncio.Task[None] | None = None
        self._still = asyncio.Event()
        self._still.set()

    def begin_flow(self, doing: Coroutine[Any, Any, None]) -> None:
        """Begin a flow, unless one goes on."""
        if self._flow is not None and not self._flow.done():
            doing.close()
            self.message = "One thing after another: a change is going on."
            return
        self._still.clear()
        self._flow = asyncio.create_task(self._carry_out(doing))
        self._flow.add_done_callback(_tell_stray_errors)

    async def asked(self, screen: ModalScreen[Answer | None]) -> Answer | None:
        """Ask something, and wait for the answer; None where there is none."""
        answer: asyncio.Future[Answer | None] = asyncio.Future()

        def take(given: Answer | None) -> None:
            self._still.clear()
            if not answer.done():
                answer.set_result(given)

        await self.push_screen(screen, take)
        self._still.set()
        return await answer

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

    async def _carry_out(self, doing: Coroutine[Any, Any, None]) -> None:
        try:
            await doing
        except RecollectError as error:
            self.message = str(error)
            self.tell()
        finally:
            self._still.set()


def _tell_stray_errors(task: asyncio.Task[None]) -> None:
    """What nobody foresaw is told at once, though nobody waits for the flow."""
    error = None if task.cancelled() else task.exception()
    if error is not None:
        context = {"message": "A flow broke off.", "exception": error}
        task.get_loop().call_exception_handler(context)
