"""Stores as of a date, from every source; nothing is written to them."""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from store.catalogue.counts import Difference
from store.kinds.memories import Memory, MemoryInFull
from store.kinds.pages import Episode
from store.kinds.problems import Problem
from store.library import Library, Page, PastLibrary
from store.search.tree import Text
from tests.store.catalogue.stores import Shelf, cognitive, memory, micros, note, write
from tests.store.formats.transcripts_stores import SLUG
from tests.store.provenance.sittings import PLACE, Sitting

GLAZE = note("glaze", "Cone six.")
COPPER = GLAZE.replace("six", "nine")
EARLY, LATE = "2026-03-01T10:00:15Z", "2026-03-01T10:00:45Z"

in_git = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


@contextmanager
def at(shelf: Shelf, moment: str, folder: Path) -> Generator[PastLibrary]:
    """The stores as of a date."""
    before = everything(shelf.places[0])
    shelf.sync()
    place = folder / f"past-{moment.replace(':', '')}"
    place.mkdir()
    with shelf.opened() as library:
        lookback = library.history.look_back(micros(moment), place)
    with PastLibrary(lookback) as past:
        yield past
    assert everything(shelf.places[0]) == before


def everything(folder: Path) -> dict[Path, tuple[bytes, int]]:
    """Every file below a folder, with its time."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def memories(past: PastLibrary) -> dict[str, str]:
    """The texts of the memories, by title."""
    found = [
        one for one in past.lists.page("memories", Page()) if isinstance(one, Memory)
    ]
    shown = {one.title: past.records.show(one.ref) for one in found}
    return {
        title: one.body.strip()
        for title, one in shown.items()
        if isinstance(one, MemoryInFull)
    }


def problems(past: Library) -> set[str]:
    """The codes of the problems."""
    found = past.lists.page("problems", Page())
    return {one.code for one in found if isinstance(one, Problem)}


@pytest.fixture
def projects(shelf: Shelf) -> Path:
    """Memories that were written and edited, and one that was written later."""
    projects = shelf.places[0] / "claude/projects"
    index = "- [glaze](glaze.md) — About it\n"
    write(projects, f"{SLUG}/memory/MEMORY.md", index)
    write(projects, f"{SLUG}/memory/glaze.md", COPPER)
    write(projects, f"{SLUG}/memory/kiln.md", note("kiln", "Four shelves."))
    sitting = Sitting()
    sitting.write(f"{PLACE}/glaze.md", GLAZE)
    sitting.run("sleep 10")
    sitting.edit(f"{PLACE}/glaze.md", "six", "nine", originalFile=GLAZE)
    sitting.write(f"{PLACE}/kiln.md", note("kiln", "Four shelves."))
    sitting.put(projects)
    return projects


class TestFromCalls:
    """The past of files that agents' tools wrote is known."""

    def test_before_the_first_call_there_was_no_memory(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        assert projects.is_dir()
        with at(shelf, "2026-03-01T10:00:05Z", tmp_path) as past:
            assert memories(past) == {}
            assert past.lists.count("messages") == 1

    def test_between_two_calls_it_was_as_the_first_one_left_it(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        assert projects.is_dir()
        with at(shelf, EARLY, tmp_path) as past:
            assert memories(past) == {"glaze": "Cone six."}
            assert past.lists.count("messages") == 3

    def test_only_damage_in_known_files_is_reported(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        folder = f"{SLUG}/memory"
        write(projects, f"{folder}/MEMORY.md", "- [lost](lost.md) — Not there\n")
        damaged = "---\nname: 'shelf\n---\n"
        for name, written in (("old.md", 1_700_000_000), ("new.md", 1_900_000_000)):
            file = write(projects, f"{folder}/{name}", damaged)
            os.utime(file, (written, written))
        shelf.sync()
        with shelf.opened() as library:
            assert {"lost-link", "invalid-yaml"} <= problems(library)
        with at(shelf, EARLY, tmp_path) as past:
            assert not past.lookback.is_certain
            assert problems(past) == {"invalid-yaml", "no-type"}
            assert past.lists.count("problems") == 2
            assert any(
                "Health shows only damage" in one for one in past.lookback.notes()
            )

    def test_after_the_last_call_it_was_as_it_is_now(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        assert projects.is_dir()
        with at(shelf, LATE, tmp_path) as past:
            assert memories(past) == {"glaze": "Cone nine.", "kiln": "Four shelves."}

    def test_a_memory_deleted_since_is_there_again(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        (projects / SLUG / "memory/kiln.md").unlink()

        with at(shelf, LATE, tmp_path) as past:
            assert memories(past)["kiln"] == "Four shelves."
            assert past.lookback.differences["memories"] == Difference(0, 0, 1)

    def test_a_memory_deleted_at_an_unknown_time_is_reported(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        (projects / SLUG / "memory/kiln.md").unlink()

        with at(shelf, LATE, tmp_path) as past:
            told = [one for one in past.lookback.notes() if "last version" in one]
            assert "deleted since at an unknown time" in past.lookback.sentence
            (kiln,) = past.lists.page("memories", Page(), query=Text("kiln"))
            assert "Deleted at an unknown time, possibly before" in past.records.doubt(
                kiln.ref or ""
            )
        assert len(told) == 1
        assert f"so shown in their last version: kiln.md in {projects}" in told[0]

    def test_a_file_moved_or_removed_by_a_command_existed_until_then(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        memory = projects / SLUG / "memory"
        (memory / "glaze.md").rename(memory / "celadon.md")
        (memory / "kiln.md").unlink()
        sitting = Sitting("later")
        sitting.at = "2026-03-01T10:01:00.000Z"
        sitting.run(f"cd {PLACE} && mv glaze.md celadon.md")
        sitting.run(f"rm -f {PLACE}/kiln.md")
        sitting.put(projects)
        os.utime(memory / "celadon.md", (1_772_360_000, 1_772_360_000))

        with at(shelf, LATE, tmp_path) as past:
            assert memories(past) == {"glaze": "Cone nine.", "kiln": "Four shelves."}
        with at(shelf, "2026-03-01T10:02:00Z", tmp_path) as past:
            assert memories(past) == {"glaze": "Cone nine."}
            assert not any("last version" in one for one in past.lookback.notes())

    def test_a_file_changed_by_hand_before_the_time_is_as_it_is_now(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        file = write(projects, f"{SLUG}/memory/glaze.md", note("glaze", "By hand."))
        late = micros(LATE) // 1_000_000
        os.utime(file, (late, late))

        with at(shelf, LATE, tmp_path) as past:
            assert memories(past)["glaze"] == "By hand."

    def test_refs_are_those_of_now_and_differences_are_counted(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        with at(shelf, EARLY, tmp_path) as past:
            (glaze,) = past.lists.page("memories", Page())
            now = shelf.memory("glaze")
            assert (glaze.ref, glaze.store) == (now.ref, now.store)
            assert now.store == str(projects / SLUG / "memory")
            told = past.lookback.differences
            assert told["memories"] == Difference(new=1, changed=1, gone=0)
            assert told["messages"] == Difference(new=6, changed=0, gone=0)
            assert told["conversations"] == Difference(new=0, changed=1, gone=0)

    def test_bytes_and_history_are_of_that_time_too(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        assert projects.is_dir()
        with at(shelf, EARLY, tmp_path) as past:
            ref = shelf.memory("glaze").ref
            assert past.records.raw(ref) == GLAZE.encode()
            assert [one.what for one in past.history.versions(ref)] == ["Write"]
            assert [one.what for one in past.history.blame(ref).lines] == ["Write"]

    def test_another_thread_sees_the_same(
        self, shelf: Shelf, projects: Path, tmp_path: Path
    ) -> None:
        assert projects.is_dir()
        with at(shelf, EARLY, tmp_path) as past, past.beside() as twin:
            assert twin.lists.count("memories") == 1
            assert twin.stores.now == micros(EARLY)


class TestFromDates:
    """The past of other files follows from their dates."""

    def test_a_file_unchanged_since_was_as_it_is_now(
        self, shelf: Shelf, tmp_path: Path
    ) -> None:
        store = cognitive(shelf.places[0] / "graph", 1)
        for file in store.rglob("*.md"):
            os.utime(file, (1_000_000_000, 1_000_000_000))

        with at(shelf, "2026-03-02T00:00:00Z", tmp_path) as past:
            assert list(memories(past)) == ["Memory 1"]
            assert not any(
                "in the current version" in note for note in past.lookback.notes()
            )

    def test_a_file_changed_since_is_shown_as_now_and_reported(
        self, shelf: Shelf, tmp_path: Path
    ) -> None:
        store = cognitive(shelf.places[0] / "graph", 1)
        later = memory(2, title="Later", updated="2026-06-01T00:00:00Z")
        write(store, "graph/fixes/memory-2.md", later)
        for file in store.rglob("memory-*.md"):
            os.utime(file, (2_000_000_000, 2_000_000_000))

        with at(shelf, "2026-03-02T00:00:00Z", tmp_path) as past:
            assert sorted(memories(past)) == ["Later", "Memory 1"]
            (told,) = [
                one for one in past.lookback.notes() if "in the current version" in one
            ]
            assert past.records.doubt(shelf.memory("Memory 1").ref) == ""
            doubt = past.records.doubt(shelf.memory("Later").ref)
        assert "graph/fixes/memory-1.md" in told
        assert doubt.startswith("Current version: the file has changed since")

    def test_later_memories_did_not_exist(self, shelf: Shelf, tmp_path: Path) -> None:
        store = cognitive(shelf.places[0] / "graph", 0)
        later = memory(2, created="2026-06-01T00:00:00Z")
        file = write(store, "graph/fixes/later.md", later)
        os.utime(file, (2_000_000_000, 2_000_000_000))

        with at(shelf, "2026-03-02T00:00:00Z", tmp_path) as past:
            assert memories(past) == {}
            assert not any(
                "in the current version" in note for note in past.lookback.notes()
            )

    def test_a_log_of_a_later_day_did_not_exist(
        self, shelf: Shelf, tmp_path: Path
    ) -> None:
        store = cognitive(shelf.places[0] / "graph", 1)
        for day in ("2026-02-28", "2026-03-04"):
            entry = "## 10:00 - **Fixed it**\n- **Type:** fix\n- **Summary:** Done\n"
            file = write(store, f"episodes/{day}.md", f"# {day}\n\n{entry}")
            os.utime(file, (2_000_000_000, 2_000_000_000))
        with at(shelf, "2026-03-02T00:00:00Z", tmp_path) as past:
            found = past.lists.page("episodes", Page())
            days = {one.date for one in found if isinstance(one, Episode)}
        assert {one.date for one in shelf.episodes()} == {"2026-02-28", "2026-03-04"}
        assert days == {"2026-02-28"}


@in_git
class TestFromGit:
    """A store in git is as it was committed."""

    @pytest.fixture
    def store(self, shelf: Shelf) -> Path:
        store = cognitive(shelf.places[0] / "graph", 0)
        git(store, "init", "-q")
        write(store, "graph/fixes/a.md", memory(1, title="First", body="As it was."))
        write(store, "graph/fixes/b.md", memory(2, title="Second"))
        commit(store, "2026-01-10T12:00:00+00:00")
        write(store, "graph/fixes/a.md", memory(1, title="First", body="As it is."))
        (store / "graph/fixes/b.md").unlink()
        write(store, "graph/fixes/c.md", memory(3, title="Third"))
        commit(store, "2026-02-10T12:00:00+00:00")
        return store

    def test_before_a_commit_it_was_as_the_previous_one_left_it(
        self, shelf: Shelf, store: Path, tmp_path: Path
    ) -> None:
        with at(shelf, "2026-01-15T00:00:00Z", tmp_path) as past:
            assert memories(past) == {"First": "As it was.", "Second": "Body 2."}
            assert past.lookback.differences["memories"] == Difference(1, 1, 1)
            (told,) = past.lookback.notes()
        assert told.startswith(f"{store} is shown as of commit ")

    def test_problems_between_committed_files_are_known(
        self, shelf: Shelf, store: Path, tmp_path: Path
    ) -> None:
        link = "relations: [{target: gone, type: SOLVES}]\n"
        text = memory(4, title="Fourth").replace("---\n", f"---\n{link}", 1)
        write(store, "graph/fixes/d.md", text)
        commit(store, "2026-03-10T12:00:00+00:00")
        with at(shelf, "2026-03-15T00:00:00Z", tmp_path) as past:
            assert past.lookback.is_certain
            assert "dangling-link" in problems(past)

    def test_after_a_commit_it_was_as_committed(
        self, shelf: Shelf, store: Path, tmp_path: Path
    ) -> None:
        write(store, "graph/fixes/a.md", memory(1, title="First", body="Just now."))

        with at(shelf, "2026-02-15T00:00:00Z", tmp_path) as past:
            assert memories(past) == {"First": "As it is.", "Third": "Body 3."}

    def test_an_uncommitted_file_is_as_now_if_it_is_older_than_the_time(
        self, shelf: Shelf, store: Path, tmp_path: Path
    ) -> None:
        file = write(store, "graph/fixes/a.md", memory(1, title="First", body="Now."))
        new = write(store, "graph/fixes/d.md", memory(4, title="Fourth"))
        between = micros("2026-02-12T00:00:00Z") // 1_000_000
        for one in (file, new):
            os.utime(one, (between, between))

        with at(shelf, "2026-02-15T00:00:00Z", tmp_path) as past:
            told = memories(past)
        assert told == {"First": "Now.", "Third": "Body 3.", "Fourth": "Body 4."}

    def test_before_the_first_commit_nothing_existed(
        self, shelf: Shelf, store: Path, tmp_path: Path
    ) -> None:
        assert store.is_dir()
        with at(shelf, "2025-01-15T00:00:00Z", tmp_path) as past:
            assert memories(past) == {}

    def test_a_call_after_the_commit_counts_more(
        self, shelf: Shelf, tmp_path: Path
    ) -> None:
        projects = shelf.places[0] / "claude/projects"
        notes = projects / SLUG / "memory"
        write(projects, f"{SLUG}/memory/MEMORY.md", "- [glaze](glaze.md) — About\n")
        write(projects, f"{SLUG}/memory/glaze.md", note("glaze", "Before."))
        git(notes, "init", "-q")
        commit(notes, "2026-02-10T12:00:00+00:00")
        sitting = Sitting()
        sitting.write(f"{PLACE}/glaze.md", GLAZE)
        sitting.put(projects)

        with at(shelf, "2026-02-20T00:00:00Z", tmp_path) as past:
            assert memories(past) == {"glaze": "Before."}
        with at(shelf, "2026-03-01T11:00:00Z", tmp_path) as past:
            assert memories(past) == {"glaze": "Cone six."}

    def test_nothing_leads_out_of_the_temporary_folder(
        self, shelf: Shelf, store: Path, tmp_path: Path
    ) -> None:
        (store / "graph/fixes/link.md").symlink_to("/etc/hostname")
        commit(store, "2026-02-11T12:00:00+00:00")

        with at(shelf, "2026-02-15T00:00:00Z", tmp_path) as past:
            assert "First" in memories(past)
        links = [path for path in tmp_path.rglob("*") if path.is_symlink()]
        assert links == [store / "graph/fixes/link.md"]


def git(folder: Path, *words: str, when: str = "2026-01-01T00:00:00+00:00") -> None:
    about = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "PATH": "/usr/bin"}
    who = ("-c", "user.name=Mira", "-c", "user.email=mira@example.org")
    command = ["git", "-C", str(folder), *who, *words]
    subprocess.run(command, check=True, capture_output=True, env=about)


def commit(folder: Path, when: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "As it is", when=when)
