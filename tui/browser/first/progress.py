"""How far reading the stores is, in a few words."""

from tui.browser.first.counting import counted, grouped
from tui.browser.live.reading import Reading


def progress(reading: Reading) -> str:
    """What the status line tells of a reading; nothing where all is read."""
    if reading.failure:
        return reading.failure
    if reading.finished:
        return ""
    if not reading.total:
        return f"another recollect is reading · {counted(reading.done, 'files')} so far"
    return f"reading {grouped(reading.done)}/{counted(reading.total, 'files')}"
