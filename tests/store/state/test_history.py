"""The query history."""

import json
import multiprocessing
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.machine import NotWrittenError, Places
from store.state import HISTORY_MOST as MOST
from store.state import LONGEST, read_history, remember


def asked(places: Places, *queries: str) -> None:
    for query in queries:
        remember(places, query)


def test_at_first_there_is_no_history(places: Places) -> None:
    assert read_history(places).queries == ()
    assert not places.state.exists()


def test_the_newest_is_last_and_each_is_there_once(places: Places) -> None:
    asked(places, "redis", "tag:a", " redis ", "", "  ", "x" * (LONGEST + 1))

    assert read_history(places).queries == ("tag:a", "redis")
    assert read_history(places).notice is None


def test_a_query_that_was_extended_is_there_once(places: Places) -> None:
    asked(places, "is:pinned", "red", "redis", "redis tag:a", "tag:b", "redis tag:a")

    assert read_history(places).queries == ("is:pinned", "tag:b", "redis tag:a")
    asked(places, "redis")
    assert read_history(places).queries[-2:] == ("redis tag:a", "redis")


def test_the_oldest_are_dropped(places: Places) -> None:
    places.state.mkdir()
    lines = "".join(f'"{number}"\n' for number in range(MOST))
    (places.state / "queries").write_text(lines, encoding="utf-8")

    history = remember(places, "new")

    assert len(history.queries) == MOST
    assert (history.queries[0], history.queries[-1]) == ("1", "new")
    assert read_history(places) == history


def test_the_history_is_private(places: Places) -> None:
    asked(places, "secret")

    assert stat.S_IMODE(places.state.stat().st_mode) == 0o700
    for path in places.state.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", [b"oops\n", b'"torn', b"3\n", b"\xff\n", b"[]\n"])
def test_a_damaged_file_is_set_aside_and_readable_parts_are_kept(
    places: Places, damage: bytes
) -> None:
    asked(places, "redis")
    file = places.state / "queries"
    file.write_bytes(file.read_bytes() + damage)

    assert read_history(places).queries == ("redis",)
    assert read_history(places).notice == f"A part of {file} could not be read."

    history = remember(places, "new")
    aside = places.state / "queries.set-aside"
    assert history.queries == ("redis", "new")
    assert history.notice == (
        f"The query history was damaged. It was moved to {aside}, and a new one "
        "was started."
    )
    assert aside.read_bytes().endswith(damage)
    assert read_history(places).notice is None


def test_anything_but_a_file_is_set_aside_too(places: Places) -> None:
    places.state.mkdir()
    os.mkfifo(places.state / "queries")

    assert (
        read_history(places).notice == f"{places.state}/queries is not a regular file."
    )
    assert remember(places, "new").queries == ("new",)
    assert read_history(places).queries == ("new",)


def test_a_damaged_file_that_cannot_be_set_aside_stays(places: Places) -> None:
    (places.state / "queries.set-aside").mkdir(parents=True)
    (places.state / "queries").write_bytes(b"oops")

    with pytest.raises(NotWrittenError, match="The query history"):
        remember(places, "new")

    assert (places.state / "queries").read_bytes() == b"oops"


def test_queries_of_concurrent_processes_are_all_remembered(places: Places) -> None:
    spawn = multiprocessing.get_context("spawn")
    names = "abc"
    asking = [
        spawn.Process(target=asked, args=(places, *(f"{name}{n}" for n in range(5))))
        for name in names
    ]
    for process in asking:
        process.start()
    for process in asking:
        process.join()

    remembered = read_history(places).queries
    assert sorted(remembered) == [f"{name}{n}" for name in names for n in range(5)]


@given(st.lists(st.text(max_size=20), max_size=10))
def test_any_text_is_remembered(
    tmp_path_factory: pytest.TempPathFactory, queries: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    places = Places(folder, folder, folder)

    asked(places, *queries)

    kept = [query.strip() for query in queries if query.strip()]
    expected = [q for n, q in enumerate(kept) if q not in kept[n + 1 :]]
    assert list(read_history(places).queries) == expected


@given(st.binary(max_size=100))
def test_no_bytes_crash_the_program(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    (folder / "queries").write_bytes(raw)
    places = Places(folder, folder, folder)

    before = read_history(places).queries
    after = remember(places, "new").queries

    assert after == (*(query for query in before if query != "new"), "new")
    assert json.loads((folder / "queries").read_text().splitlines()[-1]) == "new"
