"""Text that looks like markup, an action or a link does nothing when clicked."""

import base64
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.project import ROOT
from tests.tui.browser.safety.sent import sent
from tests.tui.browser.safety.walking import Step, Stores, walk

SIZE = (100, 30)
LABEL = 5
"""How wide the label of a link is."""

COPIED = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")

PLACES: dict[str, tuple[int, Sequence[Step]]] = {
    "list": (3 * LABEL, [["1"]]),
    "reader": (LABEL, [["/", "text:path:vault", "enter", "enter"], ["enter"], ["G"]]),
    "edges": (3 * LABEL, [["escape", "escape", "escape", "2"]]),
    **{
        f"view {view}": (3 * LABEL, [["escape", "escape", "escape", view]])
        for view in "34567890"
    },
    "calendar": (3 * LABEL, [["escape", "escape", "escape", "3", "h"]]),
    "transcript": (3 * LABEL, [["escape", "escape", "escape", "4", "enter", "a"]]),
    "links": (3 * LABEL, [["escape", "escape", "escape", "1", "l"]]),
    "facets": (3 * LABEL, [["escape", "escape", "escape", "1", "F"]]),
    "keys": (3 * LABEL, [["escape", "escape", "escape", "?"]]),
    "news": (3 * LABEL, [["escape", "escape", "g", "n"]]),
    "changes": (3 * LABEL, [["escape", "escape", "U"]]),
}
"""How many columns lie between two clicks, and the way there."""

TOP = 4
"""The first line below tabs, query and head."""


AT_ONCE = 5
"""So many lines are clicked on before it is looked what came of it."""


def clicks(apart: int) -> Iterator[Step]:
    """Clicks on each line, in many columns."""
    for top in range(TOP, SIZE[1] - 1, AT_ONCE):
        rows = range(top, min(top + AT_ONCE, SIZE[1] - 1))
        columns = range(3, SIZE[0], apart)
        yield ["bytes:" + "".join(click(at, row) for row in rows for at in columns)]


def click(column: int, row: int) -> str:
    """The bytes that a terminal sends for a click."""
    return f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"


@pytest.fixture
def opener(tmp_path: Path) -> Path:
    """A web browser that records whether it was started."""
    program = tmp_path / "opener"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/opened\n")
    program.chmod(0o755)
    return program


def test_clicks_open_nothing_outside(at_home: Stores, opener: Path) -> None:
    steps = [step for apart, way in PLACES.values() for step in (*way, *clicks(apart))]

    walked = walk(at_home, steps, "frugal", size=SIZE, BROWSER=str(opener))

    assert walked.code == 0
    copied: list[str] = []
    for step in walked.steps:
        text = step.decode()
        copied += COPIED.findall(text)
        assert sent(COPIED.sub("", text).encode()).acting == ()
    addresses = [base64.b64decode(one).decode() for one in copied]
    assert addresses
    assert all(one.isprintable() and " " not in one for one in addresses)
    assert not (opener.parent / "opened").exists()
    assert not (ROOT / "PWNED.svg").exists()
