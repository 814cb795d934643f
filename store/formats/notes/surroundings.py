"""What lies beside a store and tells about it: read only, bounded, no link followed."""

from pathlib import Path

from store.errors import UnreadableError
from store.files.beneath import Kind, Root
from store.findings import Value
from store.formats.notes.placement import AGENTS, is_of_a_loop
from store.formats.notes.projects import project_of

_BESIDE_LOOP = {
    "transcripts": (".transcripts", ".jsonl"),
    "task_outputs": (".task_outputs/tool-results", ".txt"),
}
"""What an agent loop keeps beside its `.memory`."""


def title_of(store: Path) -> str:
    """The project that a store is about, else the folder's name."""
    above = store.parent
    if above.name in AGENTS:
        return f"{_owner(above)} · {store.name}"
    if is_of_a_loop(store) or above.name == ".claude":
        return _owner(store) or store.name
    if store.name != "memory":
        return store.name
    project = project_of(above)
    if project:
        return project.name
    return above.name if above.parent.name == "projects" else store.name


def beside(store: Path) -> dict[str, Value]:
    """How many transcripts and outputs an agent loop keeps beside its memory."""
    if not is_of_a_loop(store):
        return {}
    counts = {
        key: _count(store.parent, folder, ending)
        for key, (folder, ending) in _BESIDE_LOOP.items()
    }
    return {key: str(count) for key, count in counts.items() if count}


def _owner(folder: Path) -> str:
    """The name of the repository, or home, that a memory folder belongs to."""
    above = folder.parent
    return above.parent.name if above.name == ".claude" else above.name


def _count(parent: Path, folder: str, ending: str) -> int:
    try:
        with Root(parent) as root:
            entries = root.entries(folder)
    except UnreadableError:
        return 0
    return sum(e.kind is Kind.FILE and e.name.endswith(ending) for e in entries)
