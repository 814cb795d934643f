"""Shared by Markdown formats: times, and files changed in memory."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import FileStep
from store.errors import NotPossibleError, RefusedError
from store.files.beneath import Root
from store.formats.markdown import PendingFiles, counted, listed, named, said
from store.times import moment_like, parse

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
def test_a_time_is_written_in_the_form_of_another(
    like: str | None, written: str
) -> None:
    assert moment_like(like, NOON) == written


@given(
    st.datetimes(timezones=st.just(UTC)).filter(lambda moment: moment.year > 1970),
    st.sampled_from(
        ["2025-12-06T16:25:58.000001+02:00", "2025-01-01 01:01:01.123456Z"]
    ),
)
def test_a_written_time_is_read_as_the_same_instant(
    moment: datetime, like: str
) -> None:
    micros = parse(moment.isoformat()).micros or 0

    assert parse(moment_like(like, micros)).micros == micros


def test_changes_are_described_as_people_describe_them() -> None:
    assert said("pin", ["A\nb"]) == "pin “A b”"
    assert said("pin", ["A", "B"]) == "pin 2 memories"
    assert named("x" * 70) == f"“{'x' * 59}…”"
    assert counted(1, "note", "notes") == "1 note"
    assert counted(1234, "note", "notes") == "1,234 notes"
    assert listed(list("abcdefg")) == "a, b, c, d, e and 2 more"


@pytest.fixture
def files(tmp_path: Path) -> Iterator[PendingFiles]:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "out").symlink_to("/etc/passwd")
    with Root(tmp_path) as root:
        yield PendingFiles(root)


def steps(files: PendingFiles) -> list[tuple[str, bytes | None, bytes | None]]:
    return [(step.path, step.before, step.after) for step in files.steps()]


def test_a_crash_between_steps_leaves_too_much_rather_than_too_little(
    files: PendingFiles,
) -> None:
    files.remove("b")
    files.derive("d", lambda raw: b"derived" if raw is None else raw)
    files.write("a", b"A")
    files.create("c", b"c")

    assert steps(files) == [
        ("d", None, b"derived"),
        ("c", None, b"c"),
        ("a", b"a", b"A"),
        ("b", b"b", None),
    ]


def test_a_moved_file_keeps_its_pending_changes(files: PendingFiles) -> None:
    files.write("a", b"A")
    files.move("a", "c")
    files.write("a", b"AA")

    assert files.where("a") == "c"
    assert files.read("a") == b"AA"
    assert steps(files) == [("c", None, b"AA"), ("a", b"a", None)]


def test_a_file_moved_back_has_not_moved(files: PendingFiles) -> None:
    files.move("a", "c")
    files.move("a", "a")

    assert steps(files) == []
    assert files.where("c") == "a"


def test_an_existing_file_is_not_overwritten(files: PendingFiles) -> None:
    for path in ("b", "link", "out"):
        with pytest.raises(NotPossibleError, match="already"):
            files.create(path, b"")


def test_missing_files_and_links_have_errors_of_their_own(files: PendingFiles) -> None:
    with pytest.raises(ChangedOnDiskError, match="does not exist"):
        files.read("gone")
    with pytest.raises(NotPossibleError, match="is a link"):
        files.remove("link")
    with pytest.raises(RefusedError, match=r"'out' points outside the store\."):
        files.read("out")
    files.remove("a")
    with pytest.raises(NotPossibleError, match=r"a no longer exists\."):
        files.read("a")


def test_a_file_that_cannot_be_derived_is_left_alone(files: PendingFiles) -> None:
    assert not files.derive("a", lambda _: None)
    assert steps(files) == []


def test_a_derived_file_can_be_based_on_what_another_program_wrote(
    files: PendingFiles,
) -> None:
    files.derive("a", lambda raw: (raw or b"") + b"!")

    (step,) = files.steps()
    assert isinstance(step, FileStep)
    assert step.remake is not None
    assert step.remake(b"other") == b"other!"
