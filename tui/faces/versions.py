"""Versions for people: what each change changed, one after the other."""

from collections.abc import Iterable, Iterator

from store.clean import clean
from store.records.version import Version
from tui.faces.instants import to_the_minute
from tui.faces.lines import Line

_STYLES = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}
_HEAD = 2
"""Lines of a diff that name the file."""


def lines_of(versions: Iterable[Version]) -> Iterator[Line]:
    """Every version with its difference."""
    for version in versions:
        yield Line(title_of(version), "bold")
        yield from diff_of(version)


def title_of(version: Version) -> str:
    """A version in one line: when, by what, in whose words."""
    told = [
        to_the_minute(version.at or "some time"),
        version.by,
        version.what,
        version.who or "",
        version.ref or "",
    ]
    return clean("  ".join(filter(None, told)))


def diff_of(version: Version) -> Iterator[Line]:
    """What it changed, a line each."""
    if version.diff is None:
        yield Line("What it changed is not known.", "dim")
        return
    lines = version.diff.removesuffix("\n").split("\n") if version.diff else []
    for number, line in enumerate(lines):
        style = "bold" if number < _HEAD else _STYLES.get(line[:1], "")
        yield Line(clean(line), style)
    if not lines:
        yield Line("Nothing differs.", "dim")
