"""The files that hold memories, with what is wrong in them on purpose."""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta

from store.demo.agent_memory.things import Thing, last, stamp
from store.demo.days import Days

File = tuple[str, datetime]
"""A file's text, and when it was last written."""

_TORN = 2
"""Which of the learnings was torn when the machine lost its power."""


def lines(things: list[Thing]) -> File:
    """One object a line, a line feed at the end of each."""
    return "".join(_line(thing.told) for thing in things), last(things)


def learnings(things: list[Thing]) -> File:
    """One of them cut short, and one told again under its old identifier."""
    texts = [_line(thing.told) for thing in things]
    texts.insert(_TORN, texts[_TORN][:90] + "\n")
    again = things[0].told | {
        "content": f"{things[0].told['content']} Tests have to open two connections.",
        "updated_at": stamp(last(things)),
    }
    return "".join([*texts, _line(again)]), last(things)


def tasks(things: list[Thing]) -> File:
    """The tasks; no line feed ends the last, as the format's rules have it."""
    text, changed = lines(things)
    return text.removesuffix("\n"), changed


def document(things: list[Thing]) -> File:
    """The file of version 1.0: one document, with a list for each kind."""
    whole: dict[str, object] = {
        name: [thing.told for thing in things if thing.list == name]
        for name in ("core_memories", "learnings", "tasks")
    }
    times = sorted(thing.told["created_at"] for thing in things)
    whole["metadata"] = {"created_at": times[0], "updated_at": stamp(last(things))}
    return json.dumps(whole, indent=2, ensure_ascii=False), last(things)


def backup(name: str, things: list[Thing], days: Days) -> dict[str, File]:
    """What a file was before its newest memory came."""
    moment = days.ago(62, "21:15")
    text, _ = lines(things)
    return {f".backup/{name}.backup.{moment:%Y%m%d_%H%M%S}": (text, moment)}


def archive(things: list[Thing]) -> str:
    """The file of the quarter in which they were put away."""
    moment = last(things) + timedelta(days=90)
    quarter = (moment.month + 2) // 3
    return f"archive/{moment.year}/learnings_{moment.year}_Q{quarter}.jsonl"


def _line(told: Mapping[str, object]) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n"
