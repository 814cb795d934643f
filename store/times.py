"""Points in time as files write them: parsed, compared, written in the same style."""

import re
import time
from datetime import UTC, datetime, timedelta, timezone

from msgspec import Struct

from store.text import regex

# Times in any format found in stores: kept verbatim, compared as instants.
#
# These are ISO 8601 (`T` or a space, any fraction, `Z`, `+02:00`, `+0200`, a date
# alone), SQLite's `YYYY-MM-DD HH:MM:SS`, and epochs. Without a zone, a time is UTC. The
# unit of an epoch follows from its size: below 1e11 seconds, 1e14 milliseconds, 1e17
# microseconds, 1e20 nanoseconds; this is right for every time from 1973 to 5138. A text
# of digits is an epoch only from nine digits on, so that a year or a compact date is
# not mistaken for one.

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAIVE_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - subtracts from texts without a zone
_EARLIEST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)
_LATEST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)

_A_DAY = 86_400_000_000

_UNITS = ((1e11, 1_000_000, 1), (1e14, 1000, 1), (1e17, 1, 1), (1e20, 1, 1000))
"""The upper limit of each unit, with a factor and a divisor to microseconds."""

_LONGEST = 64
_LONGEST_NUMBER = 1e300
_SEPARATORS = frozenset({"T", " ", ""})
_NUMBER = regex(r"-?[0-9]{9,20}(\.[0-9]*)?")
_COMPACT = regex(r"[0-9]{8}(T.+)?")
_LOOSE_ZONE = regex(r" ?(?:[zZ]|UTC|GMT)$| (?=[+-][0-9:]{2,6}$)")
_ISO = regex(
    r"\d{4}-(\d\d-\d\d|W\d\d-\d)"
    r"(T\d\d(:\d\d(:\d\d([.,]\d+)?)?)?(Z|[+-]\d\d(:?\d\d)?)?)?",
    re.ASCII,
)


class Instant(Struct, frozen=True, eq=False, gc=False):
    """A point in time, and the text it was read from.

    Two are equal if they are the same instant, however they are written. Those that
    cannot be parsed sort first, by their text.
    """

    text: str
    """As written."""
    micros: int | None
    """Microseconds since 1970 in UTC; None if the text cannot be parsed."""

    @property
    def order(self) -> tuple[int, int, str]:
        """The sort key."""
        if self.micros is None:
            return (0, 0, self.text)
        return (1, self.micros, "")

    @property
    def iso(self) -> str:
        """As written if that is ISO 8601 or unreadable; otherwise in UTC."""
        if self.micros is None or _ISO.fullmatch(self.text):
            return self.text
        moment = _NAIVE_EPOCH + timedelta(microseconds=self.micros)
        if self.micros % 1_000_000 == 0:
            return moment.isoformat() + "Z"
        finest = "microseconds" if self.micros % 1000 else "milliseconds"
        return moment.isoformat(timespec=finest) + "Z"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instant) and self.order == other.order

    # msgspec has all six for each struct, so functools.total_ordering adds none

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: "Instant") -> bool:
        return self.order < other.order

    def __le__(self, other: "Instant") -> bool:
        return self.order <= other.order

    def __gt__(self, other: "Instant") -> bool:
        return self.order > other.order

    def __ge__(self, other: "Instant") -> bool:
        return self.order >= other.order

    def __hash__(self) -> int:
        return hash(self.order)


def parse(value: str | float) -> Instant:
    """Parse a time in any supported format; never raises."""
    if isinstance(value, str):
        return Instant(value, _of_text(value))
    return Instant(_spelt(value), _of_number(value))


def clock() -> int:
    """The present moment, in microseconds since 1970."""
    return time.time_ns() // 1000


def horizon() -> int:
    """A day from now: any later time is in the future in every time zone."""
    return clock() + _A_DAY


def shown_time(micros: int) -> str:
    """A time as shown in reports."""
    moment = datetime.fromtimestamp(micros // 1_000_000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def written_at(micros: int) -> str | None:
    """When a file was written, as records show it; None if out of range."""
    try:
        return shown_time(micros)
    except (OverflowError, OSError, ValueError):
        return None


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
    """An epoch in any unit as microseconds since 1970."""
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
    """A number as text; Python refuses to format integers of thousands of digits."""
    if isinstance(number, float) or abs(number) < _LONGEST_NUMBER:
        return repr(number)
    return hex(number)


# The current time, written in the style of a file.

_FORM = regex(
    r"\d{4}-\d\d-\d\d"
    r"(?:(?P<between>[T ])\d\d:\d\d:\d\d(?:(?P<point>[.,])(?P<fraction>\d{1,9}))?"
    r"(?P<zone> ?(?:[Zz]|[+-]\d\d(?::?\d\d)?))?)?",
    re.ASCII,
)
_DIGITS = 6


def moment_like(text: str | None, now: int, usual: str = "+00:00") -> str:
    """A time in microseconds since 1970, in the format and zone of another text.

    Without such a text: whole seconds in UTC, with `usual` as the zone.
    """
    form = _FORM.fullmatch(text.strip()) if text else None
    zone = (form["zone"] or "") if form else ""
    offset = _zone(zone.strip())
    if form is None or offset is None:
        whole = _EPOCH + timedelta(seconds=now // 1_000_000)
        return f"{whole:%Y-%m-%dT%H:%M:%S}{usual}"
    moment = (_EPOCH + timedelta(microseconds=now)).astimezone(offset)
    if form["between"] is None:
        return f"{moment:%Y-%m-%d}"
    written = f"{moment:%Y-%m-%d}{form['between']}{moment:%H:%M:%S}"
    digits = len(form["fraction"] or "")
    if digits:
        parts = f"{moment.microsecond:0{_DIGITS}d}"[:digits].ljust(digits, "0")
        written += form["point"] + parts
    return written + zone


def moment_of(now: int) -> datetime:
    """A time in microseconds since 1970 as a datetime in UTC."""
    return _EPOCH + timedelta(microseconds=now)


def _zone(text: str) -> timezone | None:
    """The zone of a text; UTC if it has none, None if it is invalid."""
    if text[:1] not in {"+", "-"}:
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[3:].replace(":", "") or 0)
    offset = timedelta(minutes=-minutes if text[0] == "-" else minutes)
    return timezone(offset) if abs(offset) < timedelta(days=1) else None
