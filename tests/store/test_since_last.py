"""What is new since the last visit, store by store and kind by kind."""

from pathlib import Path

import pytest

from store.library import Page
from store.search.parse import parse
from store.search.tree import Named
from tests.store.catalogue.stores import NOON, Shelf, micros, note, notes, write
from tests.store.formats.agent_memory_stores import lines, thing
from tests.store.formats.transcripts_stores import SLUG
from tests.store.provenance.sittings import Sitting

HOUR = 3_600_000_000


@pytest.fixture
def kiln(shelf: Shelf) -> Path:
    """A store that was read once."""
    kiln = notes(shelf.places[0] / "kiln/.memory", "glaze", "cone")
    shelf.sync()
    return kiln


def found(
    shelf: Shelf, kind: str, looked: dict[str, int], asked: str = "since:last"
) -> list[str]:
    """The results of a query, by title, code or text, sorted."""
    with shelf.opened() as library:
        library.stores.look_since(looked)
        query = parse(asked, [kind]).tree
        records = list(library.lists.page(kind, Page(), query=query))
        assert library.lists.count(kind, query) == len(records)
    return sorted(named(record) for record in records)


def named(record: object) -> str:
    for name in ("title", "code", "text"):
        value = getattr(record, name, None)
        if value:
            return str(value)
    return ""


def since(path: Path) -> int:
    """The moment after a file was written."""
    return path.stat().st_mtime_ns // 1000 + 1


@pytest.mark.usefixtures("kiln")
def test_in_a_store_never_visited_everything_is_new(shelf: Shelf) -> None:
    assert found(shelf, "memories", {}) == ["cone", "glaze"]
    assert found(shelf, "memories", {"/elsewhere": micros(NOON)}) == ["cone", "glaze"]


def test_records_written_since_are_new(shelf: Shelf, kiln: Path) -> None:
    looked = {str(kiln): since(kiln / "MEMORY.md")}
    assert found(shelf, "memories", looked) == []

    write(kiln, "copper.md", note("copper"))
    write(kiln, "glaze.md", note("glaze", "Cone nine."))
    shelf.sync()

    assert found(shelf, "memories", looked) == ["copper", "glaze"]
    assert found(shelf, "memories", looked, "is:changed") == ["copper", "glaze"]
    assert found(shelf, "memories", looked, "!since:last") == ["cone"]


def test_only_the_lines_that_changed_in_a_file_count(shelf: Shelf) -> None:
    core = shelf.places[0] / "agents/core_memories.jsonl"
    core.parent.mkdir(parents=True)
    before, after = "2025-01-01T10:00:00Z", "2025-07-01T10:00:00Z"
    old = [thing(one, created_at=before, updated_at=before) for one in (1, 2)]
    new = thing(3, created_at=after, updated_at=after)
    core.write_bytes(lines(*old))
    shelf.sync()
    core.write_bytes(lines(*old, new))
    shelf.sync()

    looked = {str(core.parent): micros("2025-06-01T12:00:00+00:00")}
    assert found(shelf, "memories", looked) == ["Memory 3."]


def test_each_store_has_its_own_last_visit(shelf: Shelf, kiln: Path) -> None:
    oven = notes(shelf.places[0] / "oven/.memory", "brick")
    shelf.sync()
    looked = {str(kiln): since(oven / "MEMORY.md")}
    assert found(shelf, "memories", looked) == ["brick"]

    looked[str(oven)] = looked[str(kiln)]
    assert found(shelf, "memories", looked) == []

    write(oven, "tile.md", note("tile"))
    shelf.sync()
    assert found(shelf, "memories", looked) == ["tile"]


def test_conversations_and_messages_are_new_by_their_own_time(shelf: Shelf) -> None:
    projects = shelf.places[0] / "claude/projects"
    sitting = Sitting()
    sitting.run("ls")
    sitting.put(projects)
    shelf.sync()
    before = {str(projects): micros("2026-03-01T10:00:05Z")}
    after = {str(projects): micros("2026-03-01T10:00:15Z")}

    assert found(shelf, "conversations", before) == ["Remember the glazes."]
    assert found(shelf, "messages", before) == ["Bash: ls", "done"]
    assert found(shelf, "messages", before, "is:new") == ["Bash: ls", "done"]
    assert found(shelf, "conversations", after) == []
    assert found(shelf, "messages", after) == []
    assert SLUG in shelf.conversations()[0].source


