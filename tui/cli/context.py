"""`recollect context`: what an agent is given when it starts in a folder."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import asdict

from store.context import Part, Recalled, Surroundings, below_home, context_of, recall
from store.errors import NoStoresError
from store.findings import Json
from store.machine import Machine
from tui.cli.session import Session
from tui.output.cells import columns_of, write_rows
from tui.output.text import write_json
from tui.terminal.streams import complain, is_for_a_person

_NO_MODEL = (
    "By words alone, as if no model were asked; with one, other memories may come."
)


def run_context(arguments: argparse.Namespace, session: Session) -> None:
    """List what an agent is given, or what it would recall for a prompt."""
    machine = Machine.this()
    folder = Path(arguments.path or machine.here).resolve()
    if not os.path.isdir(folder):  # noqa: PTH112  # Path.is_dir raises for odd paths
        raise NoStoresError(f"no such folder: {folder}")
    at = Surroundings(folder, machine.home)
    if arguments.prompt is not None:
        _recall(recall(arguments.prompt, at), session, machine.home)
        return
    parts = context_of(arguments.agent, at)
    if session.json:
        write_json([asdict(part) for part in parts])
        return
    rows = [_row(part, machine.home) for part in parts]
    nothing = f"{arguments.agent} is given nothing in {folder}."
    write_rows(columns_of(rows, tells_store=False), rows, nothing=nothing)
    if rows and is_for_a_person():
        complain(_sum(parts))


def _row(part: Part, home: Path) -> dict[str, Json]:
    return {
        "role": part.role,
        "tokens": part.tokens,
        "lines": f"{part.loaded_lines}/{part.lines}",
        "file": below_home(part.path, home),
        "when": part.when,
        "note": part.note,
    }


def _sum(parts: Sequence[Part]) -> str:
    loaded = [part for part in parts if part.is_loaded]
    tokens = sum(part.tokens for part in loaded)
    later = sum(part.when != "always" for part in parts)
    total = f"About {tokens:,} tokens from {_counted(len(loaded), 'file')}"
    return f"{total}; {_counted(later, 'rule')} on demand." if later else f"{total}."


def _recall(found: Sequence[Recalled], session: Session, home: Path) -> None:
    if session.json:
        write_json([asdict(one) for one in found])
        return
    rows: list[dict[str, Json]] = [
        {
            "recalled": "yes" if one.is_recalled else "no",
            "name": one.name,
            "words": ", ".join(one.words),
            "lines": one.loaded_lines,
            "note": one.note,
            "file": below_home(one.path, home),
        }
        for one in sorted(found, key=lambda one: not one.is_recalled)
    ]
    nothing = "This project has no memories."
    write_rows(columns_of(rows, tells_store=False), rows, nothing=nothing)
    if rows and is_for_a_person():
        complain(_NO_MODEL)


def _counted(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"
