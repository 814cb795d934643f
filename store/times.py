"""Instants as they come in the wild: kept verbatim, compared as instants.

Read are ISO 8601 (`T` or a space, any fraction, `Z`, `+02:00`, `+0200`, a date alone),
SQLite's `YYYY-MM-DD HH:MM:SS`, and epochs. What names no zone is UTC. An epoch tells
its unit by its size: less than 1e11 are seconds, 1e14 milliseconds, 1e17 microseconds,
1e20 nanoseconds; that is right for every instant from 1973 to 5138. A text of digits
is an epoch from nine digits on, so that a year or a compact date is not taken for one.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import total_ordering

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAIVE_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - subtracts from texts without a zone
_EARLIEST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)
_LATEST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)

_UNITS = ((1e11, 1_000_000, 1), (1e14, 1000, 1), (1e17, 1, 1), (1e20, 1, 1000))
"""Below which size an epoch has which unit, as a factor and divisor to microseconds."""

_LONGEST = 64
_LONGEST_NUMBER = 1e300
_SEPARATORS = frozenset({"T", " ", ""})
_NUMBER = re.compile(r"-?[0-9]{9,20}(\.[0-9]*)?")
_COMPACT = re.compile(r"[0-9]{8}(T.+)?")
_LOOSE_ZONE = re.compile(r" ?(?:[zZ]|UTC|GMT)$| (?=[+-][0-9:]{2,6}$)")
_ISO = re.compile(
    r"\d{4}-(\d\d-\d\d|W\d\d-\d)"
    r"(T\d\d(:\d\d(:\d\d([.,]\d+)?)?)?(Z|[+-]\d\d(:?\d\d)?)?)?",
    re.ASCII,
)


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Instant:
    """A point in time and the text that it was read from.

    Two are equal when they are the same instant, however they are written. Those that
    tell no time come before all others, in order of their text.
    """

    text: str
    """As written."""
    micros: int | None
    """Microseconds since 1970 in UTC; None where the text tells no time."""

    @property
    def order(self) -> tuple[int, int, str]:
        """What to sort by."""
        if self.micros is None:
            return (0, 0, self.text)
        return (1, self.micros, "")

    @property
    def iso(self) -> str:
        """As written where that is ISO 8601, else in UTC; as written if unreadable."""
        if self.micros is None or _ISO.fullmatch(self.text):
            return self.text
        moment = _NAIVE_EPOCH + timedelta(microseconds=self.micros)
        if self.micros % 1_000_000 == 0:
            return moment.isoformat() + "Z"
        finest = "microseconds" if self.micros % 1000 else "milliseconds"
        return moment.isoformat(timespec=finest) + "Z"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instant) and self.order == other.order

    def __lt__(self, other: "Instant") -> bool:
        return self.order < other.order

    def __hash__(self) -> int:
        return hash(self.order)


def parse(value: str | float) -> Instant:
    """Read an instant in any of the forms that stores use; never raises."""
    if isinstance(value, str):
        return Instant(value, _of_text(value))
    return Instant(_spelt(value), _of_number(value))


def told_time(micros: int) -> str:
    """An instant as reports tell it."""
    moment = datetime.fromtimestamp(micros // 1_000_000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _of_text(text: str) -> int | None:
    if text[4:5] == "-" and text[10:11] in _SEPARATORS:
        micros = _of_iso(text)
        if micros is not None:
            return micros
    return _of_unusual_text(text) if len(text) <= _LONGEST else None


def _of_iso(text: str) -> int | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    since = moment - (_EPOCH if moment.tzinfo else _NAIVE_EPOCH)
    micros = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    return micros if _EARLIEST <= micros <= _LATEST else None


def _of_unusual_text(text: str) -> int | None:
    trimmed = text.strip()
    number = _NUMBER.fullmatch(trimmed)
    if number:
        return _of_number(float(trimmed) if number[1] else int(trimmed))
    if _COMPACT.fullmatch(trimmed):
        return _of_iso(trimmed)
    zoned = _LOOSE_ZONE.sub(lambda zone: "Z" if zone[0].strip() else "", trimmed)
    plain = zoned[:10] + zoned[10:11].upper() + zoned[11:]
    if plain == text or plain[4:5] != "-" or plain[10:11] not in _SEPARATORS:
        return None
    return _of_iso(plain)


def _of_number(number: float) -> int | None:
    """Microseconds since 1970 of an epoch in any unit."""
    if isinstance(number, bool):
        return None
    size = abs(number)
    for bound, factor, divisor in _UNITS:
        if size < bound:
            scaled = number * factor
            exact = isinstance(scaled, int)
            micros = scaled // divisor if exact else round(scaled / divisor)
            return micros if _EARLIEST <= micros <= _LATEST else None
    return None


def _spelt(number: float) -> str:
    """A number as text; Python refuses to write out integers of thousands of digits."""
    if isinstance(number, float) or abs(number) < _LONGEST_NUMBER:
        return repr(number)
    return hex(number)
