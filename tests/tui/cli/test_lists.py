from pathlib import Path

import pytest

from tests.tui.cli import promises
from tests.tui.cli.conftest import NOW
from tests.tui.cli.machine import Machine

SORTS = [
    *(("memories", s) for s in ("updated", "created", "strength", "title", "links_in")),
    *(("edges", s) for s in ("created", "strength", "type", "from_title")),
    *(("episodes", s) for s in ("date", "title")),
    *(("conversations", s) for s in ("last", "title", "entries", "tools", "project")),
    *(("messages", s) for s in ("kind", "role")),
    *(("documents", s) for s in ("path", "text_bytes")),
    *(("problems", s) for s in ("severity", "code", "path")),
]


def ordered(rows: list[dict[str, object]], field: str) -> list[object]:
    values = [row[field] for row in rows]
    return [v.casefold() if isinstance(v, str) else v for v in values if v is not None]


@pytest.mark.parametrize("kind", promises.LISTS)
def test_pages_add_up_to_the_whole_list(
    machine: Machine, samples: Path, kind: str
) -> None:
    command = ("list", kind, "--json", "-s", samples, "--now", NOW)
    whole = machine.run(*command).out.splitlines()

    size = len(whole) // 3 + 1
    pages = [
        machine.run(
            *command, "--limit", str(size), "--offset", str(at)
        ).out.splitlines()
        for at in range(0, 4 * size, size)
    ]

    assert [line for page in pages for line in page] == whole
    assert len(set(whole)) == len(whole)
    assert pages[3] == []


def test_an_empty_page_succeeds_too(machine: Machine, samples: Path) -> None:
    answer = machine.run("list", "memories", "-s", samples, "--limit", "0")

    assert (answer.code, answer.out, answer.err) == (0, "", "")


@pytest.mark.parametrize(("kind", "sort"), SORTS)
def test_a_list_is_sorted_by_a_field_either_way_and_loses_no_row(
    machine: Machine, samples: Path, kind: str, sort: str
) -> None:
    command = ("list", kind, "--json", "-s", samples, "--now", NOW)

    there = machine.run(*command, "--sort", sort)
    back = machine.run(*command, "--sort", sort, "--reverse")

    unsorted = machine.run(*command).out.splitlines()
    assert sorted(there.out.splitlines()) == sorted(unsorted)
    assert sorted(back.out.splitlines()) == sorted(unsorted)
    assert ordered(there.rows, sort) == ordered(back.rows, sort)[::-1]


@pytest.mark.parametrize("sort", ["strength", "created", "title"])
def test_missing_values_come_last(machine: Machine, samples: Path, sort: str) -> None:
    for way in ([], ["--reverse"]):
        rows = machine.run(
            "list", "memories", "--json", "-s", samples, "--sort", sort, *way
        ).rows
        blank = [row[sort] is None for row in rows]
        assert blank == sorted(blank)


def test_memories_are_sorted_newest_first(machine: Machine, samples: Path) -> None:
    rows = machine.run("list", "memories", "--json", "-s", samples).rows

    days = [row["updated"][:10] for row in rows if row["updated"]]
    assert days == sorted(days, reverse=True)
    assert len(set(days)) > 20


def test_strength_and_stage_are_those_of_the_given_time(
    machine: Machine, samples: Path
) -> None:
    def at(now: str) -> dict[str, tuple[float, str]]:
        rows = machine.run("list", "memories", "--json", "-s", samples, "--now", now)
        return {
            row["ref"]: (row["strength"], row["stage"])
            for row in rows.rows
            if row["strength"] is not None and not row["pinned"]
        }

    today, later = at(NOW), at("2027-03-01T12:00:00Z")

    assert at(NOW) == today
    assert all(later[ref][0] < strength for ref, (strength, _) in today.items())
    assert {stage for _, stage in today.values()} > {"active", "fading", "dormant"}
    assert {stage for _, stage in later.values()} <= {"dormant", "archived", "fading"}


