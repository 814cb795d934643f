"""Moments as transcripts tell them."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def spelt(micros: int) -> str:
    """A moment to the minute; of one that no calendar has, nothing."""
    try:
        return (_EPOCH + timedelta(microseconds=micros)).strftime("%Y-%m-%d %H:%M")
    except OverflowError:
        return ""
