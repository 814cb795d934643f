"""Which of the records on the screen are new or other than they were.

What a list shows of a record also changes while time passes: memories fade, and a
conversation comes to its end. That is no news; what the stores say is.
"""

from collections.abc import Hashable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from store.library import Record
from store.records.conversation import Conversation
from store.records.memory import Memory

Name = TypeVar("Name", bound=Hashable)


def changed(before: Mapping[Name, Record], after: Mapping[Name, Record]) -> set[Name]:
    """The names of the records that came or changed between two looks.

    Named by what stays the same: refs, where all of the records have one. A few dozen
    take some microseconds, and nothing is asked of the library.
    """
    return {
        name
        for name, record in after.items()
        if name not in before or _is_other(before[name], record)
    }


def gone(before: Mapping[Name, Record], after: Mapping[Name, Record]) -> set[Name]:
    """The names of the records that are there no more."""
    return set(before) - set(after)


def _is_other(before: Record, after: Record) -> bool:
    """Whether more than time made a record other than it was."""
    return before != after and _lasting(before) != _lasting(after)


def _lasting(record: Record) -> Record:
    """What of a record stays while time passes."""
    match record:
        case Memory():
            return replace(record, strength=None, stage=None)
        case Conversation():
            return replace(record, status="")
        case _:
            return record
