"""Textual drivers: our own, which saves bytes, and one based on Textual's drawing."""

import errno
import fcntl
import io
import os
import select
import signal
import sys
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from queue import Empty, SimpleQueue
from types import FrameType
from typing import TYPE_CHECKING, Any

from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.drivers.linux_driver import LinuxDriver
from textual.filter import LineFilter

from store.text import regex
from tui.driver.painter import Painter
from tui.driver.screen import Frame, Grid, abilities_of_terminal
from tui.terminal.signals import TerminalLostError, read_keys
from widgets.styles import ASCII

if TYPE_CHECKING:
    from textual.driver import Driver


# Separate what Textual writes into screen updates and other sequences.
#
# Modes, mouse, paste, keys, clipboard, title, pointer and bell are passed on to the
# terminal unchanged and in order. An update starts by placing the cursor, so it is
# never mistaken for one of these, whatever text it contains.

_PASSED_ON = regex(
    r"(?:\x07"
    r"|\x1b\[[?<>=][\d;]*\$?[A-Za-z]"
    r"|\x1b\](?:0|2|22|52);[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\))+"
)
_ERASURE = regex(r"\x1b\[([012]?)([JK])")
_UNKNOWN = regex(r"\x1b\[[\d;]*[ !\"$']?[A-GI-Za-ln-z]")
"""Any other kind of sequence by itself; it may change anything on the screen."""

_BEGINS = "\x1b[?2026h"
_ENDS = "\x1b[?2026l"
_ENTERS = "\x1b[?1049h"
_LEAVES = "\x1b[?1049l"


class Intake:
    """Reads what Textual writes, and sends what the terminal should get."""

    def __init__(
        self, send: Callable[[str | Frame], None], size: Callable[[], tuple[int, int]]
    ) -> None:
        """`size` returns the width and height that updates are made for."""
        self._send = send
        self._size = size
        self._grid = Grid(*size())
        self._generation = 0
        self._sent: Frame | None = None
        self._is_on = self._is_begun = False
        self._is_synchronized = False

    @property
    def size(self) -> tuple[int, int]:
        """The width and height of the screen as tracked here."""
        return self._grid.width, self._grid.height

    def write(self, data: str) -> None:
        """Take one write of Textual's."""
        if data in {_BEGINS, _ENDS}:
            self._is_synchronized = True
        elif _PASSED_ON.fullmatch(data):
            self._pass_on(data)
        elif found := _ERASURE.fullmatch(data):
            self._grid.erase(found[2], int(found[1] or 0))
        elif _UNKNOWN.fullmatch(data):
            self._pass_on(data)
            self.forget()
        else:
            if self.size != (size := self._size()):
                self._grid.resize(*size)
                self.forget()
            self._grid.write(data)
            self._is_begun = True

    def flush(self) -> None:
        """End an update: send the screen, if it is on."""
        if not (self._is_on and self._is_begun):
            return
        frame = Frame(
            rows=self._grid.rows(),
            cursor=self._grid.cursor,
            generation=self._generation,
            is_synchronized=self._is_synchronized,
        )
        if frame != self._sent:
            self._sent = frame
            self._send(frame)

    def forget(self) -> None:
        """Assume nothing about what the terminal shows: repaint everything next."""
        self._generation += 1

    def _pass_on(self, data: str) -> None:
        """Send a non-screen sequence, after the updates before it."""
        if _LEAVES in data:
            self._is_on = False
        self.flush()
        self._send(data)
        if _ENTERS in data:
            self._is_on = True
            self.forget()


# Write to the terminal from a separate thread, so that no key waits for a slow link.
#
# Everything that is not screen content is sent in order and completely. Of the screen
# content only the newest frame is sent: it waits in a slot, where a newer one replaces
# it until the thread takes it. Nothing here uses locks, as a signal that suspends the
# program may interrupt at any point.

_PATIENCE = 5.0
"""Seconds that a terminal gets to take the last bytes on exit."""

_BUSY = {errno.EAGAIN, errno.EWOULDBLOCK}


