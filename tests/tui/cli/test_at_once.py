"""While another process reads, an answer is immediate and complete, or waits."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from tests.store.catalogue.stores import cognitive, memory, write
from tests.tui.cli.conftest import NOW
from tests.tui.cli.machine import Answer, Machine


@pytest.fixture
def store(machine: Machine) -> Path:
    """A store of three unread memories."""
    return cognitive(machine.home / "store", 3)


@pytest.fixture
def reading(machine: Machine) -> Iterator[None]:
    """Another process that reads the stores slowly."""
    machine.cache.mkdir(parents=True)
    with FileLock(machine.cache / "catalogue.db.lock"):
        yield


@pytest.mark.usefixtures("reading")
def test_a_search_finds_unread_records(machine: Machine, store: Path) -> None:
    answer = machine.run("search", "--json", "memory", "--store", store)

    assert answer.code == 0
    assert sorted(row["title"] for row in answer.rows) == [
        "Memory 1",
        "Memory 2",
        "Memory 3",
    ]
    assert answer.err == (
        "recollect: 3 of 3 files are not read yet; 3 of them were searched anyway.\n"
    )


@pytest.mark.usefixtures("reading")
def test_a_list_with_a_query_finds_unread_records(
    machine: Machine, store: Path
) -> None:
    answer = machine.run("list", "memories", "--json", "body", "--store", store)

    assert (answer.code, len(answer.rows)) == (0, 3)
    assert "3 of them were searched anyway" in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ("list", "memories"),
        ("list", "edges", "memory"),
        ("list", "memories", "is:orphan"),
        ("search", "no-such-word-anywhere"),
    ],
)
def test_facts_that_need_a_sync_are_waited_for(
    machine: Machine, store: Path, words: tuple[str, ...]
) -> None:
    command = (*words, "--json", "--now", NOW, "--store", store)
    machine.cache.mkdir(parents=True)
    with FileLock(machine.cache / "catalogue.db.lock"):
        process = machine.start(*command)
        assert process.stderr is not None
        while b"Waiting for another" not in (told := process.stderr.readline()):
            assert told
        assert process.poll() is None
    out, err = process.communicate()

    assert (process.returncode, b"not read" in err) == (0, False)
    assert out.decode() == machine.run(*command).out


@pytest.mark.parametrize("kind", ["memories", "edges", "problems"])
def test_concurrent_commands_on_an_empty_index_agree(
    new_machine: Machine, samples: Path, kind: str
) -> None:
    words = ("list", kind, "--json", "--now", NOW, "--store", samples)
    processes = [new_machine.start(*words) for _ in range(4)]
    answers = [(one.communicate()[0], one.returncode) for one in processes]

    expected = new_machine.run(*words).out.encode()
    assert expected
    assert answers == [(expected, 0)] * 4


def test_waiting_in_vain_is_reported(
    machine: Machine, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.catalogue.database._PATIENCE", 0.1)
    machine.cache.mkdir(parents=True)
    with FileLock(machine.cache / "catalogue.db.lock"):
        answer = machine.run("list", "memories", "--store", store)

    assert (answer.code, answer.out) == (1, "")
    assert "Waiting for another recollect process" in answer.err
    assert "Try again, or use --no-sync." in answer.err


def test_read_and_unread_records_are_listed_together(
    machine: Machine, store: Path
) -> None:
    machine.run("sync", "--store", store)
    write(store, "graph/fixes/memory-4.md", memory(4))
    with FileLock(machine.cache / "catalogue.db.lock"):
        found = machine.run("list", "memories", "--json", "body", "--store", store)

    assert len(found.rows) == 4
    assert "1 of 4 files is not read yet" in found.err


def test_after_a_complete_read_nothing_is_reported(
    machine: Machine, store: Path
) -> None:
    machine.run("sync", "--store", store)
    with FileLock(machine.cache / "catalogue.db.lock"):
        answer = machine.run("search", "memory", "--store", store)

    assert (answer.code, len(answer.out.splitlines()), answer.err) == (0, 3, "")


@pytest.mark.usefixtures("reading")
def test_unknown_values_are_not_reported_while_files_are_unread(
    machine: Machine, store: Path
) -> None:
    answer = machine.run("list", "memories", "type:nothing", "--store", store)

    assert (answer.code, answer.out) == (0, "")
    assert answer.err.endswith("3 of them were searched anyway.\n")
    assert "nothing" not in answer.err


def test_a_search_works_beside_a_sync(new_machine: Machine, samples: Path) -> None:
    search = ("search", "--json", "--limit", "500", "redis", "--store", str(samples))
    reading = new_machine.start("sync", "--store", samples)
    answers = [new_machine.run(*search)]
    while reading.poll() is None:
        answers.append(new_machine.run(*search))
    _, err = reading.communicate()

    assert (reading.returncode, err) == (0, b"")
    after = new_machine.run(*search)
    for answer in answers:
        assert answer.code == 0
        assert set() < _refs(answer) <= _refs(after)


def _refs(answer: Answer) -> set[str]:
    return {row["ref"] for row in answer.rows}
