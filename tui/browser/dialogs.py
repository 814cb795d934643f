"""Operations in several steps, with questions in between.

Only one runs at a time, so that nothing opens above a question.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import field
from msgspec.structs import replace
from rich.cells import cell_len
from textual.screen import ModalScreen

from store.edits.conflict import ChangedOnDiskError, Conflict, HalfDoneError
from store.errors import NotPossibleError, RecollectError, WrongUseError
from tui.browser.display import Display, Part
from tui.browser.layout import Layout, report_stray_error
from tui.browser.popups.popup import Choice, Heading, Picker
from tui.browser.status import Status
from widgets.styles import Palette

if TYPE_CHECKING:
    from tui.browser.popups.question import Wanted

Answer = TypeVar("Answer")
Value = TypeVar("Value", bound=Hashable)

_REFUSED = "Couldn't do that"
_STATES = 12
"""Columns of the status bar that are not available for messages."""


def _set() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


class Dialogs(Part):
    """Runs operations in several steps, one at a time, and shows their errors."""

    display: Display
    layout: Layout
    status: Status
    has_decided: Callable[[str], Awaitable[bool]]
    """Asks the user to resolve a half-done change, if it is known."""
    _flow: asyncio.Task[None] | None = None
    _still: asyncio.Event = field(default_factory=_set)

    @property
    def questions(self):  # noqa: ANN201  # a module, whose type has no name
        """The questions of changes, imported with the first one."""
        from tui.browser.popups import changes  # noqa: PLC0415  # only then

        return changes

    @property
    def is_flowing(self) -> bool:
        """Whether a flow is running or waiting for an answer."""
        return self._flow is not None and not self._flow.done()

    async def asked(self, screen: ModalScreen[Answer | None]) -> Answer | None:
        """Ask a question and wait for the answer; None if it is cancelled."""
        answer: asyncio.Future[Answer | None] = asyncio.Future()

        def take(given: Answer | None) -> None:
            self._still.clear()
            self.display.held.hold()
            if not answer.done():
                answer.set_result(given)

        await self.display.push_screen(screen, take)
        self.display.call_after_refresh(self._wait_for_answer)
        return await answer

    async def _wait_for_answer(self) -> None:
        """Send the keys typed meanwhile, now that the question is visible."""
        self._still.set()
        await self.display.release_keys()

    def _listen_again(self, _flow: asyncio.Task[None]) -> None:
        """Send the keys typed during the flow."""
        if self.display.is_running:
            self.display.call_later(self.display.release_keys)

    async def _carry_out(self, doing: Coroutine[Any, Any, None]) -> None:
        try:
            await doing
            self.status.stay()
        except RecollectError as error:
            await self._tell_trouble(error)
        finally:
            self._still.set()

    async def _tell_trouble(self, error: RecollectError) -> None:
        """Show an error; in a popup if it is long or another program changed a file."""
        is_half_done = isinstance(error, HalfDoneError)
        if is_half_done and await self.has_decided(error.change):
            return
        self.status.is_wrong = True
        self.status.say(str(error))
        conflicts = error.conflicts if isinstance(error, ChangedOnDiskError) else ()
        if conflicts or self.is_long(self.status.message):
            await self.show_trouble(self.status.message, conflicts)

    async def show_trouble(
        self, why: str, conflicts: "Sequence[Conflict]", title: str = _REFUSED
    ) -> None:
        """Show why something was not done, and what another program wrote."""
        trouble = self.questions.trouble_question
        await self.asked(trouble(title, why, conflicts, self.palette))

    def is_long(self, sentence: str) -> bool:
        """Whether a sentence is too long for the status bar."""
        return cell_len(sentence) > self.display.size.width - _STATES

    async def pick(
        self,
        title: str,
        menu: Sequence[Choice[Value] | Heading],
        *,
        nothing: str = "",
        verb: str = Picker.verb,
        other: Value | None = None,
    ) -> Value | None:
        """The choice from a menu, or `other` for another project; None if cancelled.

        `verb` is what enter does.
        """
        picker = Picker(title, menu, self.palette, nothing=nothing)
        picker.verb, picker.other = verb, other
        return await self.asked(picker)

    def offer(
        self,
        title: str,
        menu: Sequence[Choice[Value]],
        take: Callable[[Value], object],
        *,
        current: Value | None = None,
        nothing: str = "",
        verb: str = Picker.verb,
    ) -> None:
        """Show a menu, and go on; `take` gets the choice, unless it is cancelled."""
        picker = Picker(title, menu, self.palette, current=current, nothing=nothing)
        picker.verb = verb
        self.display.open(picker, take)

    async def typed(self, wanted: "Wanted", other: str | None = None) -> str | None:
        """The answer to a prompt, or `other` for another project; None if cancelled."""
        prompt = self.questions.prompt(wanted, self.palette)
        if other is not None:
            prompt.verb, prompt.other = "accept", other
        return await self.asked(prompt)

    async def act_on(
        self, wanted: "Wanted", act: Callable[[str], Awaitable[None]]
    ) -> None:
        """Act on the answer to a prompt.

        If that is refused, the prompt is shown again with the text and the reason.
        """
        while True:
            typed = await self.typed(wanted)
            if typed is None:
                return
            try:
                await act(typed)
            except (NotPossibleError, WrongUseError) as error:
                wanted = replace(wanted, text=typed, refusal=str(error))
            else:
                return

    def begin(self, doing: Coroutine[Any, Any, None]) -> None:
        """Start a flow, unless one is running; keys are held until it ends.

        So the user can pin one memory after another without waiting, and without
        hitting the wrong one.
        """
        if self.is_flowing:
            doing.close()
            self.status.message = "Please wait, another change is still running."
            return
        self._still.clear()
        self.display.held.hold()
        self._flow = asyncio.create_task(self._carry_out(doing))
        self._flow.add_done_callback(report_stray_error)
        self._flow.add_done_callback(self._listen_again)

    @property
    def is_busy(self) -> bool:
        """Whether an operation is running and does not wait for an answer."""
        return not self._still.is_set()

    async def settled(self) -> None:
        """Wait until the operation is over, or a question waits for its answer."""
        await self._still.wait()

    @property
    def palette(self) -> Palette:
        """The palette of popups."""
        return self.layout.palette

    async def close(self) -> None:
        """Cancel an operation that waits for an answer."""
        if self._flow is not None:
            self._flow.cancel()
            await asyncio.gather(self._flow, return_exceptions=True)
