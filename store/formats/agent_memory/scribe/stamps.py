"""The present moment, written as a memory's writer writes moments."""

import re
from datetime import UTC, datetime, timedelta, timezone

from store.findings import Json

_FORM = re.compile(
    r"\d{4}-\d\d-\d\d(?P<between>[T ])\d\d:\d\d:\d\d(?:\.(?P<fraction>\d{1,9}))?"
    r"(?P<zone>[Zz]|[+-]\d\d:?\d\d)?"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROS = 6


def instant_like(like: Json, now: int) -> str:
    """An instant in microseconds since 1970, with the zone and precision of another.

    Whole seconds in UTC, which is what the format shows, where there is none.
    """
    form = _FORM.fullmatch(like) if isinstance(like, str) else None
    zone = (form["zone"] if form else None) or ("" if form else "Z")
    moment = (_EPOCH + timedelta(microseconds=now)).astimezone(_zone(zone))
    text = f"{moment:%Y-%m-%dT%H:%M:%S}"
    digits = len(form["fraction"] or "") if form else 0
    if digits:
        text += f".{moment.microsecond:06d}"[: 1 + digits].ljust(1 + digits, "0")
    if form and form["between"] == " ":
        text = text.replace("T", " ")
    return text + zone


def _zone(text: str) -> timezone:
    """The zone of a text; UTC where it names none."""
    if text[:1] not in {"+", "-"}:
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    offset = timedelta(minutes=-minutes if text[0] == "-" else minutes)
    return timezone(offset) if abs(offset) < timedelta(days=1) else UTC
