"""Messages as entries of a transcript: who speaks, and what stands between them."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from store.talk.said import Said, Written
from tui.browser.transcript.parts import marks_of, parts_of
from tui.faces.quantities import lasted
from widgets.reader.bodies import Body
from widgets.transcript.entry import Entry
from widgets.transcript.heads import blank, division, silence, speaker

QUIET = 5 * 60 * 1_000_000
"""Microseconds of silence from which on it is told."""

_MINUTE = 60_000_000
_DAY, _TIME, _SECOND = slice(0, 10), slice(11, 16), slice(11, 19)
"""Where the day and the time stand in an instant."""

_YOU, _AGENT = ("you", "marked"), ("agent", "heading")
_SPEAKERS = {
    "prompt": _YOU,
    "command": _YOU,
    "reply": _AGENT,
    "thinking": _AGENT,
    "tool_use": _AGENT,
    "tool_result": _AGENT,
}
"""Who speaks, and in which tone; nobody says what is of other kinds."""


class Known(Struct, frozen=True):
    """What is known of a conversation beside its messages."""

    cwd: str | None = None
    """The folder that paths begin at."""
    compacted: Mapping[int, str] = field(default_factory=dict[int, str])
    """How much was compacted, by the number of the message that says so."""
    written: Mapping[int, Sequence[Written]] = field(
        default_factory=dict[int, Sequence[Written]]
    )
    """The memories that messages wrote, by their lines."""
    forks: Mapping[int, str] = field(default_factory=dict[int, str])
    """From where branches were taken up, by the lines that begin them."""


class Teller:
    """Makes entries, one message after the other."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._spoke: tuple[str, str] | None = None
        self._micros: int | None = None
        self._day = ""
        self._is_first = True

    def tell(self, said: Said) -> Entry:
        """The entry of the message that comes next."""
        is_told = said.is_told or said.is_compaction
        parts = () if is_told else parts_of(said, self._known.cwd)
        parts += marks_of(self._known.written.get(said.line, ()))
        between = self._between(said)
        if parts:
            between += self._speaker(said, is_anew=bool(between))
        before = [blank(), *between] if between and not self._is_first else between
        self._is_first = self._is_first and not (parts or between)
        at = said.at or ""
        return Entry(said.number, parts, tuple(before), at[_SECOND], said.ref)

    def _between(self, said: Said) -> list[Body]:
        """What divides a message from the one before."""
        between: list[Body] = []
        quiet = (said.micros or 0) - (self._micros or said.micros or 0)
        if quiet >= QUIET:
            between.append(silence(lasted(round(quiet / _MINUTE) * 60)))
        day = (said.at or "")[_DAY]
        if day and day != self._day:
            between.append(division(day, "sorted"))
        if said.line in self._known.forks:
            told = f"taken up anew from {self._known.forks[said.line]}"
            between.append(division(told, "arrow"))
        if said.is_compaction:
            told = self._known.compacted.get(said.number, "")
            told = f"compacted: {told}" if told else "compacted"
            between.append(division(told, "warning"))
        self._day = day or self._day
        self._micros = max(said.micros or 0, self._micros or 0) or None
        return between

    def _speaker(self, said: Said, *, is_anew: bool) -> list[Body]:
        """Who speaks, where it is somebody else than before."""
        speaks = None if said.agent else _SPEAKERS.get(said.kind)
        if speaks is None or (speaks == self._spoke and not is_anew):
            return []
        self._spoke = speaks
        name, tone = speaks
        return [speaker(name, (said.at or "")[_TIME], tone)]
