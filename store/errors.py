"""The store's exceptions; every message is shown to the user."""

from collections.abc import Iterable


class RecollectError(Exception):
    """The base class; the message is a whole sentence."""

    exit_code = 1


class UnreadableError(RecollectError):
    """A file or folder could not be read; the message says which and why."""


class RefusedError(UnreadableError):
    """A path was refused: it leads out of the store, or is not a regular file."""


class NothingFoundError(RecollectError):
    """No record matches the given name."""


class AmbiguousError(RecollectError):
    """Several records match the given name; the message lists them."""


class NoStoresError(RecollectError):
    """No store was found."""


class CatalogueError(UnreadableError):
    """The catalogue could not be read or updated."""


class CatalogueUnusableError(CatalogueError):
    """The catalogue can't be opened, created or written."""


class CatalogueBusyError(CatalogueError):
    """Another process has locked the catalogue for too long."""


class GivenUpError(CatalogueError):
    """A query was cancelled because a newer one replaced it."""


class CatalogueDamagedError(CatalogueError):
    """The catalogue turned out to be damaged during use."""


class WrongUseError(RecollectError):
    """The command line is invalid."""

    exit_code = 2


class NotPossibleError(RecollectError):
    """The format has no such change, or it does not apply to the record."""


class InvalidError(NotPossibleError):
    """A field or a value that the format does not take."""

    exit_code = WrongUseError.exit_code


class UnknownKindError(NotPossibleError):
    """The format does not know the kind of thing to add or rebuild."""


class UnknownFieldError(InvalidError):
    """Neither the record nor its format has a field with that name."""

    def __init__(
        self, name: str, known: Iterable[str], *, is_removed: bool = False
    ) -> None:
        """`known` are the fields of the format."""
        from difflib import get_close_matches  # noqa: PLC0415  # rarely needed

        near = get_close_matches(name, known, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        advice = "" if is_removed else " --add adds a new field."
        super().__init__(f"Unknown field {name!r}.{hint}{advice}")


class LockedError(RecollectError):
    """Another program has locked the store; nothing was written."""

    exit_code = 3


class ReadOnlyError(RecollectError):
    """The store, or this whole session, is read-only."""

    exit_code = 4


class NotWrittenError(RecollectError):
    """The system refused to write; the existing content is unchanged."""


class WriteProtectedError(NotWrittenError):
    """The file is write-protected; nothing was written."""

    exit_code = ReadOnlyError.exit_code


class BackupLostError(RecollectError):
    """A backup is missing or damaged."""
