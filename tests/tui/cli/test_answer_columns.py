"""Columns that depend on the data: of reports, of stores, of agents."""

import pytest

from store.findings import Json
from store.kinds.journals import Agent
from store.records.reports import StoreReport
from tui.output.cells import columns_of
from tui.output.columns import columns_for
from tui.output.tables import write_table
from tui.output.text import as_object, compact, in_short, lasted

COUNTS = "memories edges episodes conversations messages events measures problems"


def agent(**columns: Json) -> Agent:
    return Agent(ref="agent:a1", store="/kiln", path="ledger.sqlite", columns=columns)


def store(**counts: int) -> StoreReport:
    nothing = dict.fromkeys(COUNTS.split(), 0)
    return StoreReport(
        path="/kiln",
        format="kei",
        name="kiln",
        bytes=5,
        writable=True,
        **(nothing | counts),
    )


def heads(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()[0].split()


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def test_a_table_of_stores_leaves_out_empty_columns(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stores = [store(events=3), store(events=4, measures=1)]

    write_table(columns_for("stores"), stores)

    assert heads(capsys) == ["Store", "Format", "Path", "Events", "Measures", "Size"]


def test_a_table_of_agents_leaves_out_columns_missing_in_their_ledger(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_table(columns_for("agents"), [agent(id="t1", status="done")])
    plain = heads(capsys)
    costly = agent(id="t1", cost_micro_cents=1_234_000_000, tokens_in=9, tokens_out=1)
    write_table(columns_for("agents"), [agent(id="t0"), costly])
    shown = capsys.readouterr().out

    assert not {"Model", "Cost", "Tokens"} & set(plain)
    assert {"Cost", "Tokens"} < set(shown.splitlines()[0].split())
    assert "$12.34" in shown


def test_a_column_of_a_ledger_never_hides_a_field() -> None:
    thing = as_object(agent(id="t1", path="/elsewhere", status="done"))

    assert list(thing.items()) == [
        ("ref", "agent:a1"),
        ("store", "/kiln"),
        ("path", "ledger.sqlite"),
        ("id", "t1"),
        ("columns.path", "/elsewhere"),
        ("status", "done"),
    ]


def test_columns_fit_their_content_and_numbers_are_aligned(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows: list[dict[str, Json]] = [
        {"store": "/kiln", "name": "blue", "cone": 6, "told": "word " * 50},
        {"store": "/kiln", "name": "celadon", "cone": 10},
    ]

    columns = columns_of(rows, tells_store=False)
    write_table(columns, rows)

    head, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith("Name     Cone  Told")
    assert lines[0].startswith("blue        6  word word")
    assert lines[1] == "celadon    10"
    assert lines[0].endswith("…")
    assert len(lines[0]) <= 200


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "0 s"),
        (0.25, "0.25 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (200, "3 min 20 s"),
        (3900, "1 h 5 min"),
        (90_000, "1 d 1 h"),
    ],
)
def test_durations_are_written_in_two_units(seconds: float, told: str) -> None:
    assert lasted(seconds) == told


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (999, "999"),
        (1000, "1.0k"),
        (9_960, "10k"),
        (999_600, "1.0M"),
        (35_000_000, "35M"),
    ],
)
def test_large_numbers_take_few_characters(count: int, told: str) -> None:
    assert compact(count) == told


def test_values_that_are_nested_too_deep_are_cut() -> None:
    value: Json = 1
    for _ in range(5000):
        value = {"a": [value]}

    assert in_short(value) == f"{'a=' * 10}…"
    assert in_short({"a": [1, {"b": None}]}) == "a=1, b="
