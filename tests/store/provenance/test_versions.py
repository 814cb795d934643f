"""The versions of a memory's file, from every source."""

import shutil
import subprocess
from pathlib import Path

import pytest

from store.records.answers import Version
from tests.store.catalogue.stores import Shelf, cognitive, micros, note, write
from tests.store.formats.transcripts_stores import SLUG, Line
from tests.store.provenance.sittings import PLACE, Sitting

GLAZE = note("glaze", "Cone six.\nFired slowly.")
COPPER = GLAZE.replace("six", "nine")

in_git = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


@pytest.fixture
def projects(shelf: Shelf) -> Path:
    projects = shelf.places[0] / "claude/projects"
    write(projects, f"{SLUG}/memory/MEMORY.md", "- [glaze](glaze.md) — About it\n")
    return projects


def versions(shelf: Shelf, title: str = "glaze") -> list[Version]:
    """The versions of a memory, oldest first."""
    shelf.sync()
    with shelf.opened() as library:
        return library.history.versions(shelf.memory(title).ref)[::-1]


def git(folder: Path, *words: str, at: str = "2026-03-02T12:00:00+00:00") -> None:
    about = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at, "PATH": "/usr/bin:/bin"}
    who = ("-c", "user.name=Mira", "-c", "user.email=mira@example.org")
    command = ["git", "-C", str(folder), *who, *words]
    subprocess.run(command, check=True, capture_output=True, env=about)


