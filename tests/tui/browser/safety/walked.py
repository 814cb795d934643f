"""The browser in a terminal, walked through automatically.

A mark in its output after every step separates the steps.
"""

import asyncio
import fcntl
import json
import os
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

from tui.terminal.streams import prepare

prepare(os.environ)

from store import clean as cleaning  # noqa: E402  # before others take it from there

UNCLEAN = "unclean"

_TURN = 0.001
"""Seconds between two looks at what still goes on."""


def _as_it_is(text: str, *, multiline: bool = False) -> str:
    """Replaces the cleaning of texts, to test the last layer alone."""
    del multiline
    return text


if UNCLEAN in sys.argv:
    cleaning.clean = _as_it_is

from textual import events  # noqa: E402  # the same
from textual._xterm_parser import XTermParser  # noqa: E402  # the same
from textual.dom import DOMNode  # noqa: E402  # the same
from textual.message import Message  # noqa: E402  # the same

from store.discover import beneath  # noqa: E402  # the same
from store.formats.register import FORMATS  # noqa: E402  # the same
from store.library import Library, Writing  # noqa: E402  # the same
from store.machine import Places  # noqa: E402  # the same
from store.settings import read_settings  # noqa: E402  # the same
from tests.garbage import collect_rarely  # noqa: E402  # the same
from tests.idle import drawing_with_plain_caches  # noqa: E402  # the same
from tests.tui.browser.safety.poison import NOW  # noqa: E402  # the same
from tests.tui.browser.safety.walking import OBEYED  # noqa: E402  # the same
from tui.browser.app import Browser  # noqa: E402  # the same
from tui.browser.layout import Outfit  # noqa: E402  # the same
from tui.browser.session import Kept  # noqa: E402  # the same
from tui.commands.command import Command, Situation  # noqa: E402  # the same
from tui.driver.driver import driver_class  # noqa: E402  # the same
from tui.terminal.signals import let_go_of_lost_streams  # noqa: E402  # the same

Step = Sequence[str]
"""Keys one after another; `text:…` types, `paste:…` pastes, `bytes:…` is what a
terminal sends, `fail` goes wrong."""


class Settling(Browser):
    """Knows when it has done everything requested, and can report it."""

    async def settle(self) -> None:
        """Wait until the program is idle and everything is drawn."""
        for _ in range(2):
            await self._through()
            waits = [worker.wait() for worker in self.workers]
            await asyncio.gather(*waits, return_exceptions=True)
            await self.settled()
        await self._through()
        drawn, screen = asyncio.Event(), self.screen
        screen.call_after_refresh(drawn.set)
        while not drawn.is_set() and screen is self.screen:  # noqa: ASYNC110  # a screen that goes is never drawn
            await asyncio.sleep(_TURN)

    async def _through(self) -> None:
        """Wait until all pending messages are handled."""
        waiting: set[DOMNode] = {self, *self.screen.walk_children(with_self=True)}

        def see(one: DOMNode) -> None:
            waiting.discard(one)

        for one in [*waiting]:
            if not one.call_later(see, one):
                waiting.discard(one)
        while any(one.is_running for one in waiting):  # noqa: ASYNC110  # who goes sees nothing
            await asyncio.sleep(_TURN)

    def mark(self, number: int) -> None:
        """Send the mark of a finished step."""
        self.parts.clipboard.send(f"\x1b[?9999;{number}$p")


class Walked(Settling):
    """Takes its steps, and quits."""

    steps: Sequence[Step] = ()
    obeyed: frozenset[str] = frozenset()
    """The commands that were carried out."""

    async def on_ready(self) -> None:
        commands = self.parts.commands
        perform = commands.perform

        async def note(command: Command, situation: Situation) -> str | None:
            why_not = await perform(command, situation)
            if not why_not:
                self.obeyed |= {command.id}
            return why_not

        commands.perform = note
        walking = asyncio.create_task(self._take_steps())
        walking.add_done_callback(lambda done: done.result())
        self._walking = walking

    async def _take_steps(self) -> None:
        while not self.parts.lists.listings:
            await self.settle()
        await self.settle()
        for number, step in enumerate(self.steps):
            for key in step:
                await self._take(key)
                await self.settle()
            self.mark(number)
        self.exit()

    async def _take(self, step: str) -> None:
        """Press a key, or run the action of a step."""
        kind, _, told = step.partition(":")
        if kind == "text" and told:
            for letter in told:
                self._send(events.Key(letter, letter))
        elif kind == "paste" and told:
            self._send(events.Paste(told))
        elif kind == "bytes" and told:
            for message in XTermParser().feed(told):
                self._sent_by_terminal(message)
        elif kind == "fail":
            self.run_worker(self._go_wrong())
        else:
            self._send(events.Key(step, step if len(step) == 1 else None))

    def _send(self, event: events.Event) -> None:
        """Insert input as if it came from the terminal."""
        if self._driver is not None:
            self._driver.send_message(event)

    def _sent_by_terminal(self, message: Message) -> None:
        if self._driver is not None:
            self._driver.process_message(message)

    async def _go_wrong(self) -> None:
        """Fail as a bug would, with a memory at hand."""
        record = self.parts.reader.opened
        raise ValueError(str(record))


def main(folder: str, catalogue: str, script: str, how: str, *_others: str) -> int:
    """Walk; the exit code."""
    places = Places.usual()
    steps = json.loads(Path(script).read_text(encoding="utf-8"))
    now = int(NOW.timestamp()) * 1_000_000
    with Library(Path(catalogue), now, writing=Writing(places)) as library:
        library.stores.choose(beneath([Path(folder)], FORMATS).stores)
        walked = Walked(
            library,
            reads=False,
            kept=Kept(read_settings(places), places),
            outfit=Outfit(driver_class=driver_class(frugal=how == "frugal")),
        )
        walked.steps = steps
        with drawing_with_plain_caches():
            collect_rarely()
            walked.run()
    let_go_of_lost_streams()
    told = json.dumps(sorted(walked.obeyed))
    Path(script).with_suffix(OBEYED).write_text(told, encoding="utf-8")
    if walked.failure:
        sys.stderr.write(f"\nwalked: {walked.failure}\n")
    return walked.return_code or 0


if __name__ == "__main__":
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    sys.exit(main(*sys.argv[1:]))
