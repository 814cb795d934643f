"""The browser, in a terminal, walked through by itself; a mark in what it sends after
every step says that all before belongs to it."""

import asyncio
import fcntl
import json
import os
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

from tui.manners.environment import prepare

prepare(os.environ)

from store import clean as cleaning  # noqa: E402  # before others take it from there

UNCLEAN = "unclean"


def _as_it_is(text: str, *, multiline: bool = False) -> str:
    """In place of what makes texts fit to show, to see whether the rest suffices."""
    del multiline
    return text


if UNCLEAN in sys.argv:
    cleaning.clean = _as_it_is

from textual import events  # noqa: E402  # the same
from textual._xterm_parser import XTermParser  # noqa: E402  # the same
from textual.message import Message  # noqa: E402  # the same

from store.discover import beneath  # noqa: E402  # the same
from store.formats.register import FORMATS  # noqa: E402  # the same
from store.library import Library, Writing  # noqa: E402  # the same
from store.places import Places  # noqa: E402  # the same
from store.settings.reading import read_settings  # noqa: E402  # the same
from tests.tui.browser.safety.poison import NOW  # noqa: E402  # the same
from tests.tui.browser.safety.walking import OBEYED  # noqa: E402  # the same
from tui.browser.app import Browser  # noqa: E402  # the same
from tui.browser.framed import Outfit  # noqa: E402  # the same
from tui.browser.kept import Kept  # noqa: E402  # the same
from tui.driver import driver_class  # noqa: E402  # the same
from tui.manners.leaving import let_go_of_lost_streams  # noqa: E402  # the same

Step = Sequence[str]
"""Keys one after another; `text:…` types, `paste:…` pastes, `bytes:…` is what a
terminal sends, `fail` goes wrong."""


class Walked(Browser):
    """Takes its steps, and leaves."""

    steps: Sequence[Step] = ()
    obeyed: frozenset[str] = frozenset()
    """The commands that were carried out."""
    _is_refused = False

    async def obey(self, command: str) -> None:
        self._is_refused = False
        await super().obey(command)
        if not self._is_refused:
            self.obeyed |= {command}

    def refuse(self, why_not: str) -> None:
        self._is_refused = True
        super().refuse(why_not)

    async def on_ready(self) -> None:
        walking = asyncio.create_task(self._take_steps())
        walking.add_done_callback(lambda done: done.result())
        self._walking = walking

    async def _take_steps(self) -> None:
        while not self._listings:
            await self._settle()
        await self._settle()
        for number, step in enumerate(self.steps):
            for key in step:
                await self._take(key)
                await self._settle()
            self._mark(number)
        self.exit()

    async def _take(self, step: str) -> None:
        """Press a key, or do what a step says otherwise."""
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
        """As if it came from the terminal."""
        if self._driver is not None:
            self._driver.send_message(event)

    def _sent_by_terminal(self, message: Message) -> None:
        if self._driver is not None:
            self._driver.process_message(message)

    async def _go_wrong(self) -> None:
        """As somebody's mistake would, with a memory at hand."""
        record = self.opened
        raise ValueError(str(record))

    async def _settle(self) -> None:
        """Until nothing is going on any more, and what came of it is drawn."""
        for _ in range(2):
            await self._through()
            waits = [worker.wait() for worker in self.workers]
            await asyncio.gather(*waits, return_exceptions=True)
            await self.settled()
        await self._through()
        drawn = asyncio.Event()
        self.screen.call_after_refresh(drawn.set)
        await drawn.wait()

    async def _through(self) -> None:
        """Until everybody has seen all messages that wait."""
        seen = asyncio.Semaphore(0)

        def see() -> None:
            seen.release()

        everybody = [self, *self.screen.walk_children(with_self=True)]
        for _ in [one for one in everybody if one.call_later(see)]:
            await seen.acquire()

    def _mark(self, number: int) -> None:
        self._write_out(f"\x1b[?9999;{number}$p")


def main(folder: str, catalogue: str, script: str, how: str, *_others: str) -> int:
    """Walk; the exit code."""
    places = Places.usual()
    steps = json.loads(Path(script).read_text(encoding="utf-8"))
    now = int(NOW.timestamp()) * 1_000_000
    with Library(Path(catalogue), now, writing=Writing(places)) as library:
        library.choose(beneath([Path(folder)], FORMATS).stores)
        walked = Walked(
            library,
            reads=False,
            kept=Kept(read_settings(places), places),
            outfit=Outfit(driver_class=driver_class(frugal=how == "frugal")),
        )
        walked.steps = steps
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
