"""What can be done with a record, told from the record alone: no file is opened."""

from collections.abc import Mapping

from store.edits.port import Changeable
from store.formats.notes.scribe.mending import why_not
from store.records.document import Document
from store.records.edge import Edge
from store.records.memory import Memory
from store.records.problem import Problem

_UNREADABLE = frozenset(
    {"unsafe-yaml", "unclosed-header", "not-utf8", "lone-cr", "header-too-large",
     "too-large", "not-text", "empty-file"}
)  # fmt: skip
"""Problems of a file whose header no field can be set in."""

_NO_HEADER = "Its header cannot be read; edit it as text first."
_IN_A_TEXT = "Links of notes stand in their texts; edit the text to change one."


def possible(record: Changeable | None) -> Mapping[str, str]:
    """The words that make sense, each with why it cannot be done now."""
    match record:
        case None:
            return {"new": "", "append": "", "rebuild": ""}
        case Memory():
            header = "" if _UNREADABLE.isdisjoint(record.problems) else _NO_HEADER
            anyway = dict.fromkeys(("pin", "archive", "delete", "edit", "move"), "")
            fields = dict.fromkeys(("set", "tag", "rename", "merge"), header)
            return {**anyway, **fields}
        case Edge():
            return {"delete": _IN_A_TEXT, "set": _IN_A_TEXT}
        case Document():
            return {"edit": ""}
        case Problem():
            return {"fix": why_not(record)}
        case _:
            return {}
