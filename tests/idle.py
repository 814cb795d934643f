"""Waits until a screen has nothing left to do, and no longer.

Textual's own tests sleep until the process is mostly idle, twice for each key: slow if
everything is done at once, and wrong if the machine is busy. Whether there is anything
left to do can be checked instead.
"""

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from textual import app, pilot, strip
from textual._context import active_app
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_PATIENCE = 5.0
"""Seconds after which something is taken for never ending; a busy machine is slow."""

_TURN = 0.001
"""Seconds between two looks at what threads and the clock do."""

_UNDRAWN = (
    "_layout_required",
    "_scroll_required",
    "_repaint_required",
    "_recompose_required",
    "_dirty_widgets",
    "_callbacks",
)
"""What a screen has still to draw, by the attributes that tell."""

_in_threads: set[asyncio.Future[Any]] = set()
"""What is being done in threads, and awaited."""


async def wait_until_idle(*_bounds: float) -> None:
    """Wait until nothing is ready to run or awaited, and everything is drawn."""
    loop: Any = asyncio.get_running_loop()
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        await asyncio.sleep(0)
        if loop._ready:  # noqa: SLF001  # nothing public tells
            continue
        if _is_awaited(loop):
            await asyncio.sleep(_TURN)
        elif not _draw():
            return


async def _wait_for_screen(_pilot: pilot.Pilot[Any], *_bounds: float) -> bool:
    await wait_until_idle()
    return True


def _is_awaited(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether a thread is running, or a new size is about to be used."""
    shown: Any = active_app.get()
    return shown._resize_timer is not None or any(  # noqa: SLF001  # as above
        future.get_loop() is loop for future in _in_threads
    )


def _draw() -> bool:
    """Draw what a timer would soon draw; returns whether there was anything."""
    shown: Any = active_app.get()
    if not shown.screen_stack or shown._batch_count:  # noqa: SLF001  # as above
        return False
    *behind, screen = shown.screen_stack
    undrawn = [one for one in behind if one._dirty_widgets]  # noqa: SLF001  # as above
    if any(getattr(screen, name) for name in _UNDRAWN):
        undrawn.append(screen)
    for one in undrawn:
        one._on_timer_update()  # noqa: SLF001  # as the pilot does
    return bool(undrawn)


@contextmanager
def parsing_styles_once() -> Generator[None]:
    """Let all applications of a process share what they parse of the same styles.

    Parsing them again was an eighth of what a story in the browser takes.
    """
    private: Any = Stylesheet  # nothing public shares them
    parse = private._parse_rules  # noqa: SLF001  # as above
    parsed: dict[object, list[RuleSet]] = {}

    def shared(sheet: Any, css: str, **where: Any) -> list[RuleSet]:  # noqa: ANN401  # as Textual calls it
        colours = frozenset(sheet._variables.items())  # noqa: SLF001  # as above
        key = (css, *where.values(), colours)
        if key not in parsed:
            parsed[key] = parse(sheet, css, **where)
        return parsed[key]

    with patch.object(Stylesheet, "_parse_rules", shared):
        yield


@contextmanager
def drawing_with_plain_caches() -> Generator[None]:
    """Let strips keep what they computed in dictionaries, which are made faster.

    Each strip makes seven caches, and most are never used.
    """

    def cache(_size: int) -> dict[object, object]:
        return {}

    with patch.object(strip, "FIFOCache", cache):
        yield


@contextmanager
def waiting_for_work() -> Generator[None]:
    """Let Textual's pilots wait like this."""
    run = asyncio.BaseEventLoop.run_in_executor

    def noted(
        loop: asyncio.BaseEventLoop,
        executor: Any,  # noqa: ANN401  # as the loop takes it
        function: Callable[..., Any],
        *arguments: object,
    ) -> asyncio.Future[Any]:
        future = run(loop, executor, function, *arguments)
        _in_threads.add(future)
        future.add_done_callback(_in_threads.discard)
        return future

    with (
        patch.object(asyncio.BaseEventLoop, "run_in_executor", noted),
        patch.object(app, "wait_for_idle", wait_until_idle),
        patch.object(pilot, "wait_for_idle", wait_until_idle),
        patch.object(pilot.Pilot, "_wait_for_screen", _wait_for_screen),
    ):
        yield
