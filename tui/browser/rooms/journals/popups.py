"""What lies over the journals for a moment: questions, and the answer to one."""

from collections.abc import Iterator, Sequence

from store.search.fuzzy.names import Names
from tui.browser.popups.popup import Popup, Row
from tui.browser.popups.rows import Choice, Heading
from tui.browser.rooms.journals.answer import Answer
from tui.browser.rooms.journals.questions import Asked
from widgets.columns.numbers import brief
from widgets.styles.palette import Palette


class QuestionsPopup(Popup[Asked]):
    """Saved queries, and questions under a heading of their own."""

    def __init__(
        self, saved: Sequence[Asked], questions: Sequence[Asked], palette: Palette
    ) -> None:
        self._saved = [_choice(one) for one in saved]
        self._asked = [_choice(one) for one in questions]
        self._both = [*self._saved, *self._asked]
        self._names = Names(f"{one.title}\n{one.aside}" for one in self._both)
        super().__init__("saved queries and questions", "type to find", palette)

    def rows(self, typed: str) -> Sequence[Row]:
        """All under their headings, or what is like that which was typed."""
        words = typed.split()
        if not words:
            return list(self._headed())
        near = self._names.similar(words, len(self._both))
        return [self._both[one.position] for one in near]

    def _headed(self) -> Iterator[Row]:
        for title, choices in (
            ("saved queries", self._saved),
            ("questions", self._asked),
        ):
            if choices:
                yield Heading(title)
                yield from choices


class AnswerPopup(Popup[int]):
    """The rows of an answer; closes with the number of one that shall be gone to."""

    DEFAULT_CSS = """
    AnswerPopup > #popup { width: 120; height: 90%; }
    """

    def __init__(self, title: str, answer: Answer, palette: Palette) -> None:
        super().__init__(title, "type to narrow", palette)
        head, *lines = answer.lines
        self._head = Heading(head)
        more = "More than that is told by `recollect ask`." if answer.is_cut else ""
        self._choices = [
            Choice(
                number, line, detail=more or "Enter goes there, if it leads anywhere."
            )
            for number, line in enumerate(lines)
        ]

    def rows(self, typed: str) -> Sequence[Row]:
        """The rows that hold every word, below the names of the columns."""
        words = typed.casefold().split()
        found = [
            one
            for one in self._choices
            if all(word in one.title.casefold() for word in words)
        ]
        return [self._head, *found] if found else []

    @property
    def nothing(self) -> str:
        """What is said where there are no rows."""
        return "No row holds that." if self._choices else "The answer is: nothing."


def _choice(one: Asked) -> Choice[Asked]:
    """A query with how much it finds; a question with what it is called elsewhere."""
    right = one.mark if one.count is None else brief(one.count)
    sign = ("◈ ", "brand") if one.query else ("? ", "arrow")
    words = f"{one.name} {one.words}".strip()
    return Choice(
        one,
        one.name,
        one.help,
        before=[sign],
        right=[(right, "muted")] if right else (),
        detail=one.query or words,
    )
