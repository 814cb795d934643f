"""The sample stores with something hostile in every text."""

import json
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import cast

from store import demo
from tests.tui.browser.safety.texts import ALL, LINKS, SEQUENCES

NOW = datetime(2026, 3, 1, tzinfo=UTC)

HOSTILE_NAME = "w\x1b]2;PWNED\x1b\\[@click=app.quit]rk\u202e"
"""What a store's folder is called, and a file in it."""

_TITLED = re.compile(r"^((?:title|context|from_title|to_title): ).*$", re.MULTILINE)
_INDENTED = re.compile(r"^( +context: ).*$", re.MULTILINE)
_TAGS = re.compile(r"^tags: \[(.*)\]$", re.MULTILINE)
_NAMED = re.compile(r"^(#+ .*|- .*)$", re.MULTILINE)


class _Poison:
    """Returns one hostile text after another."""

    def __init__(self) -> None:
        self._texts: Iterator[str] = cycle(ALL)

    def next(self) -> str:
        return next(self._texts)

    def after(self, text: str) -> str:
        return f"{self.next()} {text} {self.next()}"


def write_poisoned(folder: Path) -> None:
    """Write the sample stores with every text hostile."""
    demo.write(folder, NOW)
    poison = _Poison()
    for path in sorted(folder.rglob("*")):
        match path.suffix:
            case ".md":
                _in_markdown(path, poison)
            case ".jsonl":
                _in_lines(path, poison)
            case ".json":
                path.write_text(_in_json(path.read_bytes(), poison), encoding="utf-8")
            case ".db" | ".sqlite":
                _in_tables(path, poison)
            case _:
                pass
    _name(folder)
    _keep_in_git(folder / "cognitive-memory")


def _in_markdown(path: Path, poison: _Poison) -> None:
    text = path.read_text(encoding="utf-8")
    if not text.startswith("---\n"):
        text = _NAMED.sub(lambda line: f"{line[0]} {poison.next()}", text)
        path.write_text(f"{text}\n{_body()}", encoding="utf-8", newline="")
        return
    head, _, body = text[4:].partition("\n---\n")
    for line in (_TITLED, _INDENTED):
        head = line.sub(lambda one: f"{one[1]}{quoted(poison.after('said'))}", head)
    head = _TAGS.sub(lambda one: f"tags: [{one[1]}, {quoted(poison.next())}]", head)
    head += f"\nodd: {quoted(poison.next())}"
    said = _body() if path.parent.name == "vault" else "\n\n".join(SEQUENCES)
    path.write_text(f"---\n{head}\n---\n{body}\n{said}", encoding="utf-8", newline="")


def _body() -> str:
    """Everything there is, so that any reader has all of it to show.

    A file with a NUL is no text, and its bytes are not shown.
    """
    shown = [text for text in ALL if "\0" not in text]
    plain = "\n\n".join([*shown, *LINKS])
    listed = "".join(f"- {text}\n" for text in SEQUENCES)
    table = "|a|b|\n|-|-|\n" + "".join(f"|{text}|x|\n" for text in SEQUENCES)
    code = "\n".join(shown)
    return f"# {SEQUENCES[0]} heading\n\n```\n{code}\n```\n{listed}\n{table}\n{plain}\n"


def _in_lines(path: Path, poison: _Poison) -> None:
    lines = path.read_bytes().splitlines()
    told = (f"{_in_json(line, poison)}\n" for line in lines)
    path.write_text("".join(told), encoding="utf-8")


def _in_json(raw: bytes, poison: _Poison) -> str:
    """Broken samples, or invalid JSON, stay unchanged."""
    try:
        return json.dumps(_poisoned(json.loads(raw), poison))
    except ValueError:
        return raw.decode()


_KEPT = frozenset(
    {"id", "type", "role", "uuid", "parentUuid", "sessionId", "timestamp", "status"}
)


def _poisoned(value: object, poison: _Poison, name: str = "") -> object:
    """The value with hostile texts; names and times stay."""
    match value:
        case dict():
            things = cast("dict[str, object]", value)
            return {key: _poisoned(one, poison, key) for key, one in things.items()}
        case list():
            several = cast("list[object]", value)
            return [_poisoned(one, poison, name) for one in several]
        case str() if name not in _KEPT and (" " in value or name in _WORDS):
            return poison.after(value)
        case _:
            return value


_WORDS = frozenset({"tags", "category", "title", "cwd", "gitBranch", "summary", "name"})


def _in_tables(path: Path, poison: _Poison) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.create_function("poisoned", 1, poison.after)
        for table, column in _COLUMNS:
            known = f"PRAGMA table_info({table})"
            if column in {row[1] for row in database.execute(known)}:
                database.execute(
                    f"UPDATE {table} SET {column} = poisoned({column}) "
                    f"WHERE {column} IS NOT NULL"
                )


_COLUMNS = (
    ("memory_transcript_entries", "content"),
    ("memory_transcript_entries", "cwd"),
    ("memory_conversations", "summary"),
    ("memory_documents", "title"),
    ("memory_documents", "content"),
    ("memory_documents", "category"),
    ("agents", "summary"),
    ("agents", "branch"),
    ("agents", "model"),
    ("agents", "worktree_path"),
    ("skill_invocations", "skill_name"),
    ("events", "message"),
    ("events", "tool"),
    ("events", "file_path"),
    ("events", "cwd"),
    ("patterns", "event_class"),
    ("backlog", "item"),
)


def _name(folder: Path) -> None:
    """Give a store and a file names that no user would choose."""
    (folder / "graphs" / "work").rename(folder / "graphs" / HOSTILE_NAME)
    notes = folder / "cognitive-memory" / "graph" / "insights"
    first = min(notes.glob("*.md"))
    first.rename(first.with_name(f"{HOSTILE_NAME}.md"))


def _keep_in_git(store: Path) -> None:
    """Commit a store with a hostile message, if git is available."""
    if shutil.which("git") is None:
        return
    said = " ".join(text for text in SEQUENCES if "\0" not in text)
    who = ["-c", f"user.name=z{SEQUENCES[0]}", "-c", "user.email=z@example"]
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", said]):
        subprocess.run(["git", "-C", store, *words], check=True, capture_output=True)


def quoted(text: str) -> str:
    """A text in YAML, without anything that YAML refuses."""
    return (
        '"'
        + "".join(
            one if " " <= one <= "~" and one not in '"\\' else f"\\U{ord(one):08x}"
            for one in text
        )
        + '"'
    )
