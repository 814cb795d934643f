"""The changes of the campaigns: one of each kind that formats need."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing

from store.edits.draft import RowStep
from tests.store.edits.trial import Trial

Act = Callable[[Trial], object]
"""Does one thing with the store."""


def _counted(raw: bytes | None) -> bytes:
    """An index that counts, rebuilt from any state."""
    count = json.loads(raw or b'{"count": 0}')["count"]
    return b'{"count": %d}\n' % (count + 1)


def edit(trial: Trial) -> None:
    trial.apply(trial.step("a.md", (trial.raw("a.md") or b"") + b"one more line\n"))


def edit_locked(trial: Trial) -> None:
    after = (trial.raw("b.md") or b"") * 2
    trial.apply(trial.step("b.md", after), lock=".lock")


def tag(trial: Trial) -> None:
    paths = [path for path in ("a.md", "b.md", "notes/c.md") if trial.raw(path)]
    steps = [trial.step(path, b"tagged\n" + (trial.raw(path) or b"")) for path in paths]
    trial.apply(*steps)


def link(trial: Trial) -> None:
    """An edge file, both ends, and the index."""
    number = len(list(trial.root.glob("edges/*")))
    trial.apply(
        trial.step(f"edges/{number}.md", b"edge\n"),
        trial.step("a.md", (trial.raw("a.md") or b"") + b"- out\n"),
        trial.step("notes/c.md", (trial.raw("notes/c.md") or b"") + b"- in\r\n"),
        trial.step("_index.json", _counted(trial.raw("_index.json")), _counted),
    )


def pin(trial: Trial) -> None:
    """A copy in a new folder, the index, and the file removed; or back again."""
    here, there = "b.md", "vault/kept/b.md"
    if trial.raw(here) is None:
        here, there = there, here
    raw = trial.raw(here)
    if raw is None:
        return
    trial.apply(
        trial.step(there, raw),
        trial.step("_index.json", _counted(trial.raw("_index.json")), _counted),
        trial.step(here, None),
    )


def delete(trial: Trial) -> None:
    if trial.raw("notes/c.md") is not None:
        trial.apply(trial.step("notes/c.md", None))


def create(trial: Trial) -> None:
    number = len(list(trial.root.glob("new/*")))
    trial.apply(trial.step(f"new/{number}.md", b"new\n"))


def empty(trial: Trial) -> None:
    if trial.raw("a.md"):
        trial.apply(trial.step("a.md", b""))


def undo(trial: Trial) -> None:
    if any(not past.undone for past in trial.engine.past()):
        trial.engine.undo()


def redo(trial: Trial) -> None:
    if trial.engine.past() and trial.engine.past()[0].undone:
        trial.engine.redo()


def edit_linked(trial: Trial) -> None:
    """A file with two names is overwritten in place."""
    raw = trial.raw("twins/one.md") or b""
    trial.apply(trial.step("twins/one.md", raw[::-1] + b"and more\n"))


def edit_through_link(trial: Trial) -> None:
    """A link within the store is followed, and stays."""
    raw = trial.raw("way.md")
    if raw is not None:
        trial.apply(trial.step("way.md", b"by way of a link\n" + raw))


def add(trial: Trial) -> None:
    """A line appended; the others stay."""
    trial.apply(trial.adding("lines.jsonl", b'{"id":"new"}'), lock=".lock")


def add_to_open_line(trial: Trial) -> None:
    """A last line without a newline, and an append to another page."""
    trial.apply(trial.adding("open.jsonl", b'{"id":"new"}', b"x" * 5000))


def put_away(trial: Trial) -> None:
    """A line moved from one file to the end of another, and an index."""
    rest, _, line = (trial.raw("lines.jsonl") or b"\n").rstrip().rpartition(b"\n")
    trial.apply(
        trial.adding("open.jsonl", line),
        trial.step("lines.jsonl", rest + b"\n"),
        trial.step("_index.json", _counted(trial.raw("_index.json")), _counted),
    )


def add_elsewhere_too(trial: Trial) -> None:
    """Lines appended to two files, and a new file."""
    number = len(list(trial.root.glob("new/*")))
    trial.apply(
        trial.adding("lines.jsonl", b"{}"),
        trial.adding("open.jsonl", b"{}"),
        trial.step(f"new/{number}.md", b"new\n"),
    )


def close(trial: Trial) -> None:
    """Nobody but the owner may use two files and a folder; one of them is written too.

    Where that is so already, others may read them again.
    """
    steps = [trial.moded(path, 0o077) for path in ("a.md", "lines.jsonl", "notes")]
    trial.apply(trial.step("a.md", b"mine\n" + (trial.raw("a.md") or b"")), *steps)


def row(trial: Trial) -> None:
    """One row changed, one inserted, and a note with them."""
    title, count = titles(trial)[0], len(titles(trial))
    change = RowStep(
        path="memory.db",
        table="memories",
        key={"id": 1},
        before={"title": title},
        after={"title": title + "!"},
    )
    made = RowStep(
        path="memory.db",
        table="memories",
        key={"id": count + 1},
        before=None,
        after={"title": "new"},
    )
    note = trial.step("a.md", b"of a row\n" + (trial.raw("a.md") or b""))
    trial.apply(note, change, made)


def titles(trial: Trial) -> list[str]:
    with closing(sqlite3.connect(trial.root / "memory.db")) as connection:
        found = connection.execute("SELECT title FROM memories ORDER BY id").fetchall()
        return [title for (title,) in found]


FILES_ONLY: dict[str, Act] = {
    "edit": edit,
    "edit locked": edit_locked,
    "tag": tag,
    "link": link,
    "pin": pin,
    "delete": delete,
    "create": create,
    "empty": empty,
    "undo": undo,
    "redo": redo,
    "edit linked": edit_linked,
    "edit through a link": edit_through_link,
    "add": add,
    "add to an open line": add_to_open_line,
    "put away": put_away,
    "add elsewhere too": add_elsewhere_too,
    "close": close,
}

ALL: dict[str, Act] = {**FILES_ONLY, "row": row}


def furnish(trial: Trial) -> None:
    """Add what some of the acts need besides the plain files."""
    twins = trial.root / "twins"
    twins.mkdir()
    (twins / "one.md").write_bytes(b"twin\n" * 300)
    (twins / "two.md").hardlink_to(twins / "one.md")
    (trial.root / "way.md").symlink_to("notes/c.md")
    (trial.root / "a.md").chmod(0o640)
    (trial.root / "lines.jsonl").write_bytes(b'{"id":"old"}\n' * 3)
    (trial.root / "open.jsonl").write_bytes(b'{"id":"old"}\n{"id":"open"}')
    with closing(sqlite3.connect(trial.root / "memory.db")) as connection:
        connection.execute("CREATE TABLE memories (id INTEGER PRIMARY KEY, title TEXT)")
        connection.execute("INSERT INTO memories VALUES (1, 'first')")
        connection.commit()
