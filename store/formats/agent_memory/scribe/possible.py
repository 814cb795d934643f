"""What can be done with each kind of record, and why not where it cannot."""

from collections.abc import Mapping

from store.edits.port import Changeable
from store.formats.agent_memory.layout import Role, is_archive, role_of
from store.formats.agent_memory.scribe.mending import why_not
from store.records.document import Document
from store.records.memory import Memory
from store.records.problem import Problem

NO_TITLE = "It has no title of its own; what is shown is how its text begins."
NO_LINKS = "Memories of this format are not linked."

_OF_MEMORY = ("pin", "delete", "set", "tag", "edit", "merge", "move", "fix")
_RECALLED = "It was put away; bring it back first."
_DAMAGED = frozenset({"damaged-line", "not-a-memory", "glued-lines"})


def possible(record: Changeable | None) -> Mapping[str, str]:
    """The words of intents, each with the sentence why it cannot be done now."""
    if record is None:
        return dict.fromkeys(("new", "archive", "append", "rebuild"), "")
    if isinstance(record, Memory):
        return _of_memory(record)
    if isinstance(record, Document):
        is_backup = role_of(record.path) is Role.BACKUP
        return {"return": ""} if is_backup else {}
    if isinstance(record, Problem):
        edit = {"edit": ""} if record.code in _DAMAGED and record.line else {}
        return {"fix": why_not(record), **edit}
    return {}


def _of_memory(memory: Memory) -> Mapping[str, str]:
    words = dict.fromkeys(_OF_MEMORY, "")
    words |= {"archive": "", "rename": NO_TITLE, "link": NO_LINKS}
    words["touch"] = _RECALLED if is_archive(memory.path) else ""
    return words