def test_pinned_memories_never_fade(machine: Machine, samples: Path) -> None:
    rows = machine.run(
        "list", "memories", "--json", "-s", samples, "--now", "2099-01-01T00:00:00Z"
    ).rows

    pinned = [row for row in rows if row["pinned"]]
    assert {(row["strength"], row["stage"]) for row in pinned} == {(999.0, "vault")}


@pytest.mark.parametrize("kind", promises.LISTS)
@pytest.mark.parametrize("json", [["--json"], []])
def test_the_same_time_gives_the_same_answer(
    machine: Machine, samples: Path, kind: str, json: list[str]
) -> None:
    first, again = (
        machine.run("list", kind, "-s", samples, "--now", NOW, *json) for _ in "12"
    )

    assert first == again
    assert first.code == 0


@pytest.mark.parametrize("kind", promises.LISTS)
def test_a_pipe_gets_one_record_per_line_with_tabs(
    machine: Machine, samples: Path, kind: str
) -> None:
    rows = machine.run("list", kind, "--json", "-s", samples).rows
    lines = machine.run("list", kind, "-s", samples).out.splitlines()

    cells = [line.split("\t") for line in lines]
    assert len(lines) == len(rows)
    assert len({len(row) for row in cells}) == 1
    named = "severity" if kind == "problems" else "ref"
    assert [row[0] for row in cells] == [row[named] for row in rows]


def test_a_query_after_list_is_about_memories(machine: Machine, samples: Path) -> None:
    whole = machine.run("list", "memories", "is:pinned", "-s", samples)

    assert whole.out
    assert machine.run("list", "is:pinned", "-s", samples) == whole
    assert machine.run("list", "memory", "is:pinned", "-s", samples) == whole


def test_what_looks_like_an_unknown_field_is_searched_exactly_and_reported(
    machine: Machine, samples: Path
) -> None:
    for command in ("list", "search"):
        answer = machine.run(command, "nope:3", "-s", samples)
        assert (answer.code, answer.out) == (0, "")
        assert "'nope' is not a field, so 'nope:3' was searched as text" in answer.err


def test_a_file_is_shown_by_its_path(machine: Machine, samples: Path) -> None:
    store = samples / "cognitive-memory"
    (page,) = machine.run("show", "CORE.md", "--json", "-s", store).rows

    assert (page["path"], page["role"]) == ("CORE.md", "core")
    several = machine.run("show", "CORE.md", "-s", samples)
    assert (several.code, several.err.count("document:")) == (1, 2)


def test_a_terminal_names_the_store_if_there_are_several_and_says_what_is_left(
    machine: Machine, samples: Path
) -> None:
    found = machine.run("list", "memories", "redis", "--json", "-s", samples).rows
    stores = machine.run("stores", "--json", "-s", samples).rows
    names = {row["path"]: row["name"] for row in stores}
    words = ("-s", samples, "--limit", "2")

    listed = machine.in_terminal("list", "memories", "redis", *words).out
    hits = machine.in_terminal("search", "redis", *words).out

    more = f"of {len(found)}; for more, use --limit N and --offset N."
    assert f"1–2 {more}" in listed
    assert (
        f"3–4 {more}"
        in machine.in_terminal("list", "memories", "redis", *words, "--offset", "2").out
    )
    whole = {len(name) <= 10 for name in names.values()}
    assert whole == {True, False}
    short = names[found[0]["store"]]
    short = short if len(short) <= 10 else f"{short[:4]}…{short[-5:]}"
    assert f"  {short}  " in listed
    assert f"  {short}  " in hits
    wide = machine.in_terminal("list", "memories", "redis", *words, columns=120).out
    assert f"  {names[found[0]['store']]}  " in wide
    piped = machine.run("list", "memories", "redis", *words)
    assert (piped.err, len(piped.out.splitlines())) == ("", 2)
