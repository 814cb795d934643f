"""`recollect ask`: the reports of stores."""

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from math import inf
from pathlib import Path

import pytest
from msgspec.structs import replace

from store.errors import UnreadableError
from store.reports import AnyReport, Given, Parameter, Report, Row, Rows, answer
from tests.store.formats.sample import SampleFormat, SampleStore
from tests.tui.cli import promises
from tests.tui.cli.machine import Machine
from tui.output.cells import Column, with_bars, write_csv

STYLE = re.compile(r"\x1b\[[0-9;]*m|\r")
COLUMNS = "glaze cone share of fired"
ROWS: tuple[Row, ...] = (
    {
        "glaze": "blue\tsky",
        "cone": 6,
        "share": 0.3333333333,
        "of": ["a", {"b": 1}],
        "fired": None,
    },
    {"glaze": "\x1b[2Jred", "cone": None, "share": None, "of": None, "fired": True},
)


def cones(rows: Sequence[Row], _given: Given) -> Rows:
    """The cone of each glaze."""
    return ((row["glaze"], row["cone"]) for row in rows)


def glazes(rows: Sequence[Row], given: Given) -> Rows:
    """All glazes, or the named ones."""
    assert given.now > 0
    named = given.texts("glaze")
    found = (row for row in rows if not named or str(row["glaze"])[:4] in named)
    return (tuple(map(row.get, COLUMNS.split())) for row in found)


REPORTS: tuple[AnyReport, ...] = (
    Report[Sequence[Row]](
        "glazes",
        "every glaze that was fired",
        COLUMNS,
        glazes,
        (
            Parameter("glaze", is_repeatable=True),
            Parameter("kiln", choices=("gas", "wood"), is_named=True, usual="gas"),
        ),
    ),
    Report[Sequence[Row]](
        "count", "how many there are", "number", lambda rows, _: [(len(rows),)]
    ),
    Report[Sequence[Row]]("cones", "cones by glaze", "glaze cone", cones, plot="cone"),
    Report[Sequence[Row]]("none", "nothing at all", "number", lambda _, __: []),
)


class Kiln(SampleStore):
    """A store with a report about glazes."""

    def ask(self, report: str, words: Sequence[str], now: int) -> Iterator[Row]:
        """The rows of a report."""
        return answer(REPORTS, report, words, now, lambda: ROWS)


class KilnFormat(SampleFormat):
    """A format whose stores have reports."""

    name = "kiln"

    @property
    def reports(self) -> tuple[AnyReport, ...]:
        return REPORTS

    def open(self, path: Path) -> Kiln:
        """Open a store for reading, unless it is damaged."""
        if (path / "damaged").exists():
            raise UnreadableError("It is damaged.")
        return Kiln(path.name, self.stores[path])


