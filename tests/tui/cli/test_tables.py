"""Tables in a terminal."""

import re
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len, get_character_cell_size

from tests.bench.stores import make_store
from tests.tui.cli import promises
from tests.tui.cli.conftest import NOW
from tests.tui.cli.machine import Machine

STYLE = re.compile(r"\x1b\[[0-9;]*m")
WIDTHS = (80, 120, 200)
LEFT = {
    "Title",
    "From",
    "To",
    "Type",
    "Role",
    "When",
    "Summary",
    "Path",
    "Code",
    "What",
    "Kind",
    "Project",
}


def lines(shown: str) -> list[str]:
    """The text on the screen, without its colours."""
    return STYLE.sub("", shown).replace("\r\n", "\n").splitlines()


def cells(line: str) -> str:
    """A line in which every wide character takes two places."""
    return "".join(c + " " * (get_character_cell_size(c) - 1) for c in line)


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("kind", promises.LISTS)
def test_a_table_is_aligned_and_no_wider_than_the_terminal(
    machine: Machine, samples: Path, kind: str, columns: int
) -> None:
    total = len(machine.run("list", kind, "-s", samples).out.splitlines())
    answer = machine.in_terminal("list", kind, "-s", samples, columns=columns)

    assert answer.code == 0
    head, *rows = lines(answer.out)
    assert len(rows) == total
    assert max(cell_len(row) for row in rows) <= columns
    starts = [m.start() for m in re.finditer(r"\S+( \S+)*", head) if m[0] in LEFT]
    assert starts
    for row in map(cells, rows):
        assert [row[start - 2 : start].strip() for start in starts] == [""] * len(
            starts
        )


def test_a_table_stays_aligned_beyond_the_first_rows(
    machine: Machine, tmp_path: Path
) -> None:
    make_store(tmp_path / "store", 120)

    head, *rows = lines(
        machine.in_terminal("list", "edges", "-s", tmp_path, columns=200).out
    )

    column = head.index("Type")
    assert len(rows) == 240
    assert all(row[column - 1] == " " and row[column].isupper() for row in rows)
    assert sum("Written in" in row for row in rows) == 0


def test_a_wider_terminal_shows_more(machine: Machine, samples: Path) -> None:
    narrow, middle, wide = (
        "\n".join(
            lines(
                machine.in_terminal(
                    "list", "memories", "-s", samples, columns=width
                ).out
            )
        )
        for width in WIDTHS
    )

    heads = [shown.splitlines()[0].split() for shown in (narrow, middle, wide)]
    assert [len(head) for head in heads] == sorted(len(head) for head in heads)
    assert len(heads[0]) < len(heads[1])
    assert "Title" in heads[0]
    assert "Updated" in heads[1]
    assert all("Store" in head for head in heads)


def test_columns_that_a_store_has_nothing_for_make_room_for_others(
    machine: Machine, tmp_path: Path
) -> None:
    pages = tmp_path / "garden/memory"
    pages.mkdir(parents=True)
    (pages / "MEMORY.md").write_text("- [Soil](soil.md)\n", "utf-8")
    (pages / "soil.md").write_text("---\nname: soil\ntype: fact\n---\nLoam.\n", "utf-8")
    answer = machine.in_terminal("list", "memories", "-s", pages, columns=80)

    head = lines(answer.out)[0].split()
    assert head[:3] == ["Ref", "Type", "Title"]
    assert "Updated" in head
    assert not {"Imp", "Strength", "Stage"} & {*head}


def test_column_titles_are_highlighted_and_nothing_else_is_coloured(
    machine: Machine, samples: Path
) -> None:
    shown = machine.in_terminal("list", "memories", "-s", samples).out

    head, *_ = shown.splitlines()
    assert STYLE.search(head)
    assert "\x1b" not in STYLE.sub("", shown)


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_dumb_terminal_gets_lines(machine: Machine, samples: Path, term: str) -> None:
    shown = machine.in_terminal("list", "problems", "-s", samples, term=term).out

    piped = machine.run("list", "problems", "-s", samples).out
    assert shown.replace("\r\n", "\n").expandtabs() == piped.expandtabs()


def test_json_is_json_on_a_terminal_too(machine: Machine, samples: Path) -> None:
    command = ("list", "edges", "--json", "-s", samples)

    shown = machine.in_terminal(*command).out

    assert shown.replace("\r\n", "\n") == machine.run(*command).out


@pytest.mark.parametrize("columns", [10, 20, 40])
def test_a_narrow_terminal_still_shows_something(
    machine: Machine, samples: Path, columns: int
) -> None:
    machine.run("sync", "-s", samples)
    answer = machine.in_terminal("list", "memories", "-s", samples, columns=columns)

    assert answer.code == 0
    assert lines(answer.out)[0].startswith("Ref")


def test_an_empty_list_is_reported_on_stderr(machine: Machine, samples: Path) -> None:
    command = ("list", "episodes", "-s", samples / "code")

    shown = machine.in_terminal(*command)
    piped = machine.run(*command)

    assert (shown.code, lines(shown.out)) == (0, ["recollect: No episodes."])
    assert (piped.code, piped.out) == (0, "")
    assert piped.err == machine.run(*command, "--json").err
    assert lines(piped.err) == lines(shown.out)


