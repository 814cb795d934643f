"""`recollect context`: what an agent is given when it starts in a folder."""

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import asdict

from store.agents import context_of, memory_folders, project_with
from store.context import (
    SESSION_BYTES,
    WINDOW,
    Part,
    Recalled,
    Surroundings,
    below_home,
    recall,
)
from store.errors import NoStoresError
from store.findings import Json
from store.machine import Machine
from tui.cli.session import Session, given_stores
from tui.output.cells import columns_of, write_rows
from tui.output.text import reported, write_json
from tui.terminal.streams import complain, is_for_a_person

_NO_MODEL = (
    "Matched by words alone; with a model, the agent chooses up to five from the whole "
    "catalogue, so others may come."
)


def run_context(arguments: argparse.Namespace, session: Session) -> None:
    """List what an agent is given, or what it would recall for a prompt."""
    machine = Machine.this()
    start = session.paths[0] if given_stores(arguments) else machine.here
    folder = Path(arguments.path or start).resolve()
    if not os.path.isdir(folder):  # noqa: PTH112  # Path.is_dir raises for odd paths
        raise NoStoresError(f"no such folder: {folder}")
    is_given = arguments.path or given_stores(arguments)
    found = session.store_at(folder) if is_given else None
    form = found.format.name if found else ""
    store = found.path if found and form in {"notes", "cognitive"} else None
    folder = project_with(store) if store and form == "notes" else folder
    has_notes = store is not None and form == "notes"
    at = Surroundings(folder, machine.home, store, machine.environment, has_notes)
    if arguments.prompt is not None:
        found = recall(arguments.prompt, memory_folders(at))
        nothing = (
            f"No memories for {folder}; to name a store: "
            "recollect context -s NAME --prompt TEXT (`recollect stores` lists them)."
        )
        _recall(found, session, machine.home, nothing)
        return
    parts = context_of(arguments.agent, at)
    if session.json:
        write_json([asdict(part) for part in parts])
        return
    all_tokens = sum(part.tokens for part in parts if part.is_loaded)
    rows = [_row(part, machine.home, all_tokens) for part in parts]
    if not rows:
        complain(f"{arguments.agent} finds nothing to read at its start in {folder}.")
        return
    if is_for_a_person():
        rows = _in_short(rows)
    write_rows(columns_of(rows, tells_store=False), rows, nothing="")
    if is_for_a_person():
        complain(_sum(parts))


def _in_short(rows: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """The rows without what is empty in all, and what a table has room for first."""
    order = ("role", "file", "tokens", "lines", "of limit", "note", "share", "when")
    names = sorted(rows[0], key=order.index)
    told = [name for name in names if any(row[name] for row in rows)]
    return [{name: row[name] for name in told} for row in rows]


def _row(part: Part, home: Path, all_tokens: int) -> dict[str, Json]:
    share = part.tokens / all_tokens if part.is_loaded else 0
    return {
        "role": part.role,
        "tokens": part.tokens,
        "lines": f"{part.loaded_lines}/{part.lines}",
        "note": part.note,
        "share": _bar(share),
        "of limit": "" if part.used is None else f"{part.used:.0%}",
        "file": below_home(part.path, home),
        "when": part.when,
    }


_CELLS = 8
"""How long a whole bar is."""


def _bar(share: float) -> str:
    """A share of a budget in percent, and drawn on a terminal."""
    full = min(round(share * _CELLS), _CELLS)
    bar = f"{'█' * full}{'░' * (_CELLS - full)} " if is_for_a_person() else ""
    return f"{bar}{share:.0%}" if share else ""


_NAMED = 3
"""The most conditions that the sum names."""


def _sum(parts: Sequence[Part]) -> str:
    loaded = [part for part in parts if part.is_loaded]
    tokens = sum(part.tokens for part in loaded)
    later = [part.when for part in parts if part.when != "always"]
    conditions = list(dict.fromkeys(later))
    total = f"About {tokens:,} tokens from {_counted(len(loaded), 'file')}"
    share = f"{tokens / WINDOW:.1%} of a context of {WINDOW:,}"
    more = ", …" if conditions[_NAMED:] else ""
    on_demand = f"; {_counted(len(later), 'part')} on a condition: "
    on_demand += ", ".join(conditions[:_NAMED]) + more
    on_demand = on_demand if later else ""
    if not loaded:
        return f"Nothing is read at every start{on_demand}."
    return f"{total}, {share}{on_demand}. Estimated: 4 bytes a token."


def _recall(
    found: Sequence[Recalled], session: Session, home: Path, nothing: str
) -> None:
    if session.json:
        write_json(reported([asdict(one) for one in found], nothing))
        return
    rows: list[dict[str, Json]] = [
        {
            "prompt": one.prompt,
            "recalled": "yes" if one.is_recalled else "near" if one.near else "no",
            "name": one.name,
            "note": one.note,
            "words": ", ".join(one.words),
            "lines": one.loaded_lines,
            "file": below_home(one.path, home),
        }
        for one in sorted(found, key=_rank)
    ]
    if all(one.prompt == 1 for one in found):
        for row in rows:
            del row["prompt"]
    others = ""
    near = [row for row in rows if row["recalled"] != "no" or row["words"]]
    if near and near != rows and is_for_a_person():
        others = f" Others with none of the words: {len(rows) - len(near)}."
        rows = near
    write_rows(columns_of(rows, tells_store=False), rows, nothing=nothing)
    if rows and is_for_a_person():
        size = sum(one.loaded_bytes for one in found)
        total = f"{size:,} of {SESSION_BYTES:,} bytes of a session."
        complain(f"{total}{others} {_NO_MODEL}")


def _rank(one: Recalled) -> tuple[int, bool, bool]:
    return one.prompt, not one.is_recalled, not one.near


def _counted(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"
