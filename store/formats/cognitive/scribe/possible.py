"""What can be done with a record, told from the record alone: no file is opened."""

from collections.abc import Mapping

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.formats.cognitive.layout import Role, role_of
from store.formats.cognitive.scribe.links import is_written, refuse_prose
from store.formats.cognitive.scribe.mending import why_not
from store.formats.cognitive.scribe.rewriting import edited_path
from store.records.document import Document
from store.records.edge import Edge
from store.records.memory import Memory
from store.records.problem import Problem

_UNREADABLE = frozenset(
    {"invalid-yaml", "unsafe-yaml", "unclosed-header", "not-utf8", "lone-cr",
     "no-header", "header-too-large", "too-large", "not-text", "empty-file"}
)  # fmt: skip
"""Problems of a file whose header no field can be set in."""

_NO_HEADER = "Its header cannot be read; edit it as text first."
_NO_ID = "It has no id, so nothing can lead to it."
_FADED = "What is pinned never fades; unpin it first."


def possible(record: Changeable | None) -> Mapping[str, str]:
    """The words that make sense, each with why it cannot be done now."""
    match record:
        case None:
            return {"new": "", "append": "", "rebuild": ""}
        case Memory():
            return _of_memory(record)
        case Edge():
            return _of_edge(record)
        case Document():
            return _of_document(record)
        case Problem():
            return {"fix": why_not(record)}
        case _:
            return {}


def _of_memory(memory: Memory) -> Mapping[str, str]:
    header = "" if _UNREADABLE.isdisjoint(memory.problems) else _NO_HEADER
    named = header or ("" if memory.id else _NO_ID)
    return {
        "pin": header if memory.pinned else "",
        "archive": header or (_FADED if memory.pinned else ""),
        "delete": "",
        "set": header,
        "tag": header,
        "edit": "",
        "rename": named,
        "link": named,
        "merge": named,
        "move": header,
        "touch": "" if memory.id else _NO_ID,
    }


def _of_edge(edge: Edge) -> Mapping[str, str]:
    try:
        refuse_prose(edge)
    except NotPossibleError as error:
        return {"delete": str(error), "set": str(error)}
    told = {"delete": "", "set": ""}
    return {**told, "edit": _why_not_edited(edge)} if is_written(edge) else told


def _of_document(document: Document) -> Mapping[str, str]:
    if role_of(document.path) is Role.CONFIG:
        return {"set": "", "edit": ""}
    return {"edit": _why_not_edited(document)}


def _why_not_edited(record: Changeable) -> str:
    try:
        edited_path(record)
    except NotPossibleError as error:
        return str(error)
    return ""
