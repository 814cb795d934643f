"""The errors of the store: one family, and each message is what the user reads."""


class RecollectError(Exception):
    """Something could not be done; the message is a whole sentence."""

    exit_code = 1


class UnreadableError(RecollectError):
    """A file or folder could not be read; the message says which and why."""


class RefusedError(UnreadableError):
    """A path was not followed because it leads out of the store or is no plain file."""


class NothingFoundError(RecollectError):
    """No record goes by the name that was given."""


class AmbiguousError(RecollectError):
    """Several records go by the name that was given; the message lists them."""


class NoStoresError(RecollectError):
    """No store was found where it was looked for."""


class CatalogueUnusableError(UnreadableError):
    """The catalogue can be neither opened nor made where it belongs."""


class CatalogueBusyError(RecollectError):
    """Another process holds the catalogue for longer than it is reasonable to wait."""


class GivenUpError(RecollectError):
    """A question was given up while it was being answered: another one came."""


class CatalogueDamagedError(RecollectError):
    """The catalogue turned out to be damaged while it was used."""


class WrongUseError(RecollectError):
    """The command was called in a way that it does not understand."""

    exit_code = 2