class _Slot:
    """Holds the newest frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.is_taken = False

    def take(self) -> Frame:
        self.is_taken = True
        return self.frame


class Outlet:
    """Writes to one terminal, as fast as it reads."""

    def __init__(
        self, descriptor: int, painter: Painter, lost: Callable[[], None]
    ) -> None:
        """`lost` is called from the thread when the terminal is gone."""
        self._descriptor = descriptor
        self._painter = painter
        self._lost = lost
        self._queue: SimpleQueue[str | _Slot | None] = SimpleQueue()
        self._open: _Slot | None = None
        self._thread = threading.Thread(
            target=self._run, daemon=True, name="recollect-output"
        )
        self._thread.start()

    def send(self, item: str | Frame) -> None:
        """Queue an item, written as soon as the terminal takes it; never waits."""
        if isinstance(item, str):
            self._open = None
            self._queue.put(item)
            return
        if self._open:
            self._open.frame = item
            if not self._open.is_taken:
                return
        self._open = _Slot(item)
        self._queue.put(self._open)

    def close(self) -> None:
        """Write what is queued and stop; gives up if the terminal does not read."""
        self._queue.put(None)
        self._thread.join(_PATIENCE)

    def _run(self) -> None:
        is_open = True
        while is_open:
            items = self._waiting()
            is_open = None not in items
            try:
                self._write(self._text(items))
            except OSError:
                self._lost()
                return

    def _waiting(self) -> list[str | _Slot | None]:
        """Everything that is queued; at least one item."""
        items = [self._queue.get()]
        try:
            while True:
                items.append(self._queue.get_nowait())
        except Empty:
            return items

    def _text(self, items: list[str | _Slot | None]) -> str:
        """The output: everything in order, but only the newest frame."""
        slots = [item for item in items if isinstance(item, _Slot)]
        frames = [slot.take() for slot in slots]
        parts: list[str] = []
        for item in items:
            if isinstance(item, str):
                parts.append(item)
            elif item is not None and item is slots[-1]:
                parts.append(self._painter.paint(frames[-1]))
        return "".join(parts)

    def _write(self, text: str) -> None:
        data = memoryview(text.encode(errors="replace"))
        while data:
            try:
                data = data[os.write(self._descriptor, data) :]
            except OSError as error:
                if error.errno not in _BUSY:
                    raise
                select.select([], [self._descriptor], [])


# A more robust version of Textual's driver for Linux and macOS.
#
# It reads any input without failing, exits when its terminal goes away, and recovers
# the terminal after any kind of stop.

_HUNG_UP = 128 + signal.SIGHUP
"""The exit code shells use for a program whose terminal went away."""

_INPUT, _LOCAL = 0, 3
"""The places of the flags for input and for local modes in terminal settings."""

_OURS = "\x1b[?1049h\x1b[?25l\x1b[?1004h\x1b[?2004h\x1b[?7l"
"""The alternate screen, hidden cursor, focus and paste reports, no line wrapping."""


class LastingDriver(LinuxDriver):
    """Survives invalid input, exits with a lost terminal, and recovers after a stop."""

    _taken: list[Any] | None = None
    """The terminal settings while the terminal is in use; None otherwise."""

    _early = 0
    """Bytes that were typed before the terminal was taken over."""

    def start_application_mode(self) -> None:
        """Take over the terminal, and keep what was typed before."""
        before = self._without_translation()
        super().start_application_mode()
        if before is not None:
            self.attrs_before = before
        with suppress(termios.error):
            self._taken = termios.tcgetattr(self.fileno)

    def _without_translation(self) -> list[Any] | None:
        """Stop the terminal from translating input; its settings before.

        Counts the bytes that it has translated already.
        """
        with suppress(OSError, termios.error):
            before = termios.tcgetattr(self.fileno)
            changed = list(before)
            changed[_INPUT] = self._patch_iflag(before[_INPUT])
            changed[_LOCAL] = self._patch_lflag(before[_LOCAL])
            termios.tcsetattr(self.fileno, termios.TCSANOW, changed)
            waiting = fcntl.ioctl(self.fileno, termios.FIONREAD, bytes(4))
            self._early = int.from_bytes(waiting, sys.byteorder)
            return before
        return None

    def stop_application_mode(self) -> None:
        """Restore the terminal."""
        self._taken = None
        super().stop_application_mode()

    def run_input_thread(self) -> None:
        """Read keys; exit if the terminal is lost."""
        try:
            early, self._early = self._early, 0
            read_keys(self.fileno, self.exit_event, self.process_message, early)
        except TerminalLostError:
            self.lost()

    def lost(self) -> None:
        """Exit because the terminal is gone, unless the app is exiting already."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(
                lambda: self._app.exit(return_code=_HUNG_UP)
            )

    def _sigcont_application(self, *_: object) -> None:
        """Continue after a stop and redraw everything: a shell has written meanwhile.

        A program stopped by SIGSTOP never restored the terminal. Textual would then
        take it over a second time: two threads would read its keys, and on exit it
        would keep the settings of the first takeover.
        """
        if self._taken is None:
            super()._sigcont_application()  # pyright: ignore[reportUnknownMemberType]  # untyped in Textual
        else:
            with suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self._taken)
            self.write(_OURS)
            self._enable_mouse_support()
        if self._taken is not None:
            self._loop.call_soon_threadsafe(lambda: self._app.refresh(layout=True))


