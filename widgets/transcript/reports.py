"""What a transcript reports: intents, never deeds."""

from dataclasses import dataclass

from textual.message import Message

from widgets.reader.runs import Target


@dataclass
class EntriesWanted(Message, namespace="transcript"):
    """Messages are in view, or soon will be, that are not at hand."""

    first: int
    last: int
    """Up to this one, which is not wanted."""


@dataclass
class WholeWanted(Message, namespace="transcript"):
    """A part is open of which only the beginning is at hand."""

    at: int
    key: str
    """The part."""


@dataclass
class Followed(Message, namespace="transcript"):
    """Somebody wants to go where a part leads."""

    target: Target


@dataclass
class Pointed(Message, namespace="transcript"):
    """Another message is pointed at."""

    at: int

    def can_replace(self, message: Message) -> bool:
        """What was pointed at before interests nobody."""
        return isinstance(message, Pointed)
