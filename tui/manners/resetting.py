"""A terminal set right again that a program left without saying good-bye."""

import sys
import termios

RESET = "".join(
    (
        "\x1b[<u",  # the keyboard protocol of kitty
        *(f"\x1b[?{mode}l" for mode in (1000, 1002, 1003, 1006, 1015, 1016)),  # mouse
        "\x1b[?1004l",  # reports of focus
        "\x1b[?2004l",  # marks around pastes
        "\x1b[?2026l\x1b[?2048l",  # frames at once, reports of size
        "\x1b[r",  # scrolling within a part of the screen
        "\x1b[?1049l",  # the second screen
        "\x1b[0m\x1b(B",  # colours, and characters for drawing lines
        "\x1b[?7h\x1b[?25h",  # long lines wrap, and the cursor is seen
    )
)
"""What puts an end to everything that Textual switches on."""

_SENTENCE = "The terminal is as it ought to be; if not, `reset` clears it altogether.\n"


def reset_terminal() -> None:
    """Set right what is drawn on, and what is typed into."""
    sys.stderr.write(RESET)
    sys.stderr.write(_SENTENCE)
    sys.stderr.flush()
    if sys.stdin.isatty():
        _make_sane(sys.stdin.fileno())


def _make_sane(descriptor: int) -> None:
    """What `stty sane` does, as far as Textual undoes it."""
    attributes = termios.tcgetattr(descriptor)
    attributes[0] |= termios.ICRNL | termios.IXON
    attributes[1] |= termios.OPOST | termios.ONLCR
    attributes[3] |= termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG
    attributes[6][termios.VMIN] = 1
    attributes[6][termios.VTIME] = 0
    termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
