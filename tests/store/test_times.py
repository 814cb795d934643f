"""Instants: every notation in stores, and everything that only looks like one."""

from datetime import UTC, datetime, timedelta, timezone
from operator import ne

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.times import Instant, parse

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SAMPLE = 1_777_573_630_000_000

moments = st.integers(4 * 365 * 86_400, 90_000_000_000).flatmap(
    lambda seconds: st.integers(0, 999_999).map(
        lambda micros: EPOCH + timedelta(seconds=seconds, microseconds=micros)
    )
)


def micros_of(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("written", "micros"),
    [
        ("2026-04-30T18:27:10Z", SAMPLE),
        ("2026-04-30T18:27:10.311Z", SAMPLE + 311_000),
        ("2026-04-30T18:27:10.979099Z", SAMPLE + 979_099),
        ("2026-04-30T18:27:10.979099999Z", SAMPLE + 979_099),
        ("2026-04-30T18:27:10+00:00", SAMPLE),
        ("2026-04-30T20:27:10+02:00", SAMPLE),
        ("2026-04-30T20:27:10+0200", SAMPLE),
        ("2026-04-30 20:27:10 +0200", SAMPLE),
        ("2026-04-30 18:27:10", SAMPLE),
        ("2026-04-30 18:27:10 UTC", SAMPLE),
        ("2026-04-30t18:27:10z", SAMPLE),
        ("2026-04-30T18:27:10", SAMPLE),
        (" 2026-04-30T18:27:10Z\n", SAMPLE),
        ("20260430T182710Z", SAMPLE),
        ("2026-04-30", 1_777_507_200_000_000),
        ("20260430", 1_777_507_200_000_000),
        (1_777_573_630, SAMPLE),
        ("1777573630", SAMPLE),
        ("1777573630.25", SAMPLE + 250_000),
        (1_777_573_630.25, SAMPLE + 250_000),
        (1_777_573_630_311, SAMPLE + 311_000),
        ("1777573630311", SAMPLE + 311_000),
        (1_777_573_630_311.125, SAMPLE + 311_125),
        (1_777_573_630_979_099, SAMPLE + 979_099),
        (1_777_573_630_979_099_999, SAMPLE + 979_099),
        ("1712011500000", 1_712_011_500_000_000),
        (0, 0),
    ],
)
def test_every_notation_gives_its_instant(written: str | float, micros: int) -> None:
    assert parse(written).micros == micros


@pytest.mark.parametrize(
    "written",
    [
        "",
        "never",
        "2025-99-99",
        "2026-02-30T00:00:00Z",
        "0000-01-01",
        "2026-04-30T18:27:10+99:99",
        "9999-12-31T23:59:59-23:59",
        "0001-01-01T00:00:00+02:00",
        "99999-01-01T00:00:00Z",
        "\uff12\uff10\uff12\uff16-04-30",
        "\u0662\u0660\u0662\u0666\u0660\u0664\u0663\u0660\u0661\u0662",
        "2026-04-30é18:27:10",
        "[trimmed for fixture]",
        "2026",
        "9" * 5000,
        float("nan"),
        float("inf"),
        float("-inf"),
        -9e13,
        True,
    ],
)
def test_text_without_a_time_is_kept_as_written(written: str | float) -> None:
    instant = parse(written)
    assert instant.micros is None
    assert instant.iso == instant.text
    if isinstance(written, str):
        assert instant.text == written


def test_huge_integers_have_no_time() -> None:
    assert parse(10**5000).micros is None
    assert parse(-(10**5000)).micros is None


@given(moments, st.integers(-23 * 60, 23 * 60))
def test_an_instant_is_the_same_in_any_notation(moment: datetime, offset: int) -> None:
    there = moment.astimezone(timezone(timedelta(minutes=offset)))
    naive = moment.replace(tzinfo=None)
    forms = [
        moment.isoformat(),
        moment.isoformat().replace("+00:00", "Z"),
        moment.isoformat().replace("+00:00", "z"),
        moment.strftime("%Y-%m-%dT%H:%M:%S.%f%z"),
        moment.isoformat(" "),
        there.isoformat(),
        there.isoformat(" "),
        naive.isoformat(),
        naive.isoformat(" "),
        naive.isoformat(" ", "microseconds") + "789 UTC",
    ]
    assert {parse(form).micros for form in forms} == {micros_of(moment)}


@given(moments)
def test_an_epoch_is_the_same_in_every_unit_and_as_text(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)
    micros = micros_of(moment)
    epochs = [micros // 1_000_000, micros // 1000, micros, micros * 1000]
    assert {parse(epoch).micros for epoch in epochs} == {micros}
    assert {parse(str(epoch)).micros for epoch in epochs} == {micros}
    assert {parse(float(epoch)).micros for epoch in epochs[:2]} == {micros}


@given(
    st.one_of(
        st.text(),
        st.text(st.characters(codec=None)),
        st.text("0123456789-:+.TZz W,/", max_size=40),
        st.integers(),
        st.integers(-(10**25), 10**25),
        st.floats(),
    )
)
def test_reading_never_fails_and_keeps_the_text(value: str | float) -> None:
    instant = parse(value)
    assert instant.text == (value if isinstance(value, str) else repr(value))
    assert parse(instant.iso) == instant


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2026-04-30T18:27:10.979099Z", "2026-04-30T18:27:10.979099Z"),
        ("2026-04-30T20:27:10+02:00", "2026-04-30T20:27:10+02:00"),
        ("2026-04-30", "2026-04-30"),
        ("2026-04-30 18:27:10", "2026-04-30T18:27:10Z"),
        ("2026-04-30 20:27:10.5+02:00", "2026-04-30T18:27:10.500Z"),
        ("20260430T182710Z", "2026-04-30T18:27:10Z"),
        (1_777_573_630, "2026-04-30T18:27:10Z"),
        (1_777_573_630_311.0, "2026-04-30T18:27:10.311Z"),
        (1_777_573_630_311_042, "2026-04-30T18:27:10.311042Z"),
    ],
)
def test_iso_is_the_writers_own_if_it_wrote_iso(written: str | float, iso: str) -> None:
    assert parse(written).iso == iso


def test_instants_compare_by_time_and_the_unreadable_come_first() -> None:
    here, there = parse("2026-04-30T18:27:10Z"), parse("2026-04-30T20:27:10+02:00")
    assert here == there
    assert ne(here, there) is False
    assert len({here, there}) == 1
    later, never = parse(1_777_573_631), parse("never")
    assert sorted([later, here, never, parse("")]) == [parse(""), never, here, later]
    assert parse("never") != parse("ever")
    assert never != "never"
    assert later > there >= here


def test_an_instant_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        setattr(parse("never"), "micros", 0)  # noqa: B010 - what a type checker forbids
    assert Instant("", None).micros is None