# A driver that tracks the screen to send fewer bytes to the terminal.

_STDERR = 2
"""The stream that Textual draws on."""


class FrugalDriver(LastingDriver):
    """Tracks the screen that Textual writes; sends only what differs."""

    _outlet: Outlet | None = None

    @cached_property
    def _intake(self) -> Intake:
        return Intake(self._send, lambda: (self._app.size.width, self._app.size.height))

    def write(self, data: str) -> None:
        """Take screen content, or a sequence to pass on."""
        self._intake.write(data)

    def flush(self) -> None:
        """Send the screen as written so far."""
        self._intake.flush()

    def redraw(self) -> None:
        """Redraw everything, in case another program wrote over it."""
        self._intake.forget()
        self._intake.flush()

    def start_application_mode(self) -> None:
        """Take over the terminal."""
        if self._outlet is None:
            painter = Painter(abilities_of_terminal())
            self._outlet = Outlet(_STDERR, painter, self.lost)
        super().start_application_mode()
        resize = signal.getsignal(signal.SIGWINCH)

        def resized(number: int, frame: FrameType | None) -> None:
            self._resized()
            if callable(resize):
                resize(number, frame)

        signal.signal(signal.SIGWINCH, resized)

    def close(self) -> None:
        """Restore the terminal."""
        super().close()
        if self._outlet is not None:
            self._outlet.close()
            self._outlet = None

    def _send(self, item: str | Frame) -> None:
        if self._outlet is not None:
            self._outlet.send(item)

    def _resized(self) -> None:
        """Handle a resize, after which the terminal may show anything.

        If the size is what the screen has already, Textual will not redraw it.
        """
        self._intake.forget()
        if self._get_terminal_size() == self._intake.size:
            self._intake.flush()


# Textual's own way of drawing, as an alternative to the byte-saving driver.
#
# Textual's writer thread dies if the terminal is lost, and then anything that wants to
# write waits forever. So it gets a stream that never fails.


class PlainDriver(LastingDriver):
    """Sends everything that Textual draws, as it comes."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        """Takes the same arguments as any Textual driver."""
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  # any app
            app, debug=debug, mouse=mouse, size=size
        )
        bytes_out = io.BufferedWriter(_Lasting(_STDERR, self.lost))
        self._file = io.TextIOWrapper(
            bytes_out, encoding="utf-8", errors="replace", newline=""
        )


class _Lasting(io.RawIOBase):
    """Writes to a terminal while it exists, and then discards everything."""

    def __init__(self, descriptor: int, lost: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._lost = lost

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: Any, /) -> int:  # noqa: ANN401  # any bytes-like object
        while True:
            try:
                return os.write(self._descriptor, data)
            except OSError as error:
                if error.errno not in _BUSY:
                    self._lost()
                    return len(data)
                select.select([], [self._descriptor], [])


# Borders and scrollbars in ASCII, for which Textual uses special glyphs.


class InAscii(LineFilter):
    """Replaces glyphs that a terminal may not have."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Replace each glyph by its ASCII form."""
        del background
        return [
            segment
            if segment.text.isascii()
            else Segment(segment.text.translate(ASCII), segment.style, segment.control)
            for segment in segments
        ]


# Drivers, which read from the terminal and write to it.


def driver_class(*, frugal: bool) -> "type[Driver] | None":
    """The driver class for an app; None leaves the choice to Textual.

    The frugal one sends only cells that differ from those shown. An app that runs
    inline, beneath the prompt, always gets a driver of Textual's own.
    """
    if sys.platform == "win32":
        return None
    if frugal:
        return FrugalDriver

    return PlainDriver
