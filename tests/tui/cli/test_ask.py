"""`recollect ask`: the reports of stores."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from store.errors import UnreadableError
from store.findings import Json
from store.formats.port import Question
from tests.store.formats.sample import SampleFormat, SampleStore
from tests.tui.cli import promises
from tests.tui.cli.machine import Machine

ROWS: tuple[dict[str, Json], ...] = (
    {"glaze": "blue\tsky", "cone": 6, "share": 0.3333333333, "of": ["a", {"b": 1}]},
    {"glaze": "\x1b[2Jred", "cone": None, "fired": True},
)


class Kiln(SampleStore):
    """A store with a report about glazes."""

    def ask(
        self, question: str, words: Sequence[str], now: int
    ) -> Iterator[Mapping[str, Json]]:
        """All glazes, or the named ones."""
        assert now > 0
        if question == "glazes":
            yield from (r for r in ROWS if not words or str(r["glaze"])[:4] in words)
        elif question == "count":
            yield {"number": len(ROWS)}


class KilnFormat(SampleFormat):
    """A format whose stores have reports."""

    name = "kiln"

    @property
    def questions(self) -> tuple[Question, ...]:
        return (
            Question("glazes", "every glaze that was fired", "[GLAZE…]"),
            Question("count", "how many there are"),
            Question("none", "nothing at all"),
        )

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

    assert [list(row) for row in rows] == [promises.QUESTION] * 3
    assert rows[0] == {
        "name": "glazes",
        "words": "[GLAZE…]",
        "help": "every glaze that was fired",
        "formats": ["kiln"],
        "stores": [str(folder / "east"), str(folder / "west/inner")],
    }
    piped = machine.run("ask", "-s", folder).out.splitlines()
    assert piped[1] == "count\thow many there are\t\tkiln\t2"


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
        assert (answer.code, answer.out, answer.err) == (0, "", "")


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
    assert "did you mean 'glazes'? (choose from glazes, count, none)" in answer.err


def test_stores_without_reports_say_so(machine: Machine, samples: Path) -> None:
    notes = samples / "code"
    listed = machine.run("ask", "-s", notes)
    asked = machine.run("ask", "glazes", "-s", notes)

    assert (listed.code, listed.out, listed.err) == (0, "", "")
    assert (asked.code, asked.out) == (2, "")
    assert "these stores have no reports" in asked.err
