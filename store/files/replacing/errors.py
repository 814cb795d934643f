"""Why one file was left as it is."""

from store.errors import RecollectError
from store.files.beneath.naming import quoted


class ForeignError(RecollectError):
    """A file holds other bytes than it was seen to hold; those bytes stay."""

    def __init__(self, path: str, theirs: bytes | None) -> None:
        super().__init__(f"{quoted(path)} was changed by another program.")
        self.path = path
        self.theirs = theirs
        """What is there; None where there is no file."""


class BusyError(RecollectError):
    """Another program has the file open and writes to it."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{quoted(path)} is being written by another program.")


class ProtectedError(RecollectError):
    """The file is write-protected, and that is respected."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{quoted(path)} is write-protected.")
