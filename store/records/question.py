"""A question: something that stores can be asked beside being listed."""

from msgspec import Struct


class QuestionReport(Struct, frozen=True, kw_only=True):
    """A question, and which of the chosen stores can answer it."""

    name: str
    """The word for it, as `ask` takes it."""
    words: str
    """What may follow the name, as a usage line would say it."""
    help: str
    """What the answer tells, in one line."""
    formats: tuple[str, ...]
    """The formats whose stores can answer it."""
    stores: tuple[str, ...]
    """The absolute paths of those of them that are looked at."""
