"""Folders of notes to change: one generated, one kept by hand."""

from pathlib import Path

from store.formats.notes.format import FORMAT
from tests.store.formats.changed_stores import Changed
from tests.store.formats.notes_stores import note, write

KEPT = """\
# What I know

## People
* [Zoe](zoe.md) – likes [tea](https://tea.example)

## Ways
Read [the tabs note](tabs.md#why) first.
* [Tabs](tabs.md): Tabs, not spaces
  * and more

| a | table |
"""
"""An index that somebody keeps by hand, with manners of their own."""

GENERATED = "- [Ant](a.md) — Digs, a lot\n- [Bee](b.md) — Buzzes\n"
"""An index that a program makes."""


def kept(root: Path) -> Path:
    """A store of Claude Code with a handwritten index."""
    write(root / "MEMORY.md", KEPT)
    write(
        root / "tabs.md",
        note(
            "name: Tabs\ndescription: Tabs, not spaces\nmetadata: \n"
            "  node_type: memory\n  type: feedback\n  originSessionId: 0e207608\n"
            "  modified: 2026-01-06T16:42:40.669Z\n",
            "Use tabs, see [[zoe]] and [her](./zoe.md).\n",
        ),
    )
    write(
        root / "zoe.md",
        note(
            "name: Zoe\ndescription: 'Who: Zoe'\nmetadata: \n  node_type: memory\n"
            "  type: user\n  modified: 2026-01-06T16:42:40.669Z\n",
            "She said [[tabs]], [[Tabs|so]] and `[[tabs]]`.\n",
        ),
    )
    write(root / "plain.md", "# Plain\n\nNothing but text, and [[TABS]].\n")
    return root


def generated(root: Path) -> Path:
    """A store of an agent loop with its generated index."""
    write(root / "b.md", note("name: Bee\ndescription: Buzzes\ntype: user\n"))
    write(root / "a.md", note("name: Ant\ndescription: Digs, a lot\ntype: project\n"))
    write(root / "MEMORY.md", GENERATED)
    return root


def opened(tmp_path: Path, root: Path) -> Changed:
    return Changed(root, FORMAT, tmp_path / "own")
