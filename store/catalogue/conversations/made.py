"""Rows of conversations, made from the rows of one source; pure, to be run apart."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from store.catalogue.conversations.addition import COLUMN, Part, number
from store.catalogue.conversations.gather import Talk, Times, by_gap, by_name
from store.catalogue.conversations.told import Told, together
from store.catalogue.refs import ref
from store.catalogue.rows.cells import Cell, Row, json_text
from store.catalogue.rows.transcripts import QUEUED
from store.findings import Rank

_ALL = (
    "ref key session source_file project cwd branch title first first_at last last_at "
    "entries messages prompts tools tool_errors unanswered status is_closed tokens "
    "models files_written compactions agent summary line fields"
)
COLUMNS = _ALL.split()

_TITLE = 120
"""Characters of a prompt that make a title."""

_SHORT = 8
"""Characters of an identifier that make a title where nothing else does."""


class Made(NamedTuple):
    """A conversation, ready to be written."""

    row: Row
    runs: list[tuple[int, int]]
    """The lines that it covers: first and last of each stretch."""


class Whole(NamedTuple):
    """All rows of a source; those of its messages need not be at hand all at once."""

    times: Times
    messages: Iterable[Row]
    sessions: Iterable[Row]
    writes: Sequence[Row]
    """Those of its files, in order of their lines."""


def conversations_of(place: bytes, path: str, whole: Whole, gap: int) -> list[Made]:
    """The conversations of a transcript, by the gap rule."""
    told = together(whole.sessions)
    talks = by_gap(whole.times, whole.messages, gap)
    lines = [number(line) or 0 for line, _, _ in whole.writes]
    made: list[Made] = []
    for position, talk in enumerate(talks):
        row = _row(talk.part, told, ref("conversation", place, path, talk.part.key))
        row["is_closed"] = position < len(talks) - 1
        row["files_written"] = json_text(_written(talk, whole.writes, lines))
        made.append(Made(tuple(row[name] for name in COLUMNS), talk.runs))
    return made


def listed_conversations(
    listed: Sequence[Mapping[str, Cell]], messages: Iterable[Row]
) -> list[Made]:
    """The conversations that a source lists, with what their messages add up to."""
    talks = by_name(messages)
    made: list[Made] = []
    for told in listed:
        talk = talks.get(told["key"]) or Talk(Part())
        row: dict[str, Cell] = {**_counted(talk.part), **told}
        row["title"] = row["title"] or _asked(talk.part) or row["key"]
        row["files_written"] = row["files_written"] or "[]"
        made.append(Made(tuple(row.get(name) for name in COLUMNS), talk.runs))
    return made


def without_repeated(messages: list[Row]) -> list[Row]:
    """Of prompts that only waited to be sent, those that stand nowhere else."""
    waiting = {id(row) for row in messages if _waited(row)}
    if not waiting:
        return messages
    prompts = [row for row in messages if row[COLUMN["kind"]] == "prompt"]
    sent = {_said(row) for row in prompts if id(row) not in waiting}
    return [r for r in messages if not (id(r) in waiting and _said(r) in sent)]


def _waited(row: Row) -> bool:
    return bool((number(row[COLUMN["flags"]]) or 0) & QUEUED)


def _said(row: Row) -> str:
    return str(row[COLUMN["text"]]).strip()


def _row(part: Part, told: Told, name: str) -> dict[str, Cell]:
    """What a conversation's row holds, by column."""
    first, last = part.first or (None, None), part.last or (None, None)
    session = part.session or told.session
    return {
        **_counted(part),
        "ref": name,
        "key": part.key,
        "session": session,
        "source_file": None,
        "project": _project(part.cwd),
        "cwd": part.cwd,
        "branch": part.branch,
        "title": _title(part, told) or (told.agent or session or part.key)[:_SHORT],
        "first": first[1],
        "first_at": first[0],
        "last": last[1],
        "last_at": last[0],
        "entries": part.entries,
        "status": None,
        "agent": told.agent,
        "summary": None,
        "line": None,
        "fields": "{}",
    }


def _counted(part: Part) -> dict[str, Cell]:
    """What the messages of a conversation add up to."""
    return {
        "messages": part.messages,
        "prompts": part.prompts,
        "tools": part.tools,
        "tool_errors": part.errors,
        "unanswered": part.unanswered,
        "tokens": " ".join(map(str, part.tokens)),
        "models": json_text(part.models),
        "compactions": part.compactions,
        "is_closed": True,
    }


def _title(part: Part, told: Told) -> str | None:
    """Its best name, by rule: given, else asked, else a nickname."""
    ranks = sorted(told.titles)
    if ranks and ranks[0] < Rank.ASKED:
        return told.titles[ranks[0]][1]
    return _asked(part) or (told.titles[ranks[0]][1] if ranks else None)


def _asked(part: Part) -> str | None:
    """The first line of the first thing that was asked, fit for a title."""
    lines = (line.strip() for line in (part.prompt or "").splitlines())
    line = next((line for line in lines if line), None)
    return line if line is None or len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"


def _project(cwd: str | None) -> str | None:
    """What the folder that it was held in is called."""
    return (PurePosixPath(cwd.replace("\\", "/")).name or cwd) if cwd else None


def _written(
    talk: Talk, writes: Sequence[Row], lines: Sequence[int]
) -> tuple[str, ...]:
    """The files that the messages of a conversation write, each once."""
    stretches = (
        writes[bisect_left(lines, first) : bisect_right(lines, last)]
        for first, last in talk.runs
    )
    return tuple({str(path): None for part in stretches for _, path, _ in part})
