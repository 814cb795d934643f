"""The pane in which one reads a conversation, and all that can be asked for in it."""

import os
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import on

from store.clean import clean
from store.errors import RecollectError
from store.talk.calls import Call
from tui.browser.leading import kind_of
from tui.browser.pager import show_file
from tui.browser.transcript.bound import Bound
from tui.browser.transcript.codes import codes_in
from tui.browser.transcript.menus import ALL, MODES
from tui.browser.transcript.parts import AGENT
from tui.browser.transcript.resuming import folder_told, resuming
from tui.browser.transcript.talk import call_whole
from tui.browser.transcript.whole import text_of
from widgets.transcript.entry import CALL, FAILED, SAID
from widgets.transcript.reports import Followed

if TYPE_CHECKING:
    from tui.browser.transcript.offers import Offers

_NOT_YET = "The messages are still being looked through."


class TranscriptPane(Bound):
    """What can be asked for in a transcript."""

    mode = ALL
    """What is shown, by name."""

    @property
    def offers(self) -> "type[Offers]":
        """All that opens over the screen, loaded for the first that does."""
        from tui.browser.transcript.offers import Offers

        return Offers

    def action_hit(self, step: int) -> None:
        """Go to another hit."""
        self.next_hit(step, self.hits)

    def action_prompt(self, step: int) -> None:
        """Go to the next prompt, or the one before."""
        prompts = self.skim.of_kind("prompt") if self.skim else ()
        at = self.reading.spot.at
        ahead = [one for one in prompts if (one > at if step > 0 else one < at)]
        if ahead:
            self.go(ahead[0] if step > 0 else ahead[-1])
        elif step < 0:
            self.top()

    def action_conversation(self, step: int) -> None:
        """Read another conversation of the list; the keys stay here."""
        self.browser.table.move(step)

    def action_follow_part(self) -> None:
        """Go where it leads what is pointed at; open it where it leads nowhere."""
        if not self.follow():
            self.toggle()

    async def action_outline(self) -> None:
        """Choose among the prompts."""
        talk = self.talk
        if talk is not None:
            ref = talk.conversation.ref
            openings = await self.browser.ask(lambda library: library.openings(ref))
            offers = self.offers
            here = talk.numbers[self.reading.spot.at]
            before = [one.number for one in openings if one.number <= here]
            picker = offers.Picker(
                "prompts",
                offers.outline(openings),
                self.palette,
                current=before[-1] if before else None,
            )
            self.browser.push_screen(picker, self._go_to_number)

    def action_go_to_time(self) -> None:
        """Type a time, and go there."""
        if self.skim is None:
            self.browser.message = _NOT_YET
        else:
            popup = self.offers.TimePopup(self.skim.micros, self.palette)
            self.browser.push_screen(popup, self._go_to_place)

    def action_show_kinds(self) -> None:
        """Choose what is shown."""
        if self.skim is None:
            self.browser.message = _NOT_YET
        else:
            menu = self.offers.modes(self.mode)
            picker = self.offers.Picker("show", menu, self.palette, current=self.mode)
            self.browser.push_screen(picker, self._take_mode)

    async def action_copy_record(self, what: str) -> None:
        """Copy something of the message that is pointed at."""
        entry, part, talk = self.entry, self.part, self.talk
        if talk is None or entry is None or what == "query":
            self.browser.message = self.browser.copied(self.browser.text)
            return
        conversation = talk.conversation
        match what:
            case "ref":
                text = entry.name
            case "path":
                text = os.path.join(conversation.store, conversation.source)  # noqa: PTH118  # as text, which may be no path here
            case "title":
                text = conversation.title
            case "link":
                text = f"[[{conversation.title}]]"
            case _:
                text = await self._text() if part else ""
        self.browser.message = self.browser.copied(text)

    async def action_copy_code(self) -> None:
        """Copy a piece of code, or the command that a tool ran."""
        part = self.part
        if part is not None and part.kind != SAID:
            call = await self.call()
            pieces = [call.text] if call and call.text else []
        else:
            pieces = list(codes_in(part.text)) if part else []
        if len(pieces) > 1:
            picker = self.offers.Picker("code", self.offers.codes(pieces), self.palette)
            self.browser.push_screen(picker, partial(self._copy_piece, pieces))
        elif pieces:
            self.browser.message = self.browser.copied(pieces[0])
        else:
            self.browser.message = "There is no code at the cursor."

    def action_copy_resume(self) -> None:
        """Copy the command that takes the session up again."""
        conversation = self.talk.conversation if self.talk else None
        command = resuming(conversation) if conversation else None
        if conversation is None or command is None:
            self.browser.message = "No agent can take this conversation up again."
        else:
            told = folder_told(conversation)
            self.browser.message = f"{told} {self.browser.copied(command)}"

    def action_export(self) -> None:
        """Export the conversation."""
        if self.talk is not None:
            self.browser.export([self.talk.conversation])

    async def action_show_file(self) -> None:
        """Show the file that a call names; else the transcript, where it says this."""
        talk, entry = self.talk, self.entry
        if talk is None or entry is None:
            return
        call = await self.call()
        if call is not None and call.file:
            path = os.path.join(talk.conversation.cwd or "/", call.file)  # noqa: PTH118  # what a transcript calls a path
            failure = show_file(self.browser, "/", path, call.line)
        else:
            conversation = talk.conversation
            line = talk.order.lines[self.reading.spot.at]
            failure = show_file(
                self.browser, conversation.store, conversation.source, line
            )
        self.browser.message = clean(failure)

    async def call(self) -> Call | None:
        """The call that is pointed at, whole; None where it is none."""
        talk, part = self.talk, self.part
        at = self.reading.spot.at
        if talk is None or part is None or part.kind not in {CALL, FAILED}:
            return None
        try:
            return await self.browser.ask(
                lambda library: call_whole(library, talk, at, part.key)
            )
        except RecollectError:
            return None

    async def _text(self) -> str:
        """What the part says that is pointed at; of a call all of it."""
        call = await self.call()
        return text_of(call) if call else self.part.text if self.part else ""

    def _copy_piece(self, pieces: Sequence[str], number: int | None) -> None:
        if number is not None:
            self.browser.message = self.browser.copied(pieces[number])
            self.browser.tell()

    def _go_to_number(self, number: int | None) -> None:
        place = self.talk.place(number) if self.talk and number is not None else None
        self._go_to_place(place)

    def _go_to_place(self, place: int | None) -> None:
        """Go to a message; what a tool answered is told with the call."""
        if place is not None:
            self.go(self.skim.calls[place] if self.skim else place)

    def _take_mode(self, name: str | None) -> None:
        if name is not None and self.skim is not None:
            self.mode = name
            mode = MODES[name]
            self.show_only(mode.shown(self.skim), mode.kinds)
            self.browser.message = mode.told
            self.browser.tell()

    @on(Followed)
    async def _followed(self, event: Followed) -> None:
        """Go to a memory that was written, or to what a sub-agent did."""
        event.stop()
        ref: str | None = event.target.text
        talk = self.talk
        if event.target.kind == AGENT and talk is not None:
            call = await self.call()
            name, here = call.agent if call else None, talk.conversation.ref
            ref = name and await self.browser.ask(
                lambda library: library.agent_of(here, name)
            )
        if ref:
            await self.browser.go(kind_of(ref), ref, "")
        else:
            self.browser.message = "What the agent did there is not kept."
            self.browser.tell()
