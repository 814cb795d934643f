"""A store in which every tenth memory is damaged, each in another way."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.stores import make_store
from tests.tui.cli.machine import Answer, Machine

MEMORIES = 200

Damage = Callable[[bytes], bytes]


def line(number: int, becomes: bytes) -> Damage:
    """Replace the line with this number, counting from 1."""

    def damage(content: bytes) -> bytes:
        lines = content.splitlines(keepends=True)
        lines[number - 1] = becomes + b"\n"
        return b"".join(lines)

    return damage


DAMAGES: dict[str, tuple[int | None, Damage]] = {
    "empty": (None, lambda _: b""),
    "cut off in its header": (1, lambda content: content[:90]),
    "binary": (None, lambda content: bytes(range(256)) + content),
    "filled with zeros": (None, lambda content: b"\0" * len(content)),
    "without a header": (None, lambda content: content.rpartition(b"---\n")[2]),
    "in Latin-1": (None, line(4, "title: caf\xe9".encode("latin-1"))),
    "in UTF-16": (None, lambda content: content.decode().encode("utf-16")),
    "with lone carriage returns": (None, lambda c: c.replace(b"\n", b"\r")),
    "an unfinished merge": (4, line(4, b"<<<<<<< HEAD")),
    "a quote that is never closed": (4, line(4, b"title: 'no end")),
    "a colon in its title": (4, line(4, b"title: fix: the pool")),
    "an escape sequence in its title": (4, line(4, b"title: \x1b]2;PWNED\x07")),
    "an anchor": (4, line(4, b"title: &a [*a]")),
    "a tag that runs something": (4, line(4, b"title: !!python/name:os.system x")),
    "too deep a value": (5, line(5, b"tags: " + b"[" * 5000 + b"]" * 5000)),
    "a tab for indentation": (10, line(11, b"\t- target: x")),
    "a key twice": (5, line(5, b"type: error")),
    "an impossible day": (8, line(8, b"created: 2026-02-31T10:00:00Z")),
    "an importance of seven": (6, line(6, b"importance: 7")),
    "no identifier": (None, line(2, b"# id: gone")),
}

USUAL = {"dangling-link", "one-sided-link", "future-time"}
"""Problems of healthy memories: others are damaged, and 2026 may not be over."""


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The store, and the damage of each file by path."""
    folder = tmp_path_factory.mktemp("damaged")
    make_store(folder, MEMORIES)
    paths = sorted(p for p in folder.rglob("*.md") if p.parent.name != "edges")
    done: dict[str, str] = {}
    for path, (name, (_, damage)) in zip(paths[::10], DAMAGES.items(), strict=True):
        path.write_bytes(damage(path.read_bytes()))
        done[str(path.relative_to(folder))] = name
    return folder, done


def listed(machine: Machine, kind: str, folder: Path) -> Answer:
    answer = machine.run("list", kind, "--json", "-s", folder)
    assert (answer.code, answer.err) == (0, "")
    return answer


def test_every_healthy_memory_is_listed_without_problems(
    machine: Machine, damaged: tuple[Path, dict[str, str]]
) -> None:
    folder, done = damaged
    rows = {row["path"]: row for row in listed(machine, "memories", folder).rows}

    healthy = {path: row for path, row in rows.items() if path not in done}
    assert len(healthy) == MEMORIES - len(DAMAGES)
    for row in healthy.values():
        assert row["title"][-1].isdigit()
        assert row["updated"].startswith("2026-")
        assert set(row["problems"]) <= USUAL


def test_every_damaged_memory_is_a_problem_with_its_path_and_line(
    machine: Machine, damaged: tuple[Path, dict[str, str]]
) -> None:
    folder, done = damaged
    problems = listed(machine, "problems", folder).rows

    for path, name in done.items():
        said = [row for row in problems if row["path"] == path and row["message"]]
        lines = {row["line"] for row in said if row["code"] != "dangling-link"}
        assert lines, f"nothing is said of the file that is {name}"
        assert DAMAGES[name][0] in lines, (name, said)


def test_readable_parts_of_a_damaged_memory_are_shown(
    machine: Machine, damaged: tuple[Path, dict[str, str]]
) -> None:
    folder, done = damaged
    rows = {row["path"]: row for row in listed(machine, "memories", folder).rows}

    shown = {
        name: machine.run("show", rows[path]["ref"], "--json", "-s", folder).rows[0]
        for path, name in done.items()
    }

    assert shown.keys() == DAMAGES.keys()
    for name in ("a colon in its title", "a quote that is never closed", "a key twice"):
        assert shown[name]["id"]
        assert len(shown[name]["body"]) > 500
    assert shown["in Latin-1"]["title"] == "café"
    assert shown["filled with zeros"]["body"] == ""
