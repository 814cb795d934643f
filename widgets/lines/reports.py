"""What a list reports: intents, never deeds."""

from dataclasses import dataclass

from textual.message import Message

from widgets.lines.rows import Key
from widgets.lines.sheet import Sheet


@dataclass
class Report(Message):
    """Something that a list tells."""

    sheet: Sheet
    """The list."""

    @property
    def control(self) -> Sheet:
        """The list, as selectors of handlers want it."""
        return self.sheet


@dataclass
class Highlighted(Report, namespace="lines"):
    """The cursor came to a row; without key where there is no row."""

    key: Key | None
    position: int

    def can_replace(self, message: Message) -> bool:
        """Where the cursor was before interests nobody."""
        return isinstance(message, Highlighted) and message.sheet is self.sheet


@dataclass
class Chosen(Report, namespace="lines"):
    """The row at the cursor shall be opened."""

    key: Key
    position: int


@dataclass
class Marked(Report, namespace="lines"):
    """Other rows are marked than before."""

    count: int

    def can_replace(self, message: Message) -> bool:
        """How many there were before interests nobody."""
        return isinstance(message, Marked) and message.sheet is self.sheet


@dataclass
class Wanted(Report, namespace="lines"):
    """Rows are in view, or soon will be, whose records are not at hand."""

    first: int
    last: int
    """Up to this one, which is not wanted."""
