"""Typed names find the one record they mean, or list the candidates."""

from collections import Counter
from pathlib import Path

import pytest

from store.errors import AmbiguousError, NothingFoundError
from store.kinds.memories import MemoryInFull
from tests.store.catalogue.stores import (
    Shelf,
    cognitive,
    linked,
    memory,
    notes,
    own_id,
    write,
)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A store with two memories and an edge, and one with a note."""
    linked(tmp_path / "stores/a")
    notes(tmp_path / "stores/.memory", "tabs")
    shelf = Shelf(tmp_path / "cache/catalogue.db", tmp_path / "stores")
    shelf.sync()
    return shelf


def meant(shelf: Shelf, name: str) -> object:
    shown = shelf.row(name)
    return shown.memory if isinstance(shown, MemoryInFull) else shown


def test_a_whole_ref_names_its_record(shelf: Shelf) -> None:
    for record in (*shelf.memories(), *shelf.edges()):
        assert meant(shelf, record.ref) == record
        assert meant(shelf, f"  {record.ref}\n") == record
        assert meant(shelf, record.ref.partition(":")[2]) == record


def test_refs_are_the_same_in_every_catalogue(shelf: Shelf, tmp_path: Path) -> None:
    other = Shelf(tmp_path / "other/catalogue.db", *shelf.places)
    other.sync()

    assert other.everything() == shelf.everything()
    for record in (*shelf.memories(), *shelf.edges()):
        assert meant(other, record.ref) == record


def test_refs_are_short_enough_to_type(shelf: Shelf) -> None:
    for record in (*shelf.memories(), *shelf.edges(), *shelf.documents()):
        kind, _, name = record.ref.partition(":")
        assert kind in {"memory", "edge", "document"}
        assert len(name) == 14
        assert name.isalnum()


def test_a_unique_prefix_is_enough(shelf: Shelf) -> None:
    memories = shelf.memories()

    def could_be(beginning: str) -> set[str]:
        own = beginning.removeprefix("memory:")
        return {
            m.ref
            for m in memories
            if m.ref.startswith(beginning) or (m.id or "").startswith(own)
        }

    for record in memories:
        begins = [record.ref[:size] for size in range(8, len(record.ref))]
        certain = [one for one in begins if could_be(one) == {record.ref}]
        assert certain
        for beginning in certain:
            assert meant(shelf, beginning) == record


def test_an_id_or_its_prefix_names_a_memory(shelf: Shelf) -> None:
    first = shelf.memory("Memory 1")

    assert meant(shelf, own_id(1)) == first
    assert meant(shelf, own_id(1)[:8]) == first
    assert meant(shelf, f"memory:{own_id(1)}") == first


@pytest.mark.parametrize("name", ["0000000", "memory:0000000"])
def test_an_ambiguous_name_lists_the_candidates(shelf: Shelf, name: str) -> None:
    with pytest.raises(AmbiguousError) as caught:
        shelf.show(name)

    lines = str(caught.value).splitlines()
    assert lines[0].endswith("matches several records:")
    assert sorted(lines[1:]) == sorted(
        f"  {shelf.memory(title).ref}  {title}" for title in ("Memory 1", "Memory 2")
    )


def test_candidates_with_one_title_are_listed_with_their_files(tmp_path: Path) -> None:
    store = cognitive(tmp_path / "stores/a", 0)
    for number in (1, 2):
        write(store, f"graph/fixes/{number}.md", memory(number, title="Same"))
    shelf = Shelf(tmp_path / "cache/catalogue.db", tmp_path / "stores")
    shelf.sync()

    with pytest.raises(AmbiguousError) as caught:
        shelf.show("0000000")

    files = [line.split()[-1] for line in str(caught.value).splitlines()[1:]]
    assert sorted(files) == [f"{store}/graph/fixes/{number}.md" for number in (1, 2)]


def test_a_very_ambiguous_name_lists_some_candidates(tmp_path: Path) -> None:
    cognitive(tmp_path / "stores/a", 30)
    shelf = Shelf(tmp_path / "cache/catalogue.db", tmp_path / "stores")
    shelf.sync()

    with pytest.raises(AmbiguousError) as caught:
        shelf.show("000000")

    lines = str(caught.value).splitlines()
    assert (len(lines), lines[-1]) == (12, "  …")


def test_a_whole_name_wins_over_longer_ones(tmp_path: Path) -> None:
    store = tmp_path / "stores/a"
    for number in range(1, 31):
        text = memory(number, id=f"fix-{number}", title=f"Fix {number}")
        write(store, f"graph/fixes/{number}.md", text)
    write(store, "CORE.md", "# Memory Core (auto-generated)\n")
    shelf = Shelf(tmp_path / "cache/catalogue.db", tmp_path / "stores")
    shelf.sync()

    assert meant(shelf, "fix-1") == shelf.memory("Fix 1")
    assert meant(shelf, "memory:fix-3") == shelf.memory("Fix 3")
    with pytest.raises(AmbiguousError):
        shelf.show("fix-")


def test_a_title_names_the_only_memory_that_has_it(shelf: Shelf) -> None:
    first = shelf.memory("Memory 1")

    assert meant(shelf, "memory 1") == first
    assert meant(shelf, " Memory 1 ") == first

    write(shelf.places[0], "a/graph/fixes/copy.md", memory(9, title="Memory 1"))
    shelf.sync()
    with pytest.raises(AmbiguousError, match="Memory 1"):
        shelf.show("Memory 1")
    assert meant(shelf, first.ref) == first


def test_an_id_of_two_records_is_ambiguous(shelf: Shelf) -> None:
    write(shelf.places[0], "a/graph/fixes/copy.md", memory(1, title="Copy"))
    shelf.sync()

    with pytest.raises(AmbiguousError, match="Copy") as caught:
        shelf.show(own_id(1))

    assert len(str(caught.value).splitlines()) == 3


@pytest.mark.parametrize(
    "name",
    [
        "memory:ffffffffffffffff",
        "nothing",
        "edge:%",
        "memory:' OR 1=1 --",
        "agent:007",
        "\udcff\ud83d",
        "\0",
        "x" * 10_000,
    ],
)
def test_an_unknown_name_is_reported(shelf: Shelf, name: str) -> None:
    with pytest.raises(NothingFoundError, match=r"No record matches"):
        shelf.show(name)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "retry",
            "No record matches 'retry'. To find its ref: recollect search 'retry'",
        ),
        ("memory:0123456789abcd", "No record matches 'memory:0123456789abcd'."),
        ("0123456789abcd", "No record matches '0123456789abcd'."),
        ("it's", 'No record matches "it\'s".'),
    ],
)
def test_words_that_name_nothing_can_be_searched(
    shelf: Shelf, name: str, told: str
) -> None:
    with pytest.raises(NothingFoundError) as refused:
        shelf.show(name)

    assert str(refused.value) == told


@pytest.mark.parametrize("name", ["", "   ", "memory:", "document:"])
def test_an_empty_name_names_nothing(shelf: Shelf, name: str) -> None:
    with pytest.raises(NothingFoundError, match="empty"):
        shelf.show(name)


def test_a_kind_limits_the_records(shelf: Shelf) -> None:
    (edge,) = shelf.edges()

    with pytest.raises(NothingFoundError):
        shelf.show(f"memory:{edge.ref.partition(':')[2]}")


def test_an_ambiguous_edge_is_named_by_its_ends(shelf: Shelf) -> None:
    for number in range(20):
        text = memory(100 + number, title=f"Other {number}", body="[[memory 1]]")
        write(shelf.places[0], f"a/graph/fixes/other-{number}.md", text)
    shelf.sync()
    ((beginning, _),) = Counter(e.ref[:6] for e in shelf.edges()).most_common(1)

    with pytest.raises(AmbiguousError, match=r"Other \d+ link Memory 1"):
        shelf.show(beginning)


def test_the_beginning_of_one_title_is_enough(shelf: Shelf, tmp_path: Path) -> None:
    notes(tmp_path / "stores/b/.memory", "indentation")
    shelf.sync()

    assert getattr(meant(shelf, "INDENT"), "title", "") == "indentation"
    with pytest.raises(AmbiguousError, match="Memory 1"):
        shelf.row("memory ")
    for name in ("ind", "ndentation"):
        with pytest.raises(NothingFoundError):
            shelf.row(name)


def test_a_change_needs_the_whole_title(shelf: Shelf, tmp_path: Path) -> None:
    notes(tmp_path / "stores/b/.memory", "indentation")
    shelf.sync()

    with shelf.opened() as library:
        named = library.plans.changeable
        (whole,) = named(["Indentation"])
        assert getattr(whole, "title", "") == "indentation"
        said = "1 title begins with 'INDENT'; a change needs the whole title or a ref:"
        with pytest.raises(NothingFoundError, match=f"^{said}\n  memory:.*  indent"):
            named(["INDENT"])
        with pytest.raises(NothingFoundError, match=r"^2 titles begin with 'memory '"):
            named(["memory "])
        assert named([str(whole.ref)[:-3]]) == [whole]
