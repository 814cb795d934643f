"""A session with everything that a transcript can contain."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.discover import Found
from store.formats.notes.format import FORMAT as NOTES
from store.formats.transcripts.format import FORMAT as TRANSCRIPTS
from store.kinds.conversations import Conversation
from store.library import Library, Page
from store.times import parse
from tests.store.formats import transcripts_stores as told

NOW = parse("2026-03-02T00:00:00Z").micros or 0
AGENT = "a0123456789abcdef"


def session(root: Path, *lines: told.Line | bytes) -> Path:
    """Write the session."""
    return told.put(root / told.SLUG / f"{told.SESSION}.jsonl", *lines)


def library_of(folder: Path, *stores: Found) -> Library:
    """A library of some stores, read."""
    made = Library(folder / "catalogue.db", NOW)
    made.stores.choose(stores)
    made.sync()
    return made


def talks_of(library: Library) -> list[Conversation]:
    """The conversations that a person began."""
    found = library.lists.numbered(
        "conversations", library.lists.order("conversations", Page())
    )
    talks = [one for one in found.values() if isinstance(one, Conversation)]
    return [one for one in talks if one.parent is None]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "projects"


@pytest.fixture
def busy(root: Path, tmp_path: Path) -> Iterator[Library]:
    """Parallel calls, one that failed, one without a result, a note, an agent."""
    note = root / told.SLUG / "memory" / "glazes.md"
    note.parent.mkdir(parents=True)
    note.write_text("---\nname: glazes\ndescription: d\ntype: project\n---\n\nBlue.\n")
    session(
        root,
        told.user("ask", "Which cone for the blue glaze?", 1),
        told.assistant(
            "look",
            told.thinks("Cone six, surely."),
            told.says("I look."),
            told.calls("t1", "Read", file_path="/glazes.md"),
            told.calls("t2", "Bash", command="ls shelf"),
            second=2,
        ),
        told.user("lost", [told.answers("t2", "no such shelf", is_error=True)], 3),
        told.user("found", [told.answers("t1", "cone 6\ncone 10")], 4),
        told.boundary("full", 5),
        told.user("so far", "It was about glazes.", 6, isCompactSummary=True),
        told.assistant(
            "write",
            told.calls("t3", "Write", file_path=str(note), content="x"),
            second=7,
        ),
        told.assistant("wait", told.calls("t4", "Agent", prompt="Count."), second=8),
        told.user(
            "counted",
            [told.answers("t4", "Four.")],
            9,
            toolUseResult={"agentId": AGENT},
        ),
        told.assistant("end", told.says("Cone 6."), second=10),
        told.user("thanks", "Thank you.", 11),
    )
    told.put(
        root / told.SLUG / told.SESSION / "subagents" / f"agent-{AGENT}.jsonl",
        told.user("task", "Count the shelves.", 8, isSidechain=True),
        told.assistant("count", told.says("Four."), second=8, isSidechain=True),
    )
    stores = (Found(root, TRANSCRIPTS), Found(note.parent, NOTES))
    with library_of(tmp_path, *stores) as library:
        yield library
