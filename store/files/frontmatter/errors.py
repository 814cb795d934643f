"""Why a header cannot be read or changed: one family, the message is the sentence."""

from store.errors import RecollectError


class HeaderError(RecollectError):
    """A header could not be read as YAML, or not be changed."""

    def __init__(self, sentence: str, line: int | None = None) -> None:
        super().__init__(sentence)
        self.line = line


class InvalidHeaderError(HeaderError):
    """The header is not valid YAML, or is YAML that holds no fields."""


class UnsafeHeaderError(HeaderError):
    """The header is YAML that could grow or act when it is read; it is not followed."""


class EditRefusedError(HeaderError):
    """A change would touch more than it is about; nothing was changed."""
