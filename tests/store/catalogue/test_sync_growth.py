"""A growing file is read on from where reading ended."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.catalogue.stores import SampleShelf

LOG = "diary.log"


@pytest.fixture
def diary(tmp_path: Path) -> SampleShelf:
    """A store of one log with two lines, read."""
    shelf = SampleShelf(tmp_path / "cache/catalogue.db", tmp_path)
    shelf.pages[LOG] = b"Rain | weather | \nSun | weather | Rain\n"
    shelf.sync()
    return shelf


def anew(shelf: SampleShelf, name: str) -> SampleShelf:
    """The same store, read at once into another catalogue."""
    fresh = SampleShelf(shelf.catalogue.with_name(name), *shelf.places)
    fresh.pages = shelf.pages
    fresh.sync()
    return fresh


def titles(shelf: SampleShelf) -> list[str]:
    rows = sorted(shelf.memories(), key=lambda row: row.line or 0)
    return [row.title for row in rows]


def test_appended_lines_are_added_and_all_others_stay(
    diary: SampleShelf,
) -> None:
    before = {row.title: row for row in diary.memories()}
    diary.pages[LOG] += b"Hail | weather | Sun\n"

    report = diary.sync()

    after = {row.title: row for row in diary.memories()}
    assert (report.changed, report.records) == (1, 1)
    assert report.bytes == len(b"Hail | weather | Sun\n")
    assert {**after, "Sun": before["Sun"]} == {**before, "Hail": after["Hail"]}
    assert (after["Hail"].line, after["Sun"].links_in) == (3, 1)


def test_every_line_has_a_ref_of_its_own(diary: SampleShelf) -> None:
    diary.pages[LOG] += b"Rain | weather | \n" * 4
    diary.sync()

    rows = diary.memories()

    assert len({row.ref for row in rows}) == len(rows) == 6
    assert diary.codes() == []
    for row in rows:
        assert diary.show_memory(row.ref).memory == row


def test_an_incomplete_line_waits_for_its_end(diary: SampleShelf) -> None:
    diary.pages[LOG] += b"Ha"
    diary.sync()
    torn = titles(diary)
    diary.pages[LOG] += b"il | weather | \n"
    diary.sync()

    assert torn == ["Rain", "Sun"]
    assert titles(diary) == ["Rain", "Sun", "Hail"]


def test_a_truncated_log_is_read_again(diary: SampleShelf) -> None:
    diary.pages[LOG] = b"Fog | weather | \n"

    report = diary.sync()

    assert report.bytes == len(diary.pages[LOG])
    assert titles(diary) == ["Fog"]
    assert diary.edges() == []


def test_an_emptied_log_has_nothing(diary: SampleShelf) -> None:
    diary.pages[LOG] = b""

    diary.sync()

    assert (titles(diary), diary.edges()) == ([], [])


def test_a_problem_of_a_line_is_not_one_of_its_neighbour(
    diary: SampleShelf,
) -> None:
    diary.pages[LOG] += b"Hail | weather | \nno memory\n"
    diary.sync()

    (problem,) = diary.problems()

    assert (problem.code, problem.line, problem.ref) == ("no-sample", 4, None)
    assert diary.everything() == anew(diary, "fresh.db").everything()


def test_a_deleted_log_is_removed_with_its_lines(diary: SampleShelf) -> None:
    diary.pages["other"] = b"Hail | weather | Rain"
    diary.sync()
    del diary.pages[LOG]

    report = diary.sync()

    assert report.removed == 1
    assert titles(diary) == ["Hail"]
    assert [edge.to for edge in diary.edges()] == [None]


names = st.sampled_from(["Rain", "Sun", "Hail", "Fog"])
lines = st.one_of(
    st.builds("{} | weather | {}\n".format, names, names),
    st.sampled_from(["no memory\n", "\n", "Ra", "in | weather | \n"]),
)


@given(st.lists(st.lists(lines, max_size=4), min_size=1, max_size=5))
def test_growing_in_steps_gives_the_same_as_reading_at_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("diary")
    shelf = SampleShelf(folder / "cache/catalogue.db", folder)
    shelf.pages[LOG] = b""
    for step in steps:
        shelf.pages[LOG] += "".join(step).encode()
        shelf.sync()

    fresh = anew(shelf, "fresh.db")

    assert shelf.everything() == fresh.everything()
    assert shelf.rows() == fresh.rows()
