"""Notes, pages and instructions that checks complain about, beside what is fine."""

from collections.abc import Mapping
from pathlib import Path

from store.formats.instructions.format import FORMAT as INSTRUCTIONS
from store.formats.notes.format import DEPTH
from store.formats.notes.format import FORMAT as NOTES
from store.formats.notes.notes import LINE_LIMIT
from store.formats.pages.format import FORMAT as PAGES
from tests.store.answers import damages
from tests.store.answers.damages import (
    NOTE,
    Damage,
    appended,
    moved,
    removed,
    replaced,
    written,
)
from tests.store.formats.pages_stores import vault
from tests.store.formats.test_instructions import project
from tests.store.health.near_misses import Row, Table, at_once, folder, linked

INDEX = "MEMORY.md"


def _hidden(name: str) -> Row:
    """A name that is known, and one that is not."""
    return Row(name, folder(name), folder(f"{name}s"))


def _lines(count: int) -> Damage:
    return written(INDEX, "A line.\n" * count)


def _deep(folders: int) -> str:
    return "/".join("abcdefghijkl"[:folders])


def _rules(one: str, other: str) -> Damage:
    """Two notes that say what to do."""
    return at_once(
        appended("tabs.md", one.encode()), appended("zoe.md", other.encode())
    )


def _named(path: str) -> Damage:
    """A note that names a file of the store."""

    def damage(root: Path) -> None:
        appended("zoe.md", f"See `{root / path}`.\n".encode())(root)

    return damage


OF_NOTES: Mapping[str, Row] = {
    "consolidate-lock": _hidden(".consolidate-lock"),
    "contradiction": Row(
        "zoe.md",
        _rules("Always lint generated code.\n", "Never lint generated code.\n"),
        _rules("Always lint generated code.\n", "Never lint generated pages.\n"),
    ),
    "derived-file": Row(
        "graph.json", written("graph.json", "{}"), written("graph.js", "")
    ),
    "foreign-file": Row(".gits", folder(".gits"), folder(".git")),
    "index-over-limit": Row(INDEX, _lines(LINE_LIMIT + 1), _lines(LINE_LIMIT)),
    "link-leads-out": Row(
        f"{INDEX}:13",
        appended(INDEX, b"\n* [Zoe](../zoe.md)\n"),
        appended(INDEX, b"\n* [Zoe](deep/../zoe.md)\n"),
    ),
    "link-to-core": Row(
        INDEX,
        at_once(
            written("../graph/CORE.md", "# Core\n"), linked(INDEX, "../graph/CORE.md")
        ),
        at_once(written("CORE.md", "# Core\n"), linked(INDEX, "CORE.md")),
    ),
    "link-within": Row(
        "also",
        linked("also", "zoe.md"),
        at_once(written("zoe.txt", ""), linked("also", "zoe.txt")),
    ),
    "loop-outputs": _hidden(".task_outputs"),
    "loop-transcripts": _hidden(".transcripts"),
    "missing-file": Row("zoe.md", _named("gone.md"), _named("tabs.md")),
    "too-deep": Row(
        _deep(DEPTH + 1),
        written(f"{_deep(DEPTH + 1)}/a.md", "A.\n"),
        written(f"{_deep(DEPTH)}/a.md", "A.\n"),
    ),
}

LOST: Mapping[str, Row] = {
    "index-gone": Row(INDEX, removed(INDEX), written(INDEX, "Nothing.\n")),
    "memory-emptied": Row(
        "zoe.md", written("zoe.md", ""), written("zoe.md", NOTE.format("Zoe", "She"))
    ),
    "memory-gone": Row("zoe.md", removed("zoe.md"), moved("zoe.md", "deep/zoe.md")),
}

OF_PAGES: Mapping[str, Row] = {
    "hash-in-value": Row(
        "a.md:2",
        written("a.md", "---\ntitle: Number # 1\n---\n"),
        written("a.md", "---\ntitle: Number#1\n---\n"),
    ),
    "invalid-yaml": Row(
        "a.md:2",
        written("a.md", "---\ntitle: Letters: NYC\n---\n"),
        written("a.md", "---\ntitle: Letters:NYC\n---\n"),
    ),
    "link-leads-out": Row(
        "people/Zoe.md:5",
        appended("people/Zoe.md", b"\n[x](../../x.md)\n"),
        appended("people/Zoe.md", b"\n`[x](../../x.md)`\n"),
    ),
    "link-within": Row("also", linked("also", "people"), linked("also", "diagram.png")),
}

OF_INSTRUCTIONS: Mapping[str, Row] = {
    "import-not-loaded": Row(
        "CLAUDE.md",
        replaced("CLAUDE.md", "@docs/style.md", "@docs/gone.md"),
        replaced("CLAUDE.md", "@docs/style.md", "`@docs/gone.md`"),
    ),
    "instructions-cut": Row(
        "AGENTS.md",
        written("AGENTS.md", "Be kind\n" * 4_097),
        written("AGENTS.md", "Be kind\n" * 4_096),
    ),
    "link-leads-out": Row(
        "GEMINI.md", linked("GEMINI.md", "gone.md"), linked("GEMINI.md", "CLAUDE.md")
    ),
}


def _shop(root: Path) -> None:
    project(root)
    (root / ".git").mkdir()


OWN = ".claude/memory"
LIMITS = {"store.catalogue.full_check.VOLATILE": ()}

TABLES = {
    "notes": Table(NOTES, damages.notes, OF_NOTES, LIMITS, OWN),
    "lost": Table(NOTES, damages.notes, LOST, {}, OWN, is_seen_before=True),
    "pages": Table(PAGES, vault, OF_PAGES),
    "instructions": Table(INSTRUCTIONS, _shop, OF_INSTRUCTIONS),
}