def test_documents_are_new_by_their_file(shelf: Shelf, kiln: Path) -> None:
    looked = {str(kiln): since(kiln / "MEMORY.md")}
    assert found(shelf, "documents", looked) == []

    write(kiln, "MEMORY.md", "- [glaze](glaze.md) — About it\n")
    shelf.sync()

    assert len(found(shelf, "documents", looked)) == 1


def test_episodes_are_new_by_their_day_and_time(small: Shelf) -> None:
    store = str(small.places[0])
    told = sorted(named(one) for one in small.episodes())

    assert found(small, "episodes", {store: micros("2025-12-12T00:00:00Z")}) == told
    assert found(small, "episodes", {store: micros("2025-12-15T00:00:00Z")}) == []


def test_edges_are_new_by_their_creation(small: Shelf) -> None:
    store = str(small.places[0])
    long_ago = {store: micros("2020-01-01T00:00:00Z")}

    assert found(small, "edges", {store: micros("2030-01-01T00:00:00Z")}) == []
    assert found(small, "edges", long_ago)


class TestProblems:
    """A problem is new if it was met after the last look."""

    def test_a_problem_found_since_is_new(self, shelf: Shelf, kiln: Path) -> None:
        write(kiln, "odd.md", "---\nname: odd\n---\n\nNo type.\n")
        shelf.sync()
        codes = sorted(one.code for one in shelf.problems() if one.path == "odd.md")
        looked = {str(kiln): now_of(shelf)}
        assert found(shelf, "problems", looked) == []

        write(kiln, "other.md", "---\nname: other\n---\n\nNo type.\n")
        shelf.sync()

        assert found(shelf, "problems", looked) == codes

    def test_a_problem_of_a_touched_file_is_not_new(
        self, shelf: Shelf, kiln: Path
    ) -> None:
        write(kiln, "odd.md", "---\nname: odd\n---\n\nNo type.\n")
        shelf.sync()
        looked = {str(kiln): now_of(shelf)}

        write(kiln, "odd.md", "---\nname: odd\n---\n\nStill no type.\n")
        shelf.sync()

        assert found(shelf, "problems", looked) == []

    def test_a_problem_that_was_fixed_and_came_back_is_new(
        self, shelf: Shelf, kiln: Path
    ) -> None:
        write(kiln, "odd.md", "---\nname: odd\n---\n\nNo type.\n")
        shelf.sync()
        write(kiln, "odd.md", note("odd"))
        shelf.sync()
        looked = {str(kiln): now_of(shelf)}
        write(kiln, "odd.md", "---\nname: odd\n---\n\nNo type.\n")
        shelf.sync()

        assert "no-type" in found(shelf, "problems", looked)

    def test_problems_of_a_store_read_for_the_first_time_are_as_old_as_its_files(
        self, shelf: Shelf
    ) -> None:
        kiln = notes(shelf.places[0] / "kiln/.memory", "glaze")
        file = write(kiln, "odd.md", "---\nname: odd\n---\n\nNo type.\n")
        shelf.sync()

        assert found(shelf, "problems", {str(kiln): since(file)}) == []
        before = {str(kiln): since(file) - 10}
        assert "odd.md" in [one.path for one in shelf.problems()]
        assert found(shelf, "problems", before) != []

    def test_problems_without_a_file_are_not_new_with_the_catalogue(
        self, shelf: Shelf
    ) -> None:
        kiln = shelf.places[0] / "memories"
        kiln.mkdir(parents=True)
        kiln.chmod(0o755)
        told = kiln / "core_memories.jsonl"
        told.write_bytes(lines(thing(1)))
        shelf.sync()

        codes = found(shelf, "problems", {str(kiln): 0})
        assert "open-permissions" not in codes
        assert {one.code for one in shelf.problems()} == {*codes, "open-permissions"}
        with shelf.opened() as library:
            dated = library.search.facets(
                "problems", Named("code", ("open-permissions",))
            )
        assert dated["code"] == [("open-permissions", 1)]
        assert not {"year", "month"} & dated.keys()


def now_of(shelf: Shelf) -> int:
    """A time after everything noticed so far."""
    with (
        shelf.opened() as library,
        library.stores.reader() as reader,
    ):
        (latest,) = reader.ask("SELECT max(at) FROM noticed", ()).fetchone()
    return int(latest)
