"""Every kind of change, as each format makes it: the intent and its records."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from store.edits.draft import Changeable
from store.formats.agent_memory import format as agent_memory
from store.formats.claudia import format as claudia
from store.formats.cognitive import format as cognitive
from store.formats.kei import format as kei
from store.formats.notes import format as notes
from store.formats.port import Format
from store.kinds.conversations import Conversation
from store.library import Page
from store.records.intents import (
    Append,
    Archive,
    Create,
    Delete,
    Intent,
    Merge,
    Move,
    Pin,
    Rebuild,
    Relate,
    Rename,
    Retag,
    Rewrite,
    Set,
    Touch,
    Transit,
)
from tests.store.formats.agent_memory_stores import make_small_store, write
from tests.store.formats.agent_memory_stores import rebuilt as index_of
from tests.store.formats.changed_stores import Changed
from tests.store.formats.claudia_stores import small
from tests.store.formats.cognitive_changes import OTHER, PINNED, TITLE, made, rebuilt
from tests.store.formats.kei_stores import TASKS, TRACE, jsonl, user
from tests.store.formats.kei_stores import write as write_line
from tests.store.formats.notes_changes import kept

Asked = tuple[Intent, list[Changeable]]
Ask = Callable[[Changed], Asked]


class Kind(Struct, frozen=True):
    """One kind of change in one format."""

    format: Format
    make: Callable[[Path], object]
    ask: Ask
    empty: Callable[[Path], object]
    """Makes another store, for what is taken there."""


def on(intent: Intent, *titles: str) -> Ask:
    """An intent for memories."""
    return lambda store: (intent, [store.memory(title) for title in titles])


def moved(title: str, *, keeps: bool) -> Ask:
    """Move or copy a memory to the other store."""
    return lambda store: (
        Move(to=str(store.root.with_name("other")), keeps=keeps),
        [store.memory(title)],
    )


def edited(title: str, old: bytes, new: bytes) -> Ask:
    """An edit that replaces a part of a memory's text."""

    def ask(store: Changed) -> Asked:
        memory = store.memory(title)
        raw = store.library.plans.form(memory.ref).raw
        assert raw.count(old) == 1
        return Rewrite(was=raw, raw=raw.replace(old, new)), [memory]

    return ask


def unlinked(store: Changed) -> Asked:
    """Remove a link."""
    return Delete(), [store.edges()[0]]


def conversation(intent: Intent) -> Ask:
    """An intent for a conversation."""

    def ask(store: Changed) -> Asked:
        found = store.library.lists.page("conversations", Page())
        return intent, [next(one for one in found if isinstance(one, Conversation))]

    return ask


def graph_of_few(root: Path) -> None:
    """A graph without pinned memories."""
    made(root)
    for page in root.glob("vault/*.md"):
        page.unlink()
    (root / "_index.json").write_text(rebuilt(root), encoding="utf-8")


def lines(root: Path) -> None:
    """Files of lines with a correct index."""
    root.mkdir(parents=True)
    make_small_store(root)
    write(root, "index.json", index_of(root).after)


def few_lines(root: Path) -> None:
    """The same without learnings."""
    lines(root)
    write(root, "learnings.jsonl", b"")
    write(root, "index.json", index_of(root).after)


def notes_of_few(root: Path) -> None:
    """A folder without one of its notes."""
    kept(root)
    (root / "plain.md").unlink()


def journal(root: Path) -> None:
    """A journal whose last line lacks its newline."""
    write_line(root, TRACE, jsonl(user("What next?")))
    write_line(root, TASKS, '{"kind":"start","name":"a","ts":"x"}')


_ADDED = {"name": "fired", "duration_s": 4}
_CLAIMED = {"value": "6", "evidence_tier": "REAL", "pointer": "cone"}

GRAPH: dict[str, Ask] = {
    "set": on(Set(name="importance", value="0.125"), TITLE),
    "tag": on(Retag(add=("new",), remove=("redis",)), TITLE, OTHER),
    "edit": edited(TITLE, b"See ", b"Look at "),
    "pin": on(Pin(), TITLE),
    "unpin": on(Pin(pins=False), PINNED),
    "archive": on(Archive(), OTHER),
    "delete": on(Delete(), TITLE),
    "rename": on(Rename(title="Another"), TITLE),
    "link": on(Relate(type="CAUSES"), TITLE, PINNED),
    "unlink": unlinked,
    "merge": on(Merge(), TITLE, OTHER),
    "move": moved(PINNED, keeps=False),
    "copy": moved(PINNED, keeps=True),
    "new": on(Create(title="New", body="Text.", fields={"type": "fix"})),
    "append": on(Append(kind="episode", fields={"title": "Done", "summary": "So."})),
    "touch": on(Touch(), TITLE),
    "rebuild": on(Rebuild(name="core")),
}

LINES: dict[str, Ask] = {
    "set": on(Set(name="category", value="other"), "Memory 1."),
    "tag": on(Retag(add=("new",), remove=("python",)), "Memory 1.", "Memory 3."),
    "edit": edited("Memory 1.", b"Memory 1.", b"Memory one."),
    "pin": on(Pin(), "Memory 1."),
    "archive": on(Archive(), "Memory 3."),
    "restore": on(Archive(archives=False), "Memory 5."),
    "delete": on(Delete(), "Memory 1."),
    "merge": on(Merge(), "Memory 1.", "Memory 2."),
    "move": moved("Memory 3.", keeps=False),
    "copy": moved("Memory 3.", keeps=True),
    "new": on(Create(title="New")),
    "touch": on(Touch(), "Memory 1."),
}

NOTES: dict[str, Ask] = {
    "set": on(Set(name="description", value="Another"), "Tabs"),
    "tag": on(Retag(add=("new",)), "Tabs"),
    "edit": edited("Tabs", b"Use tabs", b"Use no tabs"),
    "archive": on(Archive(), "Tabs"),
    "delete": on(Delete(), "Zoe"),
    "rename": on(Rename(title="Spaces"), "Tabs"),
    "merge": on(Merge(), "Tabs", "Zoe"),
    "move": moved("Plain", keeps=False),
    "copy": moved("Plain", keeps=True),
    "new": on(Create(title="New", fields={"type": "project"})),
    "rebuild": on(Rebuild(name="notes-index")),
}

ROWS: dict[str, Ask] = {
    "transit": conversation(Transit(status="queued")),
    "set": conversation(Set(name="summary", value="Other")),
}

JOURNALS: dict[str, Ask] = {
    "append": on(Append(kind="task", fields=_ADDED)),
    "begin": on(Append(kind="claim", fields=_CLAIMED)),
}


def _of(
    format_: Format,
    make: Callable[[Path], object],
    asks: dict[str, Ask],
    empty: Callable[[Path], object] | None = None,
) -> dict[str, Kind]:
    return {
        f"{format_.name}: {name}": Kind(format_, make, ask, empty or make)
        for name, ask in asks.items()
    }


KINDS = {
    **_of(cognitive.FORMAT, made, GRAPH, graph_of_few),
    **_of(agent_memory.FORMAT, lines, LINES, few_lines),
    **_of(notes.FORMAT, kept, NOTES, notes_of_few),
    **_of(claudia.FORMAT, small, ROWS),
    **_of(kei.FORMAT, journal, JOURNALS),
}
