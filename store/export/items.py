"""What is told of a conversation: words, thoughts, calls, and what divides them."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from store.errors import RecollectError
from store.formats.port import Passage
from store.talk.apart import apart
from store.talk.calls import Call, call_of
from store.talk.said import Outcome, Said

Whole = Callable[[str], Passage]
"""Reads a message, named by its ref, from the file that it lies in."""

QUIET = 5 * 60 * 1_000_000
"""Microseconds of silence from which on it is told."""

_MINUTE = 60_000_000
_DAY, _TIME = slice(0, 10), slice(11, 16)
_ROLES = {"prompt": "you", "command": "you", "reply": "agent", "tool_use": "agent"}


class Words(Struct, frozen=True):
    """What somebody says."""

    speaker: str
    """`you` or `agent`."""
    at: str
    text: str


class Thought(Struct, frozen=True):
    """What an agent thought."""

    text: str


class Called(Struct, frozen=True):
    """The call of a tool, and what it answered as far as that is told."""

    name: str
    about: str
    has_failed: bool | None
    """Whether it failed; None where nobody knows."""
    answer: str
    is_cut: bool
    """Whether the answer is only the beginning of it."""
    call: Call | None = None
    """All of it, where that is to be told."""


class Note(Struct, frozen=True):
    """What a program put in."""

    kind: str
    text: str


class Divider(Struct, frozen=True):
    """What divides what comes before from what comes after."""

    text: str
    is_day: bool = False


Item = Words | Thought | Called | Note | Divider


class Items:
    """Tells message after message."""

    def __init__(self, whole: Whole | None) -> None:
        """`whole` reads what the catalogue left out; None leaves it out too."""
        self._whole = whole
        self._micros: int | None = None
        self._day = ""

    def of(self, messages: Iterable[Said]) -> Iterator[Item]:
        """What is told of messages, in order."""
        for said in messages:
            yield from self._between(said)
            if not (said.is_told or said.is_compaction):
                yield from self._message(said)

    def _between(self, said: Said) -> Iterator[Item]:
        quiet = (said.micros or 0) - (self._micros or said.micros or 0)
        if quiet >= QUIET:
            yield Divider(f"{round(quiet / _MINUTE)} min")
        day = (said.at or "")[_DAY]
        if day and day != self._day:
            yield Divider(day, is_day=True)
        if said.is_compaction:
            yield Divider("compacted")
        self._day = day or self._day
        self._micros = max(said.micros or 0, self._micros or 0) or None

    def _message(self, said: Said) -> Iterator[Item]:
        if said.agent is not None:
            if self._whole and said.text:
                yield Note(f"sub-agent, {said.kind}", said.text)
            return
        words, lines = apart(said.text, said.tools)
        if said.thoughts:
            yield Thought(said.thoughts)
        if words and said.kind in _ROLES:
            yield Words(_ROLES[said.kind], (said.at or "")[_TIME], words)
        elif words:
            yield Note(said.kind, words)
        if lines:
            yield from self._calls(said, lines)

    def _calls(self, said: Said, lines: Sequence[str]) -> Iterator[Item]:
        """The calls of a message, those whose line is known."""
        first = len(said.tools) - len(lines)
        parts = self._read(said.ref).parts if self._whole else ()
        for number, line in enumerate(lines, first):
            name = " ".join(said.tools[number].split()) or "tool"
            key = said.calls[number] if number < len(said.calls) else ""
            outcome = said.outcomes[number] if number < len(said.outcomes) else None
            call = None
            if self._whole and key:
                answer = self._read(outcome.ref).parts if outcome else ()
                call = call_of(parts, key, answer)
            about = line.removeprefix(name).removeprefix(": ")
            yield _called(name, about, outcome, call)

    def _read(self, ref: str) -> Passage:
        """A message whole; nothing where its file does not hold it any more."""
        try:
            return self._whole(ref) if self._whole else Passage()
        except RecollectError:
            return Passage()


def _called(
    name: str, about: str, outcome: Outcome | None, call: Call | None
) -> Called:
    return Called(
        name=name,
        about=about,
        has_failed=outcome.has_failed if outcome else None,
        answer=outcome.text if outcome else "",
        is_cut=bool(outcome and outcome.is_cut),
        call=call,
    )