def commit(folder: Path, subject: str, at: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", subject, at=at)


def changed(version: Version) -> list[str]:
    """The lines that a version changed."""
    lines = (version.diff or "").split("\n")[2:]
    return [line for line in lines if line.startswith(("+", "-"))]


def test_calls_are_versions_with_their_changes(shelf: Shelf, projects: Path) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.edit(f"{PLACE}/glaze.md", "six", "nine")
    sitting.put(projects)

    first, second = versions(shelf)

    assert (first.by, first.what, first.added, first.removed) == (
        *("call", "Write"),
        *(8, 0),
    )
    assert changed(second) == ["-Cone six.", "+Cone nine."]
    assert (second.what, second.at) == ("Edit", "2026-03-01T10:00:20.000Z")
    assert second.conversation == shelf.conversations()[0].ref


def test_outside_changes_since_are_a_version_of_their_own(
    shelf: Shelf, projects: Path
) -> None:
    file = write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.put(projects)

    _, since = versions(shelf)

    assert (since.by, since.ref) == ("unknown", None)
    assert micros(since.at or "") == file.stat().st_mtime_ns // 1000
    assert changed(since) == ["-Cone six.", "+Cone nine."]


def test_an_edit_of_an_unknown_text_shows_at_least_itself(
    shelf: Shelf, projects: Path
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    sitting = Sitting()
    sitting.edit(f"{PLACE}/glaze.md", "Cone six.", "Cone nine.")
    sitting.put(projects)

    (edit,) = versions(shelf)

    assert (edit.added, edit.removed) == (1, 1)
    assert "+Cone nine." in (edit.diff or "")


def test_a_file_without_history_has_no_version(shelf: Shelf, projects: Path) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)

    assert versions(shelf) == []


@in_git
def test_commits_are_versions_under_every_name_of_the_file(
    shelf: Shelf, projects: Path
) -> None:
    memory = projects / SLUG / "memory"
    git(memory, "init", "-q")
    write(memory, "old name.md", GLAZE)
    commit(memory, "Cone six", "2026-03-01T10:00:00+00:00")
    git(memory, "mv", "old name.md", "glaze.md")
    commit(memory, "Called by its name", "2026-03-01T11:00:00+00:00")
    write(memory, "glaze.md", COPPER)
    commit(memory, "Cone nine", "2026-03-01T12:00:00+00:00")

    first, second, third = versions(shelf)

    assert [one.what for one in (first, second, third)] == [
        "Cone six",
        "Called by its name",
        "Cone nine",
    ]
    assert (first.by, first.who, first.at) == (
        *("commit", "Mira"),
        "2026-03-01T10:00:00+00:00",
    )
    assert (first.added, second.diff) == (8, "")
    assert changed(third) == ["-Cone six.", "+Cone nine."]
    assert len(third.ref or "") == 40


@in_git
def test_lines_without_a_call_belong_to_their_first_commit(
    shelf: Shelf, projects: Path
) -> None:
    memory = projects / SLUG / "memory"
    git(memory, "init", "-q")
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.put(projects)
    write(memory, "glaze.md", f"{GLAZE}By hand.\n")
    commit(memory, "A word by hand", "2026-03-01T11:00:00+00:00")
    write(memory, "glaze.md", f"{GLAZE}By hand.\nJust now.\n")
    shelf.sync()

    with shelf.opened() as library:
        blame = library.history.blame(shelf.memory("glaze").ref)

    assert [(one.by, one.text.split("\n")[-1]) for one in blame.lines] == [
        ("call", "Fired slowly."),
        ("commit", "By hand."),
        ("unknown", "Just now."),
    ]


@in_git
def test_a_damaged_repository_shows_what_it_can(shelf: Shelf, projects: Path) -> None:
    memory = projects / SLUG / "memory"
    git(memory, "init", "-q")
    write(memory, "glaze.md", GLAZE)
    commit(memory, "Cone six", "2026-03-01T10:00:00+00:00")
    (memory / ".git" / "HEAD").write_text("nonsense")

    assert versions(shelf) == []


def test_messages_and_memories_link_to_one_another(
    shelf: Shelf, projects: Path
) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.edit(f"{PLACE}/glaze.md", "six", "nine")
    sitting.put(projects)
    shelf.sync()
    memory = shelf.memory("glaze")

    with shelf.opened() as library:
        messages = library.history.written_by(memory.ref)

    assert [message.tools for message in messages] == [("Write",), ("Edit",)]
    for message in messages:
        links = [link for link in shelf.links(message.ref) if link.type == "wrote"]
        assert [(link.direction, link.ref) for link in links] == [("out", memory.ref)]
    (talk,) = shelf.conversations()
    assert memory.ref in [link.ref for link in shelf.links(talk.ref)]
    assert talk.ref in [link.ref for link in shelf.links(memory.ref)]


def test_failed_calls_wrote_nothing(shelf: Shelf, projects: Path) -> None:
    write(projects, f"{SLUG}/memory/glaze.md", GLAZE)
    place = f"{PLACE}/glaze.md"
    sitting = Sitting()
    edit: Line = {"file_path": place, "old_string": "six", "new_string": "nine"}
    sitting.call("Edit", edit, "Error: not read yet", fails=True)
    sitting.put(projects)
    shelf.sync()
    memory, (talk,) = shelf.memory("glaze"), shelf.conversations()

    links = [shelf.links(one.ref) for one in (memory, talk, *shelf.messages())]

    assert not [one for several in links for one in several if one.type == "wrote"]
    with shelf.opened() as library:
        assert library.history.written_by(memory.ref) == []
        assert library.conversations.written_in(talk.ref) == []


def test_an_entry_of_a_log_belongs_to_the_message_that_wrote_it(shelf: Shelf) -> None:
    first = "# 2026-03-01\n\n## 10:00 - Fired it\n- **Type:** fix\n"
    second = "\n## 11:00 - Glazed it\n- **Type:** fix\n"
    store = cognitive(shelf.places[0] / "kiln-graph", 1)
    write(store, "episodes/2026-03-01.md", first + second)
    day = "/home/mira/kiln-graph/episodes/2026-03-01.md"
    sitting = Sitting()
    sitting.write(day, first)
    sitting.edit(day, first, first + second)
    sitting.put(shelf.places[0] / "claude/projects")
    shelf.sync()

    with shelf.opened() as library:
        told = {
            one.title: library.history.written_by(one.ref) for one in shelf.episodes()
        }

    tools = {title: [one.tools for one in several] for title, several in told.items()}
    assert tools == {"Fired it": [("Write",)], "Glazed it": [("Edit",)]}
