"""Blame for people: a line of the file a line, and before it what made it."""

from collections.abc import Iterator

from store.clean import clean
from store.records.blame import Blame, Blamed
from tui.faces.columns.cells import short_ref
from tui.faces.instants import to_the_minute
from tui.faces.lines import Line

_REF = 8
_WHEN = len("2026-02-14 10:30")
_WHAT = 12

_SIGNS = {
    "call": "",
    "change": "changed here",
    "commit": "commit",
    "unknown": "origin unknown",
}
"""What made a line, in a word, where it is no tool that has a name."""

_STYLES = {"unknown": "dim"}


def lines_of(blame: Blame) -> Iterator[Line]:
    """Every line of the file, with what made it before the first of several."""
    digits = len(str(blame.lines[-1].last)) if blame.lines else 1
    for span in blame.lines:
        told = maker_of(span)
        for number, text in enumerate(span.text.split("\n"), span.first):
            yield Line(
                f"{told}  {number:>{digits}}) {clean(text)}",
                _STYLES.get(span.by, ""),
                folded=True,
            )


def maker_of(span: Blamed) -> str:
    """What made lines, as wide for all."""
    if span.by == "unknown":
        return _SIGNS[span.by].ljust(_REF + _WHEN + _WHAT + 2)
    ref = short_ref(span.ref or "") or (span.ref or "")[:_REF]
    what = clean(span.what or "") if span.by == "call" else _SIGNS.get(span.by, "")
    when = to_the_minute(span.at or "")
    return f"{clean(ref):{_REF}} {when:{_WHEN}} {what[:_WHAT]:{_WHAT}}"
