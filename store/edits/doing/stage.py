"""How far a deed is, by what is there."""

from enum import Enum
from typing import NamedTuple


class Stage(Enum):
    """What a file or a row is like."""

    BEFORE = "before"
    AFTER = "after"
    TORN = "torn"
    """It was being overwritten."""
    FOREIGN = "foreign"
    """Somebody else changed it."""


class Versions(NamedTuple):
    """One thing, as it was, as it should be and as it is; None where it is not."""

    path: str
    before: bytes | None
    after: bytes | None
    now: bytes | None
