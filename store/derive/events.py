"""Classify the events of a trace, and find the tasks and files that belong together."""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from msgspec import Struct

from store.text import regex

# The class of a trace event, by the rules of the kit that writes traces.
#
# The rules, in order: a class given in the line itself; an error, with its tool; what
# the text says; the tool that is called or answers; the kind of line; `other`. The text
# patterns run in time linear in the text; those that could not are split into two
# searches per line.

LONGEST = 64 * 1024
"""Characters of a text that are searched."""

OTHER = "other"
"""The class if nothing is known."""

CORRECTION = "user_correction"
"""The class of a user correcting the agent."""

_DENIED = regex(r"permission\s+denied|access\s+denied", re.IGNORECASE)
_CORRECTION = regex(
    r"\b(?:again|stop\s+doing|don'?t\s+(?:do|repeat)|you'?re\s+wrong|broken"
    r"|wrong\s+(?:again|once\s+more))\b|опять|ошибся|не\s+делай",
    re.IGNORECASE,
)
_RETRY = regex(r"retry|attempt\s+\d+|try\s+again", re.IGNORECASE)
_FAILURE = regex(r"error|denied|fail", re.IGNORECASE)
_WORKTREE, _CARGO, _WORKSPACE = (
    regex(word, re.IGNORECASE) for word in ("worktree", "cargo", "workspace")
)
_LINE = regex(r"[^\n]+")


def _worktree_fails(text: str) -> bool:
    """`worktree.*(error|denied|fail)` within one line."""
    for line in _lines_with(_WORKTREE, text):
        tree = _WORKTREE.search(line)
        if tree and _FAILURE.search(line, tree.end()):
            return True
    return False


def _is_about_a_workspace(text: str) -> bool:
    """`cargo.*workspace` or the reverse: both words on one line."""
    return any(_WORKSPACE.search(line) for line in _lines_with(_CARGO, text))


def _lines_with(word: re.Pattern[str], text: str) -> list[str]:
    if not word.search(text):
        return []
    return [line for line in _LINE.findall(text) if word.search(line)]