@pytest.fixture
def folder(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two stores with reports, one of them in a subfolder."""
    paths = [machine.home / "kilns" / name for name in ("east", "west/inner")]
    for path in paths:
        path.mkdir(parents=True)
    kilns = KilnFormat({path: {} for path in paths})
    monkeypatch.setattr("tui.cli.session.FORMATS", (kilns,))
    return machine.home / "kilns"


def test_without_a_name_the_reports_are_listed(machine: Machine, folder: Path) -> None:
    rows = machine.run("ask", "--json", "-s", folder).rows

    assert [list(row) for row in rows] == [promises.QUESTION] * 6
    assert rows[0]["name"] == "statistics"
    assert rows[1] == {
        "name": "glazes",
        "words": "[GLAZE…] [kiln=gas|wood]",
        "help": "every glaze that was fired",
        "formats": ["kiln"],
        "stores": [str(folder / "east"), str(folder / "west/inner")],
        "parameters": [
            {
                "name": "glaze",
                "type": "text",
                "required": False,
                "repeatable": True,
                "choices": [],
                "usual": None,
            },
            {
                "name": "kiln",
                "type": "text",
                "required": False,
                "repeatable": False,
                "choices": ["gas", "wood"],
                "usual": "gas",
            },
        ],
        "columns": COLUMNS.split(),
    }
    piped = machine.run("ask", "-s", folder).out.splitlines()
    assert piped[2] == "count\thow many there are\t\tkiln\t2"


def test_an_answer_is_json_lines_each_with_its_store(
    machine: Machine, folder: Path
) -> None:
    answer = machine.run("ask", "glazes", "--json", "-s", folder)

    assert (answer.code, answer.err) == (0, "")
    assert answer.rows == [
        {"store": str(folder / name), **row}
        for name in ("east", "west/inner")
        for row in ROWS
    ]


def test_arguments_reach_the_store(machine: Machine, folder: Path) -> None:
    rows = machine.run("ask", "glazes", "blue", "grey", "--json", "-s", folder).rows

    assert [row["glaze"] for row in rows] == ["blue\tsky"] * 2


def test_a_pipe_gets_one_line_per_row_with_the_columns_of_the_first_rows(
    machine: Machine, folder: Path
) -> None:
    one = machine.run("ask", "glazes", "-s", folder / "east").out

    assert one.splitlines() == [
        'blue sky\t6\t0.3333333333\t["a",{"b":1}]\t',
        "␛[2Jred\t\t\t\ttrue",
    ]


def test_arguments_can_be_named(machine: Machine, folder: Path) -> None:
    east = folder / "east"
    named = machine.run("report", "glazes", "glaze=blue", "kiln:wood", "-s", east).out

    assert named == 'blue sky\t6\t0.3333333333\t["a",{"b":1}]\t\n'
    for words, sentence in (
        (("kiln=oil",), "Invalid kiln 'oil' (choose from gas, wood)."),
        (("klin=gas",), "Report `glazes` has no 'klin'; did you mean 'kiln'?"),
        (("kiln=gas", "kiln=gas"), "Report `glazes` takes kiln only once."),
    ):
        answer = machine.run("report", "glazes", *words, "-s", east)
        assert answer.code == 2
        assert sentence in answer.err


def test_csv_has_a_header_even_without_rows(machine: Machine, folder: Path) -> None:
    east = folder / "east"
    counted = machine.run("report", "count", "--csv", "-s", folder).out
    empty = machine.run("report", "none", "--csv", "-s", east).out
    glazes = machine.run("report", "glazes", "blue", "--csv", "-s", east).out

    lines = counted.splitlines()
    assert lines == ["store,number", f"{east},2", f"{folder}/west/inner,2"]
    assert empty.splitlines() == ["store,number"]
    assert (
        glazes.splitlines()[1]
        == f'{east},blue sky,6,0.3333333333,"[""a"",{{""b"":1}}]",'
    )


def test_csv_reads_back_with_its_line_feeds() -> None:
    row: Row = {"glaze": 'blue, "sky"\nat night', "cone": 6, "of": ["a\nb"]}
    with StringIO(newline="") as out:
        write_csv([row], ["glaze"], out)
        out.seek(0)
        read = list(csv.reader(out))

    assert read == [list(row), ['blue, "sky"\nat night', "6", '["a\\nb"]']]


def test_a_plot_is_drawn_beside_its_column(machine: Machine, folder: Path) -> None:
    plot = machine.run("report", "cones", "--plot", "-s", folder / "east").out

    assert [line.split() for line in plot.splitlines()] == [
        ["Glaze", "Cone"],
        ["blue", "sky", "6", "█" * 24],
        ["␛[2Jred"],
    ]


def test_a_pinned_row_sets_no_scale_for_the_bars_of_others() -> None:
    report = Report[Sequence[Row]]("pins", "", "n", lambda rows, _: rows, plot="n")
    rows: list[Row] = [{"n": 999.0}, {"n": 2.0}, {"n": 4.0}]
    column = Column("n", lambda _: "", 3)

    def lengths(clip: float) -> list[int]:
        _, bars = with_bars([column], rows, replace(report, clip=clip))
        return [len(bars.cell(row)) for row in rows]

    assert lengths(inf) == [24, 1, 1]
    assert lengths(999) == [24, 12, 24]


def test_the_store_is_shown_if_several_answer(machine: Machine, folder: Path) -> None:
    both = machine.run("ask", "count", "-s", folder).out

    assert both.splitlines() == [f"2\t{folder}/east", f"2\t{folder}/west/inner"]


def test_a_store_that_fails_is_reported_beside_the_answers(
    machine: Machine, folder: Path
) -> None:
    (folder / "east/damaged").touch()
    answer = machine.run("ask", "count", "--json", "-s", folder)

    assert (answer.code, answer.rows) == (
        0,
        [{"store": f"{folder}/west/inner", "number": 2}],
    )
    assert answer.err == f"recollect: {folder}/east can't answer: It is damaged.\n"

    alone = machine.run("ask", "count", "-s", folder / "east")
    assert (alone.code, alone.out) == (1, "")
    assert alone.err == "recollect: It is damaged.\n"


def test_an_answer_without_rows_succeeds_too(machine: Machine, folder: Path) -> None:
    for json in ([], ["--json"]):
        answer = machine.run("ask", "none", *json, "-s", folder)
        assert (answer.code, answer.out) == (0, "")
        assert answer.err == "recollect: No results.\n"


def test_reports_read_nothing_into_the_catalogue(
    machine: Machine, folder: Path
) -> None:
    machine.run("ask", "glazes", "-s", folder)

    assert machine.run("stores", "--no-sync", "-s", folder).code == 1


def test_an_unknown_report_suggests_the_nearest_one(
    machine: Machine, folder: Path
) -> None:
    answer = machine.run("ask", "glaze", "-s", folder)

    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "did you mean 'glazes'? `recollect report` lists all" in answer.err


def test_every_store_has_statistics(machine: Machine, samples: Path) -> None:
    notes = samples / "code"
    listed = [row["name"] for row in machine.run("ask", "--json", "-s", notes).rows]
    asked = machine.run("report", "statistics", "part=records", "--json", "-s", notes)

    answer = machine.run("report", "forecast", "foo=3", "-s", notes)
    assert (answer.code, "has no 'foo' (choose from days)" in answer.err) == (2, True)
    assert sorted(listed) == ["forecast", "gates", "statistics"]
    assert asked.rows[0]["name"] == "memories"
    assert asked.rows[0]["value"]


def test_people_see_reports_by_format_with_their_parameters(
    machine: Machine, samples: Path
) -> None:
    shown = machine.in_terminal("report", "-s", samples).out.replace("\r\n", "\n")

    text = STYLE.sub("", f"\n{shown}")
    assert text.index("\nevery store\n") < text.index("\nkei\n")
    assert "\n  retrospective SESSION" in text[text.index("\nkei\n") :]
    assert {
        row["name"] for row in machine.run("report", "--json", "-s", samples).rows
    } == set(re.findall(r"(?m)^  (\S+)", text))


def test_statistics_are_a_summary_in_a_terminal(
    machine: Machine, samples: Path
) -> None:
    command = ("report", "statistics", "-s", samples)
    stores = machine.run("stores", "-s", samples, "--json").rows
    shown = STYLE.sub("", machine.in_terminal(*command).out).splitlines()

    (head,) = (line for line in shown if line.startswith("Store "))
    rows = shown[shown.index(head) + 1 : shown.index(head) + 1 + len(stores)]
    end = head.index("Memories") + len("Memories")
    told = [int(row[:end].split()[-1]) for row in rows if row[end - 1 : end].isdigit()]
    assert told == [row["memories"] for row in stores if row["memories"]]
    assert any("One row for each store; " in line for line in shown)
    parts = machine.in_terminal("report", "statistics", "limits", "-s", samples).out
    assert "limits" in parts
    assert "shows more" not in parts


def test_statistics_count_what_lists_show(machine: Machine, samples: Path) -> None:
    asked = machine.run("report", "statistics", "records", "-s", samples, "--json").rows

    for kind in ("memories", "conversations", "messages", "events"):
        listed = machine.run("list", kind, "-s", samples, "--json").rows
        counts = [row["value"] for row in asked if row["name"] == kind]
        assert sum(counts) == len(listed)


def test_a_report_too_wide_for_a_terminal_is_explained_in_full(
    machine: Machine, samples: Path
) -> None:
    shown = STYLE.sub("", machine.in_terminal("report", "-s", samples).out)
    rows = machine.run("report", "--json", "-s", samples).rows

    words = " ".join(shown.split())
    assert all(" ".join(row["help"].split()) in words for row in rows)
    assert all(row["words"] in words for row in rows)


def test_a_mistyped_part_is_guessed(machine: Machine, samples: Path) -> None:
    answer = machine.run("report", "statistics", "typ", "-s", samples)

    assert answer.code == 2
    assert "Invalid part 'typ'; did you mean 'type'? (choose from records" in answer.err


def test_a_missing_parameter_is_named_as_it_is_passed(
    machine: Machine, samples: Path
) -> None:
    answer = machine.run("report", "retrospective", "-s", samples)

    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "recollect: Report `retrospective` needs a session: "
        "report retrospective SESSION\n"
    )
