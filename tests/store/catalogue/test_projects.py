"""The project of a conversation is the folder of its transcript."""

from pathlib import Path

import pytest

from tests.project import ROOT
from tests.store.catalogue.stores import Shelf, write
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    Line,
    assistant,
    at,
    dumped,
    says,
    user,
)

OTHER = "11111111-2222-4333-8444-555555555555"
AGENT = "a0123456789abcdef"


def wandering(*folders: str | None) -> list[Line]:
    """A session in which the agent changes folders every two hours."""
    lines: list[Line] = []
    for number, folder in enumerate(folders):
        more: Line = {"cwd": folder, "timestamp": f"2026-02-28T{2 * number:02}:00:00Z"}
        lines.append(user(f"q{folder}{number}", f"Question {number}") | more)
        lines.append(assistant(f"a{folder}{number}", says("So.")) | more)
    return lines


def projects(shelf: Shelf) -> set[str | None]:
    return {conversation.project for conversation in shelf.conversations()}


def put(shelf: Shelf, lines: list[Line], path: str = f"{SLUG}/{SESSION}.jsonl") -> Path:
    return write(shelf.places[0] / "projects", path, dumped(lines))


@pytest.mark.parametrize(
    "folders",
    [
        ("/home/mira/kiln", "/srv/redis", "/srv/redis", "/srv/redis"),
        ("/srv/redis", "/home/mira/kiln/glazes/blue", "/opt"),
        ("/srv/redis", "/opt", "/home/mira/kiln"),
        (None, "/srv/redis", "/home/mira/kiln"),
    ],
)
def test_the_project_is_the_same_wherever_the_agent_went(
    shelf: Shelf, folders: tuple[str | None, ...]
) -> None:
    put(shelf, wandering(*folders))
    shelf.sync()

    assert len(shelf.conversations()) == len(folders)
    assert projects(shelf) == {"kiln"}


def test_another_transcript_of_the_folder_gives_its_path(shelf: Shelf) -> None:
    put(shelf, wandering("/srv/redis"))
    put(shelf, wandering("/home/mira/kiln"), f"{SLUG}/{OTHER}.jsonl")
    put(shelf, wandering("/opt"), f"{SLUG}/{OTHER}/subagents/agent-{AGENT}.jsonl")
    put(shelf, wandering(None), f"{SLUG}/nowhere.jsonl")
    shelf.sync()

    assert len(shelf.conversations()) == 4
    assert projects(shelf) == {"kiln"}


def test_a_project_is_corrected_when_its_path_is_learnt_later(shelf: Shelf) -> None:
    put(shelf, wandering("/srv/redis"))
    shelf.sync()
    assert projects(shelf) == {"redis"}

    put(shelf, wandering("/srv/redis", "/home/mira/kiln"))
    shelf.sync()

    assert projects(shelf) == {"kiln"}


def test_a_folder_without_a_known_path_is_one_project(shelf: Shelf) -> None:
    for number, folders in enumerate((("/b", "/c"), ("/b", "/a"), ("/c", "/a"))):
        put(shelf, wandering(*folders), f"{SLUG}/{number}.jsonl")
    put(shelf, wandering(None), "-home-zoe-x/nowhere.jsonl")
    shelf.sync()

    by_folder = {(one.source[:10], one.project) for one in shelf.conversations()}
    assert by_folder == {("-home-mira", "b"), ("-home-zoe-", "-home-zoe-x")}


def test_a_folder_with_a_meaningless_name_leaves_it_to_the_session(
    shelf: Shelf,
) -> None:
    put(shelf, wandering("/home/mira/kiln", "/srv/redis"), "saved/one.jsonl")
    put(shelf, wandering("/srv/redis", "/opt"), "saved/two.jsonl")
    shelf.sync()

    found = {(one.source, one.project) for one in shelf.conversations()}
    assert found == {("saved/one.jsonl", "kiln"), ("saved/two.jsonl", "redis")}


def test_the_folder_of_a_project_may_be_the_store(tmp_path: Path) -> None:
    store = tmp_path / "projects" / SLUG
    write(store, f"{SESSION}.jsonl", dumped(wandering("/opt", "/home/mira/kiln")))
    agents = f"{OTHER}/subagents/agent-{AGENT}.jsonl"
    write(store, agents, dumped(wandering("/srv/redis")))
    shelf = Shelf(tmp_path / "catalogue.db", store)
    shelf.sync()

    assert projects(shelf) == {"kiln"}


@pytest.mark.parametrize(
    ("slug", "cwd"),
    [
        ("C--Users-mira-kiln", "C:\\Users\\mira\\kiln"),
        ("c--Users-mira-kiln", "C:\\Users\\mira\\kiln\\glazes"),
        ("-home-mira--config-kiln", "/home/mira/.config/kiln"),
        (f"-{'deep-' * 39}deep-1a2b3c", f"/{'deep/' * 60}kiln"),
    ],
)
def test_folders_are_spelt_in_many_ways(shelf: Shelf, slug: str, cwd: str) -> None:
    elsewhere = user("first", "Hello", timestamp=at(1), cwd="/opt")
    put(shelf, [elsewhere, *wandering(cwd)], f"{slug}/{SESSION}.jsonl")
    shelf.sync()

    assert projects(shelf) == {"kiln"}


def test_the_path_of_a_project_is_forgotten_with_its_transcript(shelf: Shelf) -> None:
    put(shelf, wandering("/srv/redis"))
    other = put(shelf, wandering("/home/mira/kiln"), f"{SLUG}/{OTHER}.jsonl")
    shelf.sync()
    assert projects(shelf) == {"kiln"}

    other.unlink()
    shelf.sync()

    assert projects(shelf) == {"redis"}


CORPUS = ROOT.parent / "shared" / "corpus" / "claude"
REAL = sorted(CORPUS.glob("*")) if CORPUS.is_dir() else []


@pytest.mark.skipif(not REAL, reason="the corpus is not beside the project")
@pytest.mark.parametrize("place", REAL, ids=lambda place: place.name)
def test_every_real_folder_is_one_project(tmp_path: Path, place: Path) -> None:
    shelf = Shelf(tmp_path / "catalogue.db", place)
    shelf.sync()

    named: dict[str, set[str | None]] = {}
    for one in shelf.conversations():
        named.setdefault(one.source.partition("/")[0], set()).add(one.project)
    assert named
    assert {folder: names for folder, names in named.items() if len(names) > 1} == {}
    assert None not in set().union(*named.values())
