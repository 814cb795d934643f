"""Strength and stage, computed by hand and by the plain formula."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.memories import (
    MICROS_PER_DAY,
    WEIGHTS,
    force,
    stage,
    strength,
    usage,
    vigour,
)

TODAY = 20_513 * MICROS_PER_DAY
CENTURY = 36_525 * MICROS_PER_DAY

days = st.integers(min_value=-CENTURY, max_value=2 * CENTURY)
memories = st.tuples(
    st.floats(min_value=0, max_value=1),
    st.integers(min_value=0, max_value=2**63 - 1),
    st.sampled_from([*WEIGHTS, "something else", None]),
    days,
)


def faded(importance: float, count: int, kind: str, days_ago: float) -> float:
    last = TODAY - round(days_ago * MICROS_PER_DAY)
    return strength(vigour(importance, count, kind, last), TODAY)


@pytest.mark.parametrize(
    ("importance", "count", "kind", "days_ago", "score", "word"),
    [
        (0.8, 0, "solution", 0, 0.48, "fading"),
        (0.5, 0, "general", 0, 0.20, "fading"),
        (1.0, 0, "procedure", 0, 0.70, "active"),
        (0.8, 5, "solution", 1, 2.4082, "active"),
        (0.8, 1, "fix", 23.1, 0.4001, "fading"),
        (0.1, 0, "fix", 0, 0.05, "dormant"),
        (1.0, 0, "fix", 0, 0.5, "active"),
        (0.4, 0, "workflow", 0, 0.2, "fading"),
        (0.0, 9, "decision", 0, 0.0, "archived"),
        (0.8, 0, "no such type", 0, 0.4, "fading"),
    ],
)
def test_strength_as_computed_by_hand(
    importance: float, count: int, kind: str, days_ago: float, score: float, word: str
) -> None:
    found = faded(importance, count, kind, days_ago)

    assert round(found, 4) == score
    assert stage(found) == word


@pytest.mark.parametrize(
    ("score", "word"),
    [
        (0.5, "active"),
        (math.nextafter(0.5, 0), "fading"),
        (0.2, "fading"),
        (math.nextafter(0.2, 0), "dormant"),
        (0.05, "dormant"),
        (math.nextafter(0.05, 0), "archived"),
        (0.0, "archived"),
    ],
)
def test_a_stage_begins_exactly_at_its_threshold(score: float, word: str) -> None:
    assert stage(score) == word


@given(st.integers(min_value=-7_000, max_value=80_000))
def test_a_memory_at_a_threshold_is_at_it_on_every_day(day: int) -> None:
    now = day * MICROS_PER_DAY

    assert stage(strength(vigour(0.5, 0, "general", now), now)) == "fading"
    assert stage(strength(vigour(1.0, 0, "fix", now), now)) == "active"
    assert stage(strength(vigour(0.1, 0, "fix", now), now)) == "dormant"


@given(memories, days)
def test_strength_is_the_plain_formula_at_any_time(
    memory: tuple[float, int, str | None, int], now: int
) -> None:
    importance, count, kind, last = memory
    used = math.log2(count + 1) if count else 0.5
    weight = WEIGHTS.get(kind or "", 1.0)
    plain = (
        importance * math.exp(-0.03 * (now - last) / MICROS_PER_DAY) * used * weight
        if now - last > -CENTURY // 10
        else None
    )

    found = strength(vigour(importance, count, kind, last), now)

    if plain is not None:
        assert found == pytest.approx(plain, rel=1e-9, abs=1e-9)
    else:
        assert found >= 0


@given(st.lists(memories, min_size=2, max_size=8), days, days)
def test_vigour_orders_memories_like_strength_on_every_day(
    some: list[tuple[float, int, str | None, int]], first: int, second: int
) -> None:
    ordered = sorted(vigour(*memory) for memory in some)

    for now in (first, second):
        scores = [strength(value, now) for value in ordered]
        assert all(weaker <= stronger for weaker, stronger in pairwise(scores))


@given(memories, days)
def test_a_memory_is_never_stronger_than_when_it_is_used(
    memory: tuple[float, int, str | None, int], now: int
) -> None:
    importance, count, kind, last = memory
    most = force(importance, count, kind)

    found = strength(vigour(importance, count, kind, last), now, most)

    assert found <= strength(vigour(importance, count, kind, now), now) + 1e-9
    if last <= now:
        assert found == strength(vigour(importance, count, kind, last), now)


def test_half_is_gone_after_twenty_three_days() -> None:
    whole, later = faded(1, 1, "fix", 0), faded(1, 1, "fix", 23.104906)

    assert later == pytest.approx(whole / 2, rel=1e-6)


def test_use_strengthens_and_disuse_halves() -> None:
    assert [usage(count) for count in (0, 1, 3, 7)] == [0.5, 1, 2, 3]


def test_a_time_far_ahead_of_the_clock_is_still_a_number() -> None:
    assert math.isfinite(faded(1, 1, "fix", -1_000_000))


@pytest.mark.parametrize(
    ("kind", "weight"),
    [
        ("procedure", 1.4),
        ("decision", 1.3),
        ("insight", 1.25),
        ("solution", 1.2),
        ("code_pattern", 1.1),
        ("configuration", 1.1),
        ("fix", 1.0),
        ("workflow", 1.0),
        ("problem", 0.9),
        ("error", 0.8),
        ("general", 0.8),
    ],
)
def test_each_of_the_eleven_types_has_its_weight(kind: str, weight: float) -> None:
    """A memory as important as can be that was used once, today: log2(1 + 1) is 1."""
    assert len(WEIGHTS) == 11
    assert faded(1.0, 1, kind, 0) == pytest.approx(weight)
