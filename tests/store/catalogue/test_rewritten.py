"""A rewritten transcript, however little changed, is read from the start."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.kinds.messages import Message
from tests.examples import examples
from tests.store.catalogue.stores import Shelf, write
from tests.store.formats.transcripts_stores import SESSION, SLUG, Line, at, dumped, user

SECRET, REDACTED = "sk-hush1234567", "sk-[REDACTED!]"
PLACES = {
    "transcript": f"projects/{SLUG}/{SESSION}.jsonl",
    "trace": f"kei/traces/{SESSION}.jsonl",
    "figures": "kei/time-metrics/sessions.jsonl",
}
BESIDE = "kei/time-metrics/tasks.jsonl"


def said(number: int, text: str) -> Line:
    line = user(number, text, timestamp=at(number), kind="session", id=text)
    return {**line, "duration_s": number, "ts": at(number)}


def lines(count: int, secret: str = SECRET) -> list[Line]:
    """A conversation in which a user pastes a key."""
    told = [said(number, f"Turn {number:04} of the kiln") for number in range(count)]
    told[count // 2] = said(count // 2, f"The key is {secret}, keep it.")
    return told


def rewrite_in_place(path: Path, raw: bytes) -> None:
    with path.open("r+b") as file:
        file.write(raw)
        file.truncate()


def replace(path: Path, raw: bytes) -> None:
    beside = path.with_name("beside.tmp")
    beside.write_bytes(raw)
    beside.replace(path)


def shelf_with(folder: Path, place: str, raw: bytes) -> tuple[Shelf, Path]:
    """A catalogue that has read a file."""
    beside: Line = {"kind": "task", "name": "fire", "duration_s": 1}
    write(folder, f"stores/{BESIDE}", dumped([beside]))
    path = write(folder, f"stores/{place}", raw)
    shelf = Shelf(folder / "cache/catalogue.db", folder / "stores")
    shelf.sync()
    return shelf, path


def everything(shelf: Shelf) -> object:
    opened = [shelf.show(each.ref) for each in shelf.conversations()]
    return shelf.everything(), opened, shelf.rows()


def is_as_fresh(shelf: Shelf, folder: Path) -> bool:
    fresh = Shelf(folder / "fresh.db", *shelf.places)
    fresh.sync()
    return everything(shelf) == everything(fresh)


WAYS = [rewrite_in_place, replace]
Way = Callable[[Path, bytes], None]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("more", [0, 3])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_redacted_text_is_gone(tmp_path: Path, place: str, more: int, way: Way) -> None:
    shelf, path = shelf_with(tmp_path, place, dumped(lines(150)))
    redacted = lines(150, REDACTED)
    redacted += [said(number, "And on.") for number in range(150, 150 + more)]

    way(path, dumped(redacted))
    shelf.sync()

    assert SECRET not in repr(everything(shelf))
    assert REDACTED in repr(everything(shelf))
    assert is_as_fresh(shelf, tmp_path)


def test_a_secret_is_gone_from_the_full_text_index(tmp_path: Path) -> None:
    shelf, path = shelf_with(tmp_path, PLACES["transcript"], dumped(lines(20)))

    rewrite_in_place(path, dumped(lines(20, REDACTED)))
    shelf.sync()

    with closing(sqlite3.connect(shelf.catalogue)) as connection:
        told = connection.execute("SELECT group_concat(term) FROM messages_vocabulary")
        assert "hush1234567" not in told.fetchone()[0]


@given(
    count=st.integers(3, 60),
    changed=st.integers(0, 59),
    more=st.integers(0, 2),
    how=st.tuples(st.sampled_from(list(PLACES.values())), st.sampled_from(WAYS)),
)
@examples(25)
def test_any_replaced_line_is_read_again(
    tmp_path_factory: pytest.TempPathFactory,
    count: int,
    changed: int,
    more: int,
    how: tuple[str, Way],
) -> None:
    folder, (place, way) = tmp_path_factory.mktemp("rewritten"), how
    shelf, path = shelf_with(folder, place, dumped(lines(count)))
    told = lines(count)
    told[changed % count] = said(changed % count, f"Turn {changed:04} of the keys")
    told += [said(number, "And on.") for number in range(count, count + more)]

    way(path, dumped(told))
    shelf.sync()

    assert is_as_fresh(shelf, folder)


def test_a_large_file_is_checked_throughout(tmp_path: Path) -> None:
    whole = [said(number, f"{number:05} {'glaze ' * 400}") for number in range(800)]
    shelf, path = shelf_with(tmp_path, PLACES["transcript"], dumped(whole))
    for number in range(100, 700):
        whole[number] = said(number, f"{number:05} {'cones ' * 400}")

    rewrite_in_place(path, dumped([*whole, said(800, "And on.")]))
    shelf.sync()

    assert not [one for one in shelf.messages() if one.text.startswith("00300 glaze")]


def test_a_secretly_rewritten_file_is_read_again_on_demand(tmp_path: Path) -> None:
    shelf, path = shelf_with(tmp_path, PLACES["transcript"], dumped(lines(20)))
    others = dumped([said(number, f"The key is {SECRET}.") for number in range(90, 93)])
    other = write(tmp_path, f"stores/projects/{SLUG}/other.jsonl", others)
    shelf.sync()
    before = path.stat()
    rewrite_in_place(path, dumped(lines(20, REDACTED)))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert shelf.sync().changed == 0

    for wrong in (other, tmp_path / "elsewhere"):
        shelf.sync(again=[wrong])
        assert f"{SLUG}/{SESSION}.jsonl" in {one.source for one in with_secret(shelf)}
    assert shelf.sync(again=[path]).changed == 1

    assert {one.source for one in with_secret(shelf)} == {f"{SLUG}/other.jsonl"}
    assert is_as_fresh(shelf, tmp_path)


@pytest.mark.parametrize("below", ["stores", f"stores/projects/{SLUG}", ""])
def test_a_folder_is_read_again_on_demand(tmp_path: Path, below: str) -> None:
    shelf, _ = shelf_with(tmp_path, PLACES["transcript"], dumped(lines(20)))
    before = everything(shelf)

    report = shelf.sync(again=[tmp_path / below])

    assert report.changed == (1 if SLUG in below else 2)
    assert everything(shelf) == before


def with_secret(shelf: Shelf) -> list[Message]:
    return [message for message in shelf.messages() if SECRET in message.text]