def test_show_prints_the_whole_memory_without_empty_fields(
    machine: Machine, samples: Path
) -> None:
    rows = machine.run("list", "memories", "--json", "-s", samples).rows
    row = next(row for row in rows if row["type"] == "procedure" and row["links_out"])
    (whole,) = machine.run("show", row["ref"], "--json", "-s", samples).rows

    command = ("show", row["ref"], "-s", samples, "--now", NOW)
    shown = "\n".join(lines(machine.in_terminal(*command).out))
    piped = machine.run(*command).out

    assert shown != piped
    links = machine.run("links", row["ref"], "--json", "-s", samples).rows
    assert links
    for text in (shown, piped):
        for part in (whole["title"], whole["body"].strip(), *whole["steps"]):
            assert part in text
        assert all(link["title"] in text and link["ref"] in text for link in links)
        assert "None" not in text
        assert "False" not in text


def test_show_gives_people_ages_units_and_steps(
    machine: Machine, samples: Path
) -> None:
    rows = machine.run("list", "memories", "--json", "-s", samples).rows
    row = next(row for row in rows if row["type"] == "procedure")
    (whole,) = machine.run("show", row["ref"], "--json", "-s", samples).rows
    (at,) = (line for line in (row["created"],) if line.endswith("+00:00"))

    command = ("show", row["ref"], "-s", samples, "--now", at)
    shown = lines(machine.in_terminal(*command).out)
    facts = dict(
        line.split("  ", 1) for line in shown if line[:1].strip() and "  " in line
    )

    assert facts["created"].strip().endswith(" (now)")
    assert facts["importance"].strip() == f"{whole['importance']:.2f} of 1"
    assert f"  1. {whole['steps'][0]}" in shown
    assert at in machine.run(*command).out


@pytest.mark.parametrize(
    ("kind", "text"),
    [("conversations", "Title"), ("events", "Message"), ("problems", "What")],
)
def test_on_a_narrow_terminal_the_text_of_a_record_stays(
    machine: Machine, samples: Path, kind: str, text: str
) -> None:
    machine.run("sync", "-s", samples)
    answer = machine.in_terminal("list", kind, "-s", samples, columns=40)

    head = lines(answer.out)[0]
    assert text in head.split()
    assert cell_len(head) <= 40


def test_health_ends_with_counts_and_the_command_that_fixes(
    machine: Machine, samples: Path
) -> None:
    rows = machine.run("health", "--json", "-s", samples).rows
    *_, counts, safe, by_name, _ = lines(
        machine.in_terminal("health", "-s", samples, columns=200).out
    )
    errors = sum(row["severity"] == "error" for row in rows)

    assert counts.startswith(f"{errors} error{'' if errors == 1 else 's'}, ")
    assert counts.endswith(f", {sum(bool(row['fix']) for row in rows)} can be fixed:")
    assert safe.split()[:4] == ["recollect", "health", "--fix", "safe"]
    for command in (safe, by_name):
        dry = machine.run(*command.split()[1:], "--dry-run", "--json")
        assert dry.code == 0
        assert dry.rows[0]["steps"]


def test_health_names_the_store_and_the_id_of_each_problem(
    machine: Machine, samples: Path
) -> None:
    rows = machine.run("health", "--json", "-s", samples).rows
    names = {
        row["path"]: row["name"]
        for row in machine.run("stores", "--json", "-s", samples).rows
    }
    shown = lines(machine.in_terminal("health", "-s", samples).out)

    shorts = [row["id"].removeprefix("problem:")[:8] for row in rows]
    for row, short in zip(rows, shorts, strict=True):
        (at,) = (at for at, line in enumerate(shown) if line.startswith(f"  {short}"))
        above = [line for line in shown[:at] if line[:1] not in ("", " ")]
        assert above[-1] == names[row["store"]]
        codes = [line.split()[:2] for line in shown[:at] if line[1:2].strip()]
        assert [row["severity"], row["code"]] in codes
    done = machine.run("health", "--ignore", shorts[-1], "--json", "-s", samples)
    assert done.rows[0]["refs"] == [rows[-1]["id"]]


def test_memories_keep_the_date_that_they_are_sorted_by(
    machine: Machine, samples: Path
) -> None:
    shown = lines(machine.in_terminal("list", "-s", samples, columns=80).out)

    assert shown[0].split()[:5] == ["Ref", "Store", "Type", "Title", "Updated"]
    assert all(re.search(r" ~?20\d\d-\d\d-\d\d( |$)", row) for row in shown[1:])


def test_columns_are_no_wider_than_their_texts(machine: Machine, samples: Path) -> None:
    head, *rows = lines(
        machine.in_terminal("list", "edges", "-s", samples, columns=80).out
    )
    begin, end = head.index("Type"), head.index("To")
    types = [row[begin:end].rstrip() for row in map(cells, rows)]

    assert end - begin == max(map(len, types)) + 2


def test_the_column_by_which_a_list_is_sorted_stays(
    machine: Machine, samples: Path
) -> None:
    for kind, sort, title in (
        ("memories", "strength", "Strength"),
        ("memories", "links_in", "Links"),
        ("conversations", "tokens", "Tokens"),
    ):
        listed = ("list", kind, "--sort", sort, "-s", samples)
        head, *_ = lines(machine.in_terminal(*listed, columns=80).out)
        assert title in head.split()


def test_importance_in_words_and_in_numbers_is_one_order(
    machine: Machine, samples: Path
) -> None:
    listed = ("list", "--sort", "importance", "--json", "-s", samples)
    known: dict[str, Any] = {"high": 0.9, "medium": 0.5, "low": 0.1}
    values = [row["importance"] for row in machine.run(*listed).rows]

    numbers = [known.get(one, one) for one in values if one is not None]
    assert numbers == sorted(numbers, reverse=True)
    assert values[len(numbers) :] == [None] * (len(values) - len(numbers))
