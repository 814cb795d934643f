"""What scribes of markdown stores share: moments, and files changed in memory."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.draft import FileStep
from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from store.errors import RefusedError
from store.files.beneath import Root
from store.files.markdown.bench import Bench
from store.files.markdown.saying import counted, listed, named, said
from store.files.moments import moment_like
from store.times import parse

NOON = parse("2026-03-01T12:00:00.123456Z").micros or 0


@pytest.mark.parametrize(
    ("like", "written"),
    [
        (None, "2026-03-01T12:00:00+00:00"),
        ("", "2026-03-01T12:00:00+00:00"),
        ("soon", "2026-03-01T12:00:00+00:00"),
        ("2025-12-06T16:25:58+00:00", "2026-03-01T12:00:00+00:00"),
        ("2025-12-06T16:25:58Z", "2026-03-01T12:00:00Z"),
        ("2025-12-06T16:25:58.1Z", "2026-03-01T12:00:00.1Z"),
        ("2025-12-06T16:25:58.123456789Z", "2026-03-01T12:00:00.123456000Z"),
        ("2025-12-06T16:25:58,123", "2026-03-01T12:00:00,123"),
        ("2025-12-06T16:25:58+05:30", "2026-03-01T17:30:00+05:30"),
        ("2025-12-06T16:25:58-0800", "2026-03-01T04:00:00-0800"),
        ("2025-12-06 16:25:58", "2026-03-01 12:00:00"),
        ("2025-12-06", "2026-03-01"),
        ("2025-12-06T16:25:58+99:99", "2026-03-01T12:00:00+00:00"),
    ],
)
def test_a_moment_is_written_in_the_form_of_another(
    like: str | None, written: str
) -> None:
    assert moment_like(like, NOON) == written


@given(
    st.datetimes(timezones=st.just(UTC)).filter(lambda moment: moment.year > 1970),
    st.sampled_from(
        ["2025-12-06T16:25:58.000001+02:00", "2025-01-01 01:01:01.123456Z"]
    ),
)
def test_a_moment_is_read_as_what_it_is(moment: datetime, like: str) -> None:
    micros = parse(moment.isoformat()).micros or 0

    assert parse(moment_like(like, micros)).micros == micros


def test_changes_are_said_as_people_say_them() -> None:
    assert said("pin", ["A\nb"]) == "pin “A b”"
    assert said("pin", ["A", "B"]) == "pin 2 memories"
    assert named("x" * 70) == f"“{'x' * 59}…”"
    assert counted(1, "note", "notes") == "1 note"
    assert counted(1234, "note", "notes") == "1,234 notes"
    assert listed(list("abcdefg")) == "a, b, c, d, e and 2 more"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "out").symlink_to("/etc/passwd")
    with Root(tmp_path) as root:
        yield Bench(root)


def steps(bench: Bench) -> list[tuple[str, bytes | None, bytes | None]]:
    return [(step.path, step.before, step.after) for step in bench.steps()]


def test_steps_come_in_an_order_that_leaves_too_much(bench: Bench) -> None:
    bench.remove("b")
    bench.derive("d", lambda raw: b"derived" if raw is None else raw)
    bench.write("a", b"A")
    bench.create("c", b"c")

    assert steps(bench) == [
        ("d", None, b"derived"),
        ("c", None, b"c"),
        ("a", b"a", b"A"),
        ("b", b"b", None),
    ]


def test_a_file_that_moves_takes_its_changes_along(bench: Bench) -> None:
    bench.write("a", b"A")
    bench.move("a", "c")
    bench.write("a", b"AA")

    assert bench.where("a") == "c"
    assert bench.read("a") == b"AA"
    assert steps(bench) == [("c", None, b"AA"), ("a", b"a", None)]


def test_a_file_that_moves_back_did_not_move(bench: Bench) -> None:
    bench.move("a", "c")
    bench.move("a", "a")

    assert steps(bench) == []
    assert bench.where("c") == "a"


def test_nothing_is_made_over_what_is_there(bench: Bench) -> None:
    for path in ("b", "link", "out"):
        with pytest.raises(NotPossibleError, match="already"):
            bench.create(path, b"")


def test_what_is_gone_or_a_link_is_told_apart(bench: Bench) -> None:
    with pytest.raises(ChangedOnDiskError, match="is not there"):
        bench.read("gone")
    with pytest.raises(NotPossibleError, match="is a link"):
        bench.remove("link")
    with pytest.raises(RefusedError, match="leads out"):
        bench.read("out")
    bench.remove("a")
    with pytest.raises(NotPossibleError, match="any more"):
        bench.read("a")


def test_what_cannot_be_derived_is_left(bench: Bench) -> None:
    assert not bench.derive("a", lambda _: None)
    assert steps(bench) == []


def test_a_derived_file_can_be_made_of_what_another_wrote(bench: Bench) -> None:
    bench.derive("a", lambda raw: (raw or b"") + b"!")

    (step,) = bench.steps()
    assert isinstance(step, FileStep)
    assert step.remake is not None
    assert step.remake(b"other") == b"other!"
