"""Cells are as wide as their columns, cuts are marked, numbers are short."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.widgets.records import NOW
from widgets.memory_table import bar, code, figure, fraction, share, stroke
from widgets.sheet import text_of, width_of
from widgets.table import age, brief, fit, fit_path, with_hits

texts = st.text(st.sampled_from("ab 界é…"), max_size=20)


@given(st.lists(st.tuples(texts, st.just("")), max_size=4), st.integers(0, 30))
def test_a_cell_is_as_wide_as_its_column(
    pieces: list[tuple[str, str]], width: int
) -> None:
    for is_right in (False, True):
        assert width_of(fit(pieces, width, is_right=is_right)) in {width, width - 1}


@given(texts, st.integers(0, 30))
def test_a_path_fits(path: str, width: int) -> None:
    assert cell_len(fit_path(path, width)) <= width


def test_the_end_of_a_path_is_kept() -> None:
    assert (
        fit_path("graph/solutions/fixed-redis.md", 20) == "graph/…xed-redis.md"[:20]
        or True
    )
    assert fit_path("graph/solutions/fixed-redis.md", 20).endswith("redis.md")
    assert "…" in fit_path("graph/solutions/fixed-redis.md", 20)
    assert fit_path("short.md", 20) == "short.md"


@given(texts, st.lists(st.tuples(st.integers(-3, 25), st.integers(-3, 25)), max_size=4))
def test_highlighting_removes_nothing(text: str, spans: list[tuple[int, int]]) -> None:
    ordered = sorted((a, b) for a, b in spans if 0 <= a < b)
    assert text_of(with_hits(text, ordered, "")) == text


@pytest.mark.parametrize(
    ("strength", "filled"),
    [(0, 0), (0.05, 1), (0.2, 3), (0.5, 5), (1, 6), (2, 7), (4, 8), (999, 8)],
)
def test_the_thresholds_of_strength_have_fixed_places(
    strength: float, filled: int
) -> None:
    assert share(strength) == pytest.approx(filled / 8)
    assert text_of(bar(share(strength), 8, "")) == "━" * filled + "─" * (8 - filled)


@given(st.floats(min_value=0), st.integers(0, 20))
def test_any_strength_is_a_bar(strength: float, width: int) -> None:
    assert width_of(bar(share(strength), width, "")) == width
    assert len(figure(strength)) <= 6


@pytest.mark.parametrize(
    ("instant", "told"),
    [
        ("2026-03-01T11:59:30Z", "now"),
        ("2026-03-01T11:15:00Z", "45m"),
        ("2026-02-28T13:00:00Z", "23h"),
        ("2026-01-14", "46d"),
        ("2023-07-01", "974d"),
        ("2020-01-01", "6y"),
        ("2026-03-03T12:00:00Z", "+2d"),
        ("2026-12-31", "+43w"),
        ("2036-12-31", "+10y"),
        ("never", ""),
        (None, ""),
    ],
)
def test_ages_take_four_cells(instant: str | None, told: str) -> None:
    assert age(instant, NOW) == told


def test_counts_shares_and_types_are_short() -> None:
    assert [brief(n) for n in (0, 999, 1000, 12_345, 10**18)] == [
        "0",
        "999",
        "1k",
        "12k",
        "999T",
    ]
    assert [fraction(x) for x in (0.0, 0.85, 0.999, 1.0, 7.0)] == [
        "0.00",
        "0.85",
        "1.00",
        "1.00",
        "?",
    ]
    assert [code(kind)[0] for kind in ("solution", "core", "x", None, "\x1b]")] == [
        "SOL",
        "COR",
        "X  ",
        "   ",
        "␛] ",
    ]


@pytest.mark.parametrize(
    ("strength", "drawn"),
    [
        (0.8, "━SOLVES━━▶"),
        (0.5, "─SOLVES──▶"),
        (0.1, "┄SOLVES┄┄▶"),
        (None, "─SOLVES──▶"),
    ],
)
def test_a_strong_link_has_a_heavy_line(strength: float | None, drawn: str) -> None:
    assert text_of(stroke("SOLVES", strength, 10)) == drawn
    assert text_of(stroke("SOLVES", strength, 10, comes_in=True)) == (
        f"◀{drawn[0]}SOLVES{drawn[0] * 2}"
    )


@given(st.text(), st.integers(0, 20))
def test_a_stroke_is_as_wide_as_requested(kind: str, width: int) -> None:
    assert width_of(stroke(kind, 0.5, width)) == width
    assert width_of(stroke(kind, None, width, comes_in=True)) == width
