"""While another process reads the stores, an answer comes at once and says so."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from tests.store.catalogue.stores import cognitive, memory, write
from tests.tui.cli.machine import Answer, Machine


@pytest.fixture
def store(machine: Machine) -> Path:
    """A store of three memories, of which nothing is read."""
    return cognitive(machine.home / "store", 3)


@pytest.fixture
def reading(machine: Machine) -> Iterator[None]:
    """Somebody else is reading the stores, and takes their time."""
    machine.cache.mkdir(parents=True)
    with FileLock(machine.cache / "catalogue.db.lock"):
        yield


@pytest.mark.usefixtures("reading")
def test_a_search_finds_what_is_not_read_yet(machine: Machine, store: Path) -> None:
    answer = machine.run("search", "--json", "memory", "--store", store)

    assert answer.code == 0
    assert sorted(row["title"] for row in answer.rows) == [
        "Memory 1",
        "Memory 2",
        "Memory 3",
    ]
    assert answer.err == (
        "recollect: 3 of 3 files are not read yet; 3 of them were looked through.\n"
    )


@pytest.mark.usefixtures("reading")
def test_a_list_with_a_query_does(machine: Machine, store: Path) -> None:
    answer = machine.run("list", "memories", "--json", "body", "--store", store)

    assert (answer.code, len(answer.rows)) == (0, 3)
    assert "3 of them were looked through" in answer.err


@pytest.mark.usefixtures("reading")
def test_a_list_of_everything_is_what_was_read(machine: Machine, store: Path) -> None:
    answer = machine.run("list", "memories", "--json", "--store", store)

    assert (answer.code, answer.rows) == (0, [])
    assert answer.err == "recollect: 3 of 3 files are not read yet.\n"


def test_what_was_read_is_listed_beside_what_was_not(
    machine: Machine, store: Path
) -> None:
    machine.run("sync", "--store", store)
    write(store, "graph/fixes/memory-4.md", memory(4))
    with FileLock(machine.cache / "catalogue.db.lock"):
        there = machine.run("list", "memories", "--json", "--store", store)
        found = machine.run("list", "memories", "--json", "body", "--store", store)

    assert (len(there.rows), len(found.rows)) == (3, 4)
    assert "1 of 4 files is not read yet." in there.err


def test_where_all_is_read_nothing_is_said(machine: Machine, store: Path) -> None:
    machine.run("sync", "--store", store)
    with FileLock(machine.cache / "catalogue.db.lock"):
        answer = machine.run("search", "memory", "--store", store)

    assert (answer.code, len(answer.out.splitlines()), answer.err) == (0, 3, "")


@pytest.mark.usefixtures("reading")
def test_an_unknown_value_is_no_mistake_while_files_are_not_read(
    machine: Machine, store: Path
) -> None:
    answer = machine.run("list", "memories", "type:nothing", "--store", store)

    assert (answer.code, answer.out) == (0, "")
    assert answer.err.endswith("3 of them were looked through.\n")
    assert "nothing" not in answer.err


def test_a_program_that_reads_and_one_that_searches_get_along(
    machine: Machine, samples: Path
) -> None:
    search = ("search", "--json", "--limit", "500", "redis", "--store", str(samples))
    reading = machine.start("sync", "--store", samples)
    answers = [machine.run(*search)]
    while reading.poll() is None:
        answers.append(machine.run(*search))
    _, err = reading.communicate()

    assert (reading.returncode, err) == (0, b"")
    after = machine.run(*search)
    for answer in answers:
        assert answer.code == 0
        assert set() < _refs(answer) <= _refs(after)


def _refs(answer: Answer) -> set[str]:
    return {row["ref"] for row in answer.rows}
