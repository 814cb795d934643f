"""Walks through the browser in a terminal, and its output at every step."""

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.tui.terminal.terminal import Terminal, terminal

WALKED = "tests.tui.browser.safety.walked"

OBEYED = ".obeyed"
"""How the file beside the script is called that names the commands carried out."""

Step = Sequence[str]


@dataclass(frozen=True, slots=True)
class Stores:
    """Stores that were read, and the browser's own folders."""

    folder: Path
    catalogue: Path
    home: Path


@dataclass(frozen=True, slots=True)
class Walk:
    """The whole output: before, at each step, after; and the outcome."""

    before: bytes
    steps: list[bytes]
    after: bytes
    code: int
    obeyed: frozenset[str]
    """The commands that were carried out."""


def walk(
    stores: Stores,
    steps: Sequence[Step],
    *how: str,
    size: tuple[int, int] = (120, 36),
    **environment: str,
) -> Walk:
    """Take some steps, and quit."""
    with walking(stores, steps, *how, size=size, **environment) as opened:
        told = [opened.until(mark(number)) for number in range(len(steps))]
        code = opened.end()
        after = opened.shown[sum(map(len, told)) :]
        obeyed = json.loads(script_of(stores, how).with_suffix(OBEYED).read_text())
        return Walk(told[0], told[1:], after, code, frozenset(obeyed))


@contextmanager
def walking(
    stores: Stores,
    steps: Sequence[Step],
    *how: str,
    size: tuple[int, int] = (120, 36),
    **environment: str,
) -> Generator[Terminal]:
    """The browser during a walk."""
    script = script_of(stores, how)
    script.write_text(json.dumps(steps), encoding="utf-8")
    with terminal(
        WALKED,
        str(stores.folder),
        str(stores.catalogue),
        str(script),
        *how,
        home=stores.home,
        size=size,
        COLORTERM="truecolor",
        XDG_CONFIG_HOME=str(stores.home / "config"),
        XDG_CACHE_HOME=str(stores.home / "cache"),
        **environment,
    ) as opened:
        yield opened


def script_of(stores: Stores, how: Sequence[str]) -> Path:
    """The file with the steps."""
    return stores.home / f"{'-'.join(how)}.json"


def mark(number: int) -> str:
    """The mark of a finished step."""
    return f"\x1b[?9999;{number}$p"
