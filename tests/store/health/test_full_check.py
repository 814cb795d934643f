"""What only the full check finds, beside the nearest that it must not."""

import json
import os
from pathlib import Path
from subprocess import run

import pytest

from store.kinds.problems import Problem
from tests.store.catalogue.stores import (
    Shelf,
    cognitive,
    edge,
    memory,
    note,
    notes,
    own_id,
    write,
)
from tests.store.formats.claudia_stores import database


def checked(shelf: Shelf) -> list[Problem]:
    """The problems after a full check, without those of files that are alone."""
    shelf.sync()
    with shelf.opened() as library:
        library.index.check_fully()
    return [one for one in shelf.problems() if one.code != "one-sided-link"]


TEXT = (
    "The connection pool of the billing service has twenty slots, and each worker "
    "takes two of them while it writes invoices to the archive every night."
)


def test_two_memories_that_say_the_same_are_reported_once(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    write(store, "graph/fixes/one.md", memory(1, body=TEXT))
    write(store, "graph/fixes/two.md", memory(2, body=TEXT.replace("two of", "three")))
    write(store, "graph/fixes/three.md", memory(3, body="The pool has slots."))

    (problem,) = checked(shelf)

    assert (problem.code, problem.severity) == ("near-duplicate", "note")


def test_a_near_duplicate_names_the_memory_that_it_resembles(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    words = [f"word{number}" for number in range(20)]
    for number, first in enumerate((0, 4, 8), 1):
        body = " ".join(words[first : first + 12])
        write(store, f"graph/fixes/{number}.md", memory(number, body=body))

    assert [(one.path, one.message) for one in checked(shelf)] == [
        ("graph/fixes/2.md", "Nearly the same as “Memory 1”."),
        ("graph/fixes/3.md", "Nearly the same as “Memory 2”."),
    ]


def test_a_copy_with_the_same_id_is_reported_as_that_alone(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    write(store, "graph/fixes/one.md", memory(1, body=TEXT))
    write(store, "graph/fixes/two.md", memory(1, body=TEXT))

    assert [one.code for one in checked(shelf)] == ["duplicate-id"]


def test_headings_of_one_template_make_no_duplicates(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    heads = "# {}\n\n{}\n\n## Key files to read first\n\n{}\n\n## Related memories\n"
    for name, told in {
        "graph": ("Graph hub", "Nodes, edges and walks.", "src/graph.ts"),
        "core": ("Core hub", "Creating, reading, deleting.", "src/store.ts"),
    }.items():
        write(
            store, f"graph/fixes/{name}.md", memory(len(name), body=heads.format(*told))
        )

    assert checked(shelf) == []


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("Always commit generated files.", "Never commit generated files.", True),
        ("Use tabs for indentation.", "Use spaces for the indentation.", True),
        ("Never push to main directly.", "You must push to main directly!", True),
        ("Always commit generated files.", "Never commit secret files.", False),
        ("Use tabs for indentation.", "Use spaces for alignment.", False),
        ("Never push to main directly.", "Do not push to main directly.", False),
    ],
)
def test_rules_contradict_one_another_on_one_subject(
    shelf: Shelf, one: str, other: str, *, is_one: bool
) -> None:
    store = notes(shelf.places[0] / ".memory", "one", "other")
    write(store, "one.md", note("one", one))
    write(store, "other.md", note("other", other))

    found = [one.code for one in checked(shelf) if one.code != "near-duplicate"]
    assert found == ["contradiction"] * is_one


@pytest.mark.parametrize("later", ["one.md", "other.md"])
def test_a_contradiction_stays_at_its_memory_whichever_was_written_last(
    shelf: Shelf, later: str
) -> None:
    store = notes(shelf.places[0] / ".memory", "one", "other")
    write(store, "one.md", note("one", "Always lint the code."))
    write(store, "other.md", note("other", "Never lint the code."))
    os.utime(store / later, (2_000_000_000, 2_000_000_000))

    found = {one.path for one in checked(shelf) if one.code == "contradiction"}
    assert found == {"other.md"}


def test_a_memory_may_contradict_the_instructions_beside_it(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "one")
    write(store, "one.md", note("one", "Never run the slow tests."))
    write(shelf.places[0], "CLAUDE.md", "# Rules\n\n- Always run the slow tests.\n")

    (problem,) = checked(shelf)

    assert (problem.code, problem.path) == ("contradiction", "one.md")
    assert "CLAUDE.md" in problem.message


def test_a_file_that_is_gone_is_missed_where_its_project_still_is(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.catalogue.full_check.VOLATILE", ())
    project = tmp_path / "project"
    write(project, "src/kept.py", "")
    store = notes(shelf.places[0] / ".memory", "one")
    gone, kept = project / "src/gone.py", project / "src/kept.py"
    body = f"See `{gone}` and {kept}, /nowhere/at/all/x.py, https://a.example/b/c.md,"
    body += f" or {project}/src/.../x.py."
    write(store, "one.md", note("one", body))

    (problem,) = checked(shelf)

    assert (problem.code, problem.severity) == ("missing-file", "note")
    assert problem.message.endswith("/project/src/gone.py”.")
    assert kept.name not in problem.message


@pytest.mark.parametrize(
    ("path", "is_gone"),
    [
        ("~/.agent/hooks/gone.ts", True),
        ("~/.agent/hooks/kept.ts", False),
        ("~/.agent/others/gone.ts", False),
        ("~/.agent/settings.json", False),
        ("~/gone/by/now.ts", False),
    ],
)
def test_a_file_at_home_is_missed_where_its_folder_is(
    shelf: Shelf,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    *,
    is_gone: bool,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    write(tmp_path / "home", ".agent/hooks/kept.ts", "")
    store = notes(shelf.places[0] / ".memory", "one")
    write(store, "one.md", note("one", f"It is in `{path}`."))

    assert [one.code for one in checked(shelf)] == ["missing-file"] * is_gone


def requires(*pairs: tuple[int, int]) -> dict[str, str]:
    return {
        f"graph/edges/{start}--REQUIRES--{end}-0000{start}{end}.md": edge(
            100 + 10 * start + end, start, end, "REQUIRES"
        )
        for start, end in pairs
    }


@pytest.mark.parametrize(
    ("pairs", "circles"),
    [
        (((1, 2), (2, 3), (3, 1)), 1),
        (((1, 2), (2, 1), (3, 3)), 2),
        (((1, 2), (2, 3), (1, 3)), 0),
    ],
)
def test_nothing_requires_itself_in_a_circle(
    shelf: Shelf, pairs: tuple[tuple[int, int], ...], circles: int
) -> None:
    store = cognitive(shelf.places[0] / "a", 3)
    for path, text in requires(*pairs).items():
        write(store, path, text)

    found = [one.code for one in checked(shelf)]

    assert found == ["requires-cycle"] * circles


def test_a_stored_score_of_another_stage_is_out_of_date(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 2)
    entries = {
        own_id(number): {"access_count": 1, "decay_score": score}
        for number, score in ((1, 0.3), (2, 0.9))
    }
    write(store, "_state.json", json.dumps({"version": 1, "entries": entries}))

    (problem,) = checked(shelf)

    assert (problem.code, problem.path) == ("stale-score", "_state.json")
    assert problem.ref == shelf.memory("Memory 1").ref


def test_scores_that_round_to_the_same_are_told_apart(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    entry = {own_id(1): {"access_count": 1, "decay_score": 0.4996}}
    write(store, "_state.json", json.dumps({"version": 1, "entries": entry}))

    (problem,) = checked(shelf)

    assert problem.message == (
        "The stored score is 0.4996 (fading); today it is 0.5000 (active)."
    )


def test_a_file_that_anybody_can_write_is_reported(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 2)
    (store / "graph/fixes/memory-1.md").chmod(0o666)
    (store / "graph/fixes/memory-2.md").chmod(0o664)

    (problem,) = checked(shelf)

    assert problem.code == "writable-by-all"
    assert problem.path == "graph/fixes/memory-1.md"


def test_what_was_found_is_gone_once_its_file_is_read_again(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "one", "other")
    write(store, "one.md", note("one", "Always lint."))
    write(store, "one.md", note("one", "Always lint the code."))
    write(store, "other.md", note("other", "Never lint the code."))
    assert "contradiction" in [one.code for one in checked(shelf)]

    shelf.sync()
    assert "contradiction" in shelf.codes()
    write(store, "other.md", note("other", "Always lint the code."))
    shelf.sync()

    assert shelf.codes() == []


def test_a_file_that_nothing_shortens_is_reported_once_it_is_large(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.catalogue.full_check._LARGE", 2 << 20)
    notes(shelf.places[0] / ".memory", "one")
    task = json.dumps({"kind": "task", "name": "x" * 200_000, "duration_s": 1}) + "\n"
    store = shelf.places[0] / "memory"
    write(store, "time-metrics/tasks.jsonl", task * 10)
    assert checked(shelf) == []

    write(store, "time-metrics/tasks.jsonl", task * 11)
    (problem,) = checked(shelf)

    assert (problem.code, problem.severity) == ("large-file", "note")
    assert problem.message.startswith("It has grown to 2 MB")


def test_a_database_is_compared_with_its_transcripts(shelf: Shelf) -> None:
    home = shelf.places[0]
    with database(home / ".anima") as made:
        for name in ("same", "grown", "cut", "gone", "gone-too"):
            made.file(f"-p/{name}.jsonl")
    for name, size in {"same": 100, "grown": 101, "cut": 99}.items():
        write(home, f".claude/projects/-p/{name}.jsonl", "x" * size)
    shelf.places = [home / ".anima"]

    found = {one.code: one for one in checked(shelf) if one.code[:5] == "trans"}

    assert {code: str(one.severity) for code, one in found.items()} == {
        "transcript-gone": "note",
        "transcript-truncated": "warning",
    }
    assert found["transcript-truncated"].message.endswith("imported: -p/cut.jsonl.")
    assert "(and 1 other)" in found["transcript-gone"].message
    write(home, ".claude/projects/-p/cut.jsonl", "x" * 100)
    assert "transcript-truncated" not in [one.code for one in checked(shelf)]


def test_settings_with_a_key_are_not_in_git(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "home/a", 1)
    write(store, "_config.json", json.dumps({"embedding_provider": "ollama"}))
    write(store, ".gitignore", "_*.json\nCORE.md\nREFLECTION.md\n")

    def git(*words: str) -> None:
        run(["git", "-C", store.parent, *words], check=True, capture_output=True)

    git("init", "-q")
    git("add", "a/graph")
    assert "secret-tracked" not in [one.code for one in checked(shelf)]
    git("add", "-f", "a/_config.json")

    (problem,) = (one for one in checked(shelf) if one.code == "secret-tracked")

    assert (problem.path, problem.severity) == ("_config.json", "warning")
