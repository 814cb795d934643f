"""The present moment, written as a file writes moments."""

import re
from datetime import UTC, datetime, timedelta, timezone

_FORM = re.compile(
    r"\d{4}-\d\d-\d\d"
    r"(?:(?P<between>[T ])\d\d:\d\d:\d\d(?:(?P<point>[.,])(?P<fraction>\d{1,9}))?"
    r"(?P<zone> ?(?:[Zz]|[+-]\d\d(?::?\d\d)?))?)?",
    re.ASCII,
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS = 6


def moment_like(text: str | None, now: int, usual: str = "+00:00") -> str:
    """An instant in microseconds since 1970, in the form and the zone of another.

    Where there is none to go by: whole seconds in UTC, which is called as is `usual`.
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
    """The same as a moment in UTC."""
    return _EPOCH + timedelta(microseconds=now)


def _zone(text: str) -> timezone | None:
    """The zone of a text; UTC where it names none, None where there is no such zone."""
    if text[:1] not in {"+", "-"}:
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[3:].replace(":", "") or 0)
    offset = timedelta(minutes=-minutes if text[0] == "-" else minutes)
    return timezone(offset) if abs(offset) < timedelta(days=1) else None