def _has(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(text) is not None


_SAID: tuple[tuple[str, tuple[str, ...], Callable[[str], bool]], ...] = (
    ("permission_denied", ("denied",), _has(_DENIED)),
    (
        CORRECTION,
        ("again", "stop", "don", "wrong", "broken", "опять", "ошибся", "делай"),
        _has(_CORRECTION),
    ),
    ("worktree_error", ("worktree",), _worktree_fails),
    ("cargo_workspace", ("cargo",), _is_about_a_workspace),
    ("retry_loop", ("try", "attempt"), _has(_RETRY)),
)
"""A class, words of which such a text contains one, and the test; first match wins."""


def said(text: str, *, corrections: bool = True) -> str | None:
    """The class indicated by a text; `corrections` are only looked for if set."""
    folded = text.lower() if text.isascii() else text.casefold()
    for name, words, proves in _SAID:
        wanted = corrections or name != CORRECTION
        if wanted and any(word in folded for word in words) and proves(text):
            return name
    return None


class Seen(Struct, frozen=True):
    """What determines the class of an event."""

    kind: str
    """The kind of its line."""
    tool: str | None = None
    """The tool that is called or answers."""
    is_error: bool = False
    """Whether it failed."""
    text: str | None = None
    """Its text."""
    own: str | None = None
    """The class given in the line itself."""


def classify(event: Seen, *, corrections: bool = True) -> str:
    """The class of an event; `corrections` are only looked for if set."""
    if event.own is not None:
        return event.own
    if event.is_error:
        return "tool_error" if event.tool is None else f"tool_error:{event.tool}"
    found = said(event.text, corrections=corrections) if event.text else None
    return found or _by_structure(event.kind, event.tool)


def _by_structure(kind: str, tool: str | None) -> str:
    if tool is None:
        return kind
    if kind in {"assistant", "tool_use"}:
        return f"tool_use:{tool}"
    return "tool_result" if kind == "user" else kind


# Texts that the kit's own analyzer silently drops.
#
# Known here so that its event count can be reproduced; we drop nothing.

_INVISIBLE = regex("[\u200b-\u200f\u202a-\u202e\u2060\ufeff]")

_OVERRIDES = regex(
    r"ignore\s+previous\s+instructions|you\s+are\s+now\b"
    r"|disregard\s+(?:all|prior|above)",
    re.IGNORECASE,
)
_SYSTEM = regex(r"^[^\S\n]*system\s*:", re.IGNORECASE | re.MULTILINE)
_BLOB = regex(r"^[A-Za-z0-9+/=]{1024,}$", re.MULTILINE)

_MARKS = (
    "<|im_start|>",
    "<|endoftext|>",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----",
)
_TOGETHER = (("bearer ", "://"), ("aws_secret",), ("api_key=", "://"))
_BEGINNINGS = ("ignore", "you", "disregard")


def is_refused(text: str) -> bool:
    """Whether the analyzer drops an event with this text."""
    if not text.isascii() and _INVISIBLE.search(text):
        return True
    lowered = text.lower()
    return (
        any(mark in text for mark in _MARKS)
        or any(all(word in lowered for word in words) for words in _TOGETHER)
        or (any(w in lowered for w in _BEGINNINGS) and _is(_OVERRIDES, text))
        or ("system" in lowered and _is(_SYSTEM, text))
        or _is(_BLOB, text)
    )


def _is(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None


# Event classes that recur within one session or across several.

OFTEN = 2
"""The number of occurrences from which a class counts as recurring."""


class Recurring(Struct):
    """How often a class occurred, and when first and last."""

    event_class: str
    session: str | None
    """The session; None if the count is of sessions."""
    count: int
    first: int | None = None
    last: int | None = None
    """In microseconds since 1970."""


class Recurrence:
    """Counts event classes per session."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Recurring] = {}

    def add(self, event_class: str, session: str, micros: int | None) -> None:
        """Count an event."""
        key = (event_class, session)
        one = self._found.setdefault(key, Recurring(event_class, session, 0))
        one.count += 1
        if micros is not None:
            one.first = micros if one.first is None else min(one.first, micros)
            one.last = micros if one.last is None else max(one.last, micros)

    def within_sessions(self) -> list[Recurring]:
        """Classes that occurred more than once in one session, most frequent first."""
        return _ordered(self._found.values())

    def across_sessions(self) -> list[Recurring]:
        """Classes that occurred in more than one session, by number of sessions."""
        across: dict[str, Recurring] = {}
        for one in self._found.values():
            whole = across.setdefault(
                one.event_class, Recurring(one.event_class, None, 0)
            )
            whole.count += 1
            whole.first = _extreme(min, whole.first, one.first)
            whole.last = _extreme(max, whole.last, one.last)
        return _ordered(across.values())


def _extreme(
    choose: Callable[..., int], one: int | None, other: int | None
) -> int | None:
    known = [value for value in (one, other) if value is not None]
    return choose(known) if known else None


def _ordered(found: Iterable[Recurring]) -> list[Recurring]:
    often = (one for one in found if one.count >= OFTEN)
    return sorted(often, key=lambda o: (-o.count, o.event_class, o.session or ""))


# Files touched together: in one session, within five minutes.

WINDOW = 300 * 1_000_000
"""The longest time between the two touches, in microseconds."""

RECENT = 10
"""How many of the most recent other files a touched file is paired with."""

_KEPT = 64


class Pair(Struct, frozen=True):
    """Two files, in order of name."""

    first: str
    second: str


class Coaccess:
    """Counts pairs as files are touched, in order of time within each session."""

    def __init__(self) -> None:
        self.counts: Counter[Pair] = Counter()
        self._recent: dict[str, dict[str, int]] = {}

    def touch(self, session: str, path: str, micros: int) -> None:
        """Count a touched file with the files touched just before."""
        recent = self._recent.setdefault(session, {})
        recent.pop(path, None)
        for other in self._others(recent, micros):
            self.counts[Pair(*sorted((path, other)))] += 1
        recent[path] = micros
        while len(recent) > _KEPT:
            del recent[next(iter(recent))]

    def _others(self, recent: dict[str, int], micros: int) -> list[str]:
        found = [p for p, at in reversed(recent.items()) if at >= micros - WINDOW]
        return found[:RECENT]


# Group the lines of a task journal by task.
#
# A stop ends the latest start of the same name. A background agent is reported twice
# under one identifier: when it is launched, with a duration near zero, and when it is
# done; the longer duration is the real one.

START, STOP, TASK = "start", "stop", "task"

FINISHED = "finished"
RUNNING = "running"
"""A start that has not ended yet."""
UNFINISHED = "unfinished"
"""A start followed by another of the same name before it ended."""
UNSTARTED = "unstarted"
"""A stop without a start."""


class Note(Struct, frozen=True):
    """The content of one line."""

    line: int
    kind: str
    name: str | None = None
    id: str | None = None
    duration: float | None = None
    notified: bool = False
    """Whether it comes from the completion notice, which knows the real duration."""


class Task(Struct):
    """A task, and the lines about it."""

    notes: list[Note]
    """In line order."""
    state: str

    @property
    def best(self) -> Note:
        """The line with the best duration."""
        return max(self.notes, key=_weight)


def put_together(notes: Iterable[Note]) -> list[Task]:
    """The tasks, in order of their first lines."""
    tasks: list[Task] = []
    started: dict[str | None, Task] = {}
    by_id: dict[str, Task] = {}
    for note in notes:
        known = by_id.get(note.id) if note.kind == TASK and note.id else None
        if known:
            known.notes.append(note)
        elif note.kind == STOP:
            _stop(tasks, started.get(note.name), note)
        else:
            task = Task([note], FINISHED)
            tasks.append(task)
            if note.kind == START:
                _start(started, task, note)
            elif note.id:
                by_id[note.id] = task
    return tasks


def _start(started: dict[str | None, Task], task: Task, note: Note) -> None:
    task.state = RUNNING
    before = started.get(note.name)
    if before and before.state == RUNNING:
        before.state = UNFINISHED
    started[note.name] = task


def _stop(tasks: list[Task], running: Task | None, note: Note) -> None:
    """End the latest started task; a second stop becomes a separate task."""
    if running is None:
        tasks.append(Task([note], UNSTARTED))
    elif running.state == RUNNING:
        running.notes.append(note)
        running.state = FINISHED
    else:
        tasks.append(Task([running.notes[0], note], FINISHED))


def _weight(note: Note) -> tuple[bool, bool, float]:
    return (note.kind != START, note.notified, note.duration or 0.0)
