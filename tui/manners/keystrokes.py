"""Keys as bytes from the terminal: what is no text is read on, not died of.

Textual's own loop decodes strictly, so that one stray byte ends the program. To begin
its loop again would lose what came with the byte, and that may be the mark that ends
or begins a paste: the text pasted would be pressed as keys. This is its loop once more
but for the decoding, for a terminal that went away, and for escape: that it answered
after 102 ms whatever `ESCDELAY` said, and this after 28 ms, of which 25 are `ESCDELAY`.
"""

import os
import re
import selectors
from codecs import getincrementaldecoder
from collections.abc import Callable
from threading import Event

from textual._xterm_parser import XTermParser
from textual.constants import ESCAPE_DELAY
from textual.message import Message

_AT_ONCE = 4096
"""How many bytes are read at once."""

_PATIENCE = 0.1
"""Seconds between two looks at whether to go on."""

_AFTER_ESCAPE = ESCAPE_DELAY + 0.001
"""Seconds after which an escape is a key and begins nothing."""


_ANSWERS = re.compile(
    r"\x1b[\]P_^X][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b\[(?:[?>=][\d;]*c|\d*n)"
)
"""What terminals answer when they are asked for colours, names, or how they are: we ask
nothing of the kind, so another program did, and left before it was told."""


class TerminalLostError(OSError):
    """The terminal went away."""


def read_keys(fileno: int, leaving: Event, send: Callable[[Message], None]) -> None:
    """Send on what is typed until it is time to leave; raises TerminalLostError."""
    decode = getincrementaldecoder("utf-8")(errors="replace").decode
    parser = XTermParser()
    patience = _PATIENCE
    with selectors.SelectSelector() as selector:
        selector.register(fileno, selectors.EVENT_READ)
        while not leaving.is_set():
            is_typed = bool(selector.select(patience))
            text = without_answers(decode(_read(fileno))) if is_typed else ""
            for message in parser.feed(text) if text else ():
                send(message)
            for message in parser.tick():
                send(message)
            patience = _AFTER_ESCAPE if is_typed else _PATIENCE


def without_answers(text: str) -> str:
    """What somebody has typed; answers of the terminal are no keys."""
    return _ANSWERS.sub("", text)


def _read(fileno: int) -> bytes:
    """Some bytes at least."""
    try:
        typed = os.read(fileno, _AT_ONCE)
    except OSError as error:
        raise TerminalLostError(*error.args) from error
    if not typed:
        raise TerminalLostError("the terminal is closed")
    return typed
