"""Conversations are read in a pane of their own, beside whatever they are listed in."""

from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual import on
from textual.containers import Container
from textual.widget import Widget

from store.errors import GivenUpError, RecollectError
from store.library import Record
from tui.browser.exporting import Exporting
from tui.browser.panes import ReadingPane
from tui.commands.situation import Situation

if TYPE_CHECKING:
    from tui.browser.transcript.pane import TranscriptPane

_SHOWN = "talk"
"""The class of the body while a conversation is read."""


class Talking(Exporting):
    """Opens the conversation of the record at the cursor, where that is."""

    _talk_pane: "TranscriptPane | None" = None

    @property
    def transcript(self) -> "TranscriptPane | None":
        """The pane in which a conversation is read, if one is."""
        is_shown = self.base.query_one("#body").has_class(_SHOWN)
        return self._talk_pane if is_shown else None

    @property
    def side(self) -> "ReadingPane | TranscriptPane":
        """The pane in which one reads."""
        return self.transcript or self.base.query_one(ReadingPane)

    @property
    def is_reading_focused(self) -> bool:
        """Whether the pane in which one reads has the keys."""
        return self.focused is not None and self.focused is self.read_in

    @property
    def read_in(self) -> Widget:
        """What has the keys where one reads."""
        return self.graph or self.side

    @property
    def situation(self) -> Situation:
        """How things stand."""
        from store.records.conversation import Conversation, Message

        told = super().situation
        record = self.table.at_cursor if told.has_record else None
        if not isinstance(record, Conversation | Message):
            return told
        pane = self.transcript
        hits = told.hits if pane is None else len(pane.hits) if self.text else 0
        return replace(told, hits=hits, has_file=True)

    async def _opened_record(self, record: Record | None) -> None:
        """Show a conversation before all else that is known of the record."""
        from tui.browser.pages import READ

        try:
            is_talk = await self._read_talk(record)
        except GivenUpError:
            return
        except RecollectError:  # the reader says why
            is_talk = False
        reader = self.base.query_one(ReadingPane)
        self.show_talk(is_shown=is_talk and reader.tab in {"", READ})
        await super()._opened_record(record)

    async def _read_talk(self, record: Record | None) -> bool:
        """Read the conversation that a record is or belongs to, if there is one."""
        from store.clean import clean
        from store.records.conversation import Conversation, Message
        from store.search.language.parsing import parse

        if not isinstance(record, Conversation | Message):
            return False
        from tui.browser.transcript.talk import begin

        begun = await self.desk.ask_once(lambda library: begin(library, record))
        if begun is None:
            return False
        pane = await self._transcript_pane()
        pane.seek(self.listing.sought)
        title = clean(begun.talk.conversation.title)
        pane.read(begun, [(title, "strong")], parse(self.text, [self.kind]).tree)
        return True

    async def _transcript_pane(self) -> "TranscriptPane":
        """The pane, made for the first conversation."""
        if self._talk_pane is None:
            from tui.browser.transcript.pane import TranscriptPane

            pane = self._talk_pane = TranscriptPane(id="transcript")
            side = self.base.query_one("#side", Container)
            await side.mount(pane, after=self.base.query_one(ReadingPane))
            self.paint()
        return self._talk_pane

    def zoom_text(self, *, is_zoomed: bool) -> None:
        """Show more of what is read, or less."""
        super().zoom_text(is_zoomed=is_zoomed)
        if self._talk_pane is not None:
            self._talk_pane.zoom(is_zoomed=is_zoomed)

    def show_talk(self, *, is_shown: bool) -> None:
        """Show the transcript in the place of the reader, or the reader again."""
        body = self.base.query_one("#body", Container)
        if body.has_class(_SHOWN) is is_shown:
            return
        had_keys = self.is_reading_focused
        body.set_class(is_shown, _SHOWN)
        if had_keys:
            self.side.focus()

    @on(ReadingPane.TabShown)
    def _text_shown(self, event: ReadingPane.TabShown) -> None:
        """What a conversation says is shown by its transcript."""
        from store.records.conversation import Conversation, Message
        from tui.browser.pages import READ

        if event.name == READ and isinstance(
            self.table.at_cursor, Conversation | Message
        ):
            self.show_talk(is_shown=True)
