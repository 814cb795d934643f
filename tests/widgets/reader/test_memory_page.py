"""A memory as a page: its facts, its forecast, its text."""

import pytest

from tests.widgets.hostile import TEXTS, unfit
from tests.widgets.reader.texts import laid, said, targets
from tests.widgets.records import NOW, a_memory, in_full
from widgets.page import changes, curve, memory_page
from widgets.text import Look, Target

SHOWN = """\
● active ━━━━━━━━━╸ strength 2.86   importance ━━━━━─ 0.80   confidence 0.80
used 7×   seen 5h ago   created 48d ago 2026-01-12   updated 28d ago
next 120d ███▇▇▇▇▆▆▆▆▆▅▅▄▄▄▃▃▃▂▂▂▂   fading in 58d   dormant in 89d
⚠ one-sided
#redis #timeout
graph/solutions/fixed-redis-connection-timeouts-a9ec03.md
──────────────────────────────────────────────────────────────────────────────
In one line.

Before
☐ Redis runs

Steps
☐ 1. Stop the client
☐ 2. Set keepalive

After
☐ no timeouts

The body."""


def test_a_memory_is_laid_out() -> None:
    memory = a_memory(description="In one line.", problems=("one-sided",))
    full = in_full(
        memory,
        "The *body*.",
        steps=("Stop the client", "Set `keepalive`"),
        preconditions=("Redis runs",),
        postconditions=("no timeouts",),
    )

    assert "\n".join(said(memory_page(full, NOW), 78)) == SHOWN


def test_exact_times_are_shown_on_a_full_screen() -> None:
    lines = [
        line.text
        for line in memory_page(in_full(), NOW).lines(Look(78, is_zoomed=True))
    ]
    assert [line.rstrip() for line in lines[1:3]] == [
        "used 7×   seen 5h ago 2026-03-01 07:00   created 48d ago 2026-01-12 09:30",
        "updated 28d ago 2026-02-01 09:30",
    ]


def test_an_unchanged_memory_shows_no_change() -> None:
    memory = a_memory(updated=a_memory().created)

    assert "updated" not in "\n".join(said(memory_page(in_full(memory), NOW), 78))


def test_the_time_of_the_file_is_labelled_as_such() -> None:
    memory = a_memory(created=None, updated=None, modified="2026-02-01T09:30:00Z")

    lines = said(memory_page(in_full(memory), NOW), 78)

    assert "file modified 28d ago 2026-02-01" in lines[1]


def test_with_less_room_facts_are_stacked() -> None:
    shown = said(memory_page(in_full(), NOW), 30)

    assert shown[:3] == [
        "● active ━━━━━━━━━╸ 2.86",
        "importance ━━━━━─ 0.80",
        "confidence 0.80   used 7×",
    ]
    assert sum(" in " in one for one in shown) == 1
    assert "graph/sol…n-timeouts-a9ec03.md" in shown


def test_an_archived_memory_keeps_its_importance_for_later() -> None:
    memory = a_memory(archived=True, stage="archived", strength=0.0, importance=0.0)

    first, *_ = said(memory_page(in_full(memory), NOW), 78)

    assert first.startswith("· archived   importance comes back on restoring   conf")


def test_tags_link_to_other_records_with_them() -> None:
    lines = laid(memory_page(in_full(), NOW), 78)

    assert targets(lines) == [
        ("#redis", Target("tag", "redis")),
        ("#timeout", Target("tag", "timeout")),
    ]


@pytest.mark.parametrize(
    ("strength", "told"),
    [
        (2.86, [("fading", 58), ("dormant", 89), ("archived", 135)]),
        (0.3, [("dormant", 14), ("archived", 60)]),
        (0.01, []),
        (0.0, []),
        (float("inf"), []),
        (float("nan"), []),
    ],
)
def test_the_forecast_follows_from_the_strength(
    strength: float, told: list[tuple[str, int]]
) -> None:
    assert changes(strength) == told


def test_a_memory_that_does_not_fade_has_no_forecast() -> None:
    for memory in (
        a_memory(pinned=True, strength=999.0, stage="vault"),
        a_memory(strength=None, stage=None),
        a_memory(archived=True, stage=None, strength=None, importance="high"),
    ):
        shown = "\n".join(said(memory_page(in_full(memory), NOW), 78))
        assert "next 120d" not in shown
    assert "importance high" in shown
    assert "· archived" in shown


def test_hostile_fields_are_only_text() -> None:
    for text in TEXTS:
        memory = a_memory(
            title=text,
            description=text,
            tags=(text,),
            path=text,
            created=text,
            problems=(text,),
            stage=text or None,
            importance=text,
        )
        full = in_full(memory, text, steps=(text,), preconditions=(text,))
        lines = memory_page(full, NOW).lines(Look(60))
        first = [line.text for _, line in zip(range(200), lines, strict=False)]
        assert unfit(first) == set()


def test_a_full_screen_shows_what_would_keep_it_from_fading() -> None:
    memory = a_memory(
        strength=0.25, importance=0.5, access_count=0, type="fix", stored_strength=0.4
    )
    look = Look(78, is_zoomed=True)
    lines = [
        line.text.rstrip() for line in memory_page(in_full(memory), NOW).lines(look)
    ]

    drawn = "".join(run.text for run in curve(0.5))
    assert [one for one in lines if one.startswith(("if ", "stored"))] == [
        f"if recalled now {drawn} 0.50, dormant in 31d",
        f"if importance 1 {drawn} 0.50, dormant in 31d",
        "if pinned       ████████████████████████ never fades",
        "stored score 0.40",
    ]
