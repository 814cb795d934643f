"""Asking journals: a saved query is listed, a question answered in a popup."""

import shlex
from functools import partial
from typing import TYPE_CHECKING, cast

from store.clean import clean
from store.errors import RecollectError, WrongUseError
from store.library import Library
from store.search.language.parsing import parse
from store.search.language.printing import written
from store.search.language.tree import Named
from tui.browser.rooms.host import Host
from tui.browser.rooms.room import Room

if TYPE_CHECKING:
    from store.equivalents.line import Equivalent
    from store.records.lead import Lead
    from tui.browser.rooms.journals.answer import Answer
    from tui.browser.rooms.journals.questions import Asked

_LISTED = "events-of-class"
"""The question whose answer is a list of events, and so becomes a query."""


class Asking(Room):
    """A room whose records can be asked questions."""

    async def action_saved_queries(self) -> None:
        """Choose a query that was saved, or a question."""
        from tui.browser.rooms.journals import popups, questions

        browser, saved = self.browser, self.browser.kept.saved
        queries = await browser.desk.ask(
            lambda library: questions.queries_of(library, self.kind, saved)
        )
        asked = await browser.desk.ask(questions.questions_of)
        popup = popups.QuestionsPopup(queries, asked, browser.palette)
        browser.push_screen(popup, self._take)

    async def _take(self, asked: "Asked | None") -> None:
        """List what a query finds; ask a question, once it has its words."""
        if asked is None:
            return
        if asked.query:
            self.browser.ask_for(asked.query)
        elif asked.words:
            self._want_words(asked)
        else:
            await self._ask(asked, "")

    async def action_copy_line(self) -> None:
        """Copy the line that finds the same with another program."""
        tree = parse(self.browser.text, [self.kind]).tree
        put = partial(Library.equivalent, kind=self.kind, query=tree)
        self.say(self._told_of_line(await self.browser.desk.ask(put)))

    def _told_of_line(self, found: "Equivalent") -> str:
        """Copy it; what of the query it leaves out, and what became of it."""
        if not found.line:
            return f"Nothing here lies in a file that {found.program} reads."
        told = self.browser.copied(found.line)
        if not found.left_out:
            return f"{found.program}: {told}"
        return f"{found.program} without {clean(', '.join(found.left_out))}: {told}"

    def _want_words(self, asked: "Asked") -> None:
        """Have typed what follows the question."""
        from tui.browser.popups.prompt import Prompt, Wanted

        def check(typed: str) -> None:
            if asked.needs_words and not typed.strip():
                raise WrongUseError(f"{asked.name} needs {asked.words}.")

        wanted = Wanted(
            asked.name, f"{asked.words}: {asked.help}", self._usual(asked), check
        )

        async def take(typed: str | None) -> None:
            if typed is not None:
                await self._ask(asked, typed)

        self.browser.push_screen(Prompt(wanted, self.browser.palette), take)

    def _usual(self, asked: "Asked") -> str:
        """What stands there to begin with: of a sitting, the one at the cursor."""
        session: str | None = getattr(self.table.at_cursor, "session", None)
        return session or "" if asked.words.startswith("SESSION") else asked.usual

    async def _ask(self, asked: "Asked", typed: str) -> None:
        """Put the question, and show what is answered."""
        from tui.browser.rooms.journals.answer import ask

        words = _words(typed)
        if asked.name == _LISTED and "as-kei" not in words:
            await self._list_events(words)
            return
        put = partial(ask, name=asked.name, words=words)
        try:
            answer = await self.browser.desk.ask(put)
        except RecollectError as error:
            self.say(str(error))
            return
        self.say(" ".join(answer.complaints))
        self._show_answer(" ".join((asked.name, *words)), answer)

    def _show_answer(self, title: str, answer: "Answer") -> None:
        from tui.browser.rooms.journals.popups import AnswerPopup

        async def take(number: int | None) -> None:
            if number is not None:
                await self._go_to_row(answer, number)

        popup = AnswerPopup(title, answer, self.browser.palette)
        self.browser.push_screen(popup, take)

    async def _go_to_row(self, answer: "Answer", number: int) -> None:
        """Go where a row of an answer lies, or list the events that it is about."""
        from tui.browser.rooms.journals.answer import lead_of, query_of

        row = answer.rows[number]
        lead = await self.browser.desk.ask(partial(lead_of, row=row))
        if lead.is_here:
            await self.go_along(lead)
        elif text := query_of(row):
            await self.browser.go("events", None, text)
        else:
            self.say("This row leads nowhere.")

    async def _list_events(self, words: list[str]) -> None:
        """List the events of a class, since a day where one is named."""
        names = ("event_class", "since")
        terms = (Named(name, (word,)) for name, word in zip(names, words, strict=False))
        await self.browser.go("events", None, " ".join(map(written, terms)))

    async def go_along(self, lead: "Lead") -> None:
        """Go where something leads."""
        raise NotImplementedError

    def say(self, sentence: str) -> None:
        """Say something in the status line."""
        self.browser.message = sentence
        self.browser.tell()

    @property
    def browser(self) -> Host:
        """The program."""
        return cast("Host", self.app)  # pyright: ignore[reportUnknownMemberType]  # what the program returns is not known here


def _words(typed: str) -> list[str]:
    """What was typed, word by word; quotes hold words together."""
    try:
        return shlex.split(typed)
    except ValueError:
        return typed.split()
