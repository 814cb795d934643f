"""What a field is: which kinds have it, what it takes, how it is held against that."""

from enum import StrEnum

from msgspec import Struct

from store.search.language.kinds import ALL, Kinds


class Type(StrEnum):
    """What may stand behind a field's name."""

    TEXT = "text"
    """Anything."""
    CHOICE = "choice"
    """One of the words in `Field.choices`, or a beginning that several share."""
    NUMBER = "number"
    """`.7`, `70%`, `10k`."""
    SECONDS = "seconds"
    """How long something takes: `90`, `90s`, `30m`, `2h`, `1d`."""
    TIME = "time"
    """An age, a day, a month, a year."""
    DAYS = "days"
    """A day, a month, a year; not compared."""
    SINCE = "since"
    """An age, a day, a month, a year, or `last`; not compared."""


class Match(StrEnum):
    """How the text of a record is held against the one that is asked for."""

    IS = "is"
    """They are equal, case aside."""
    PART = "part"
    """One is in the other."""
    BEGINS = "begins"
    """One begins with the other, case aside."""


COMPARED = frozenset({Type.NUMBER, Type.SECONDS, Type.TIME})
"""The types that `<` and `>` make sense for."""


class Field(Struct, frozen=True):
    """A field of some kinds of record; another kind may have one of the same name."""

    name: str
    """Its whole name, as `Named` and `Compared` have it."""
    help: str
    """What it tells, in a few words."""
    kinds: Kinds = ALL
    """The kinds of record that have it, by the words that `list` takes."""
    types: tuple[Type, ...] = (Type.TEXT,)
    """What it takes, tried in this order."""
    match: Match = Match.IS
    """How text is held against it."""
    aliases: tuple[str, ...] = ()
    """What else it is called."""
    choices: tuple[str, ...] | None = None
    """The words that it may have; None where the stores choose them."""

    @property
    def called(self) -> tuple[str, ...]:
        """Every name that it goes by."""
        return (self.name, *self.aliases)

    @property
    def is_compared(self) -> bool:
        """Whether `<` and `>` may stand behind it."""
        return not COMPARED.isdisjoint(self.types)
