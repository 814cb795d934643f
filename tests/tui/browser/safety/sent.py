"""The output to a terminal, split into the browser's own sequences and the rest."""

import re
from dataclasses import dataclass

from tests.store.test_clean import is_forbidden

_COLOUR = r"(?:0|1|2|3|4|7|9|2[2-9]|39|49|[34]8;2;\d+;\d+;\d+)"

_WHILE_SHOWN = (
    rf"\x1b\[(?:{_COLOUR}(?:;{_COLOUR})*)?m"  # looks
    r"|\x1b\[\d*(?:;\d*)?H|\x1b\[\d*[ABCDG]|[\r\n\b]"  # moves of the cursor
    r"|\x1b\[\d*[XK]|\x1b\[2?J"  # blanks
    r"|\x1b\[(?:\d+;\d+)?r|\x1b\[\d*[LM]"  # lines that scroll
    r"|\x1b\[\?2026[hl]"  # an update begins or ends
    r"|\x1b\]22;(?:default|text|pointer|wait)\x07"  # how the mouse is shown
    r"|\x1b\[\?9999;\d+\$p"  # the mark of a walk
)
_WHEN_IT_COMES_OR_GOES = (
    r"|\x1b\[\?(?:7|25|1000|1003|1004|1006|1015|1049|2004)[hl]"
    r"|\x1b\[>\d+u|\x1b\[<u"  # the keyboard protocol of kitty
    r"|\x1b\[\?(?:2026|2048)\$p"  # what the terminal knows
)
_SENT = re.compile(_WHILE_SHOWN)
_EVER_SENT = re.compile(_WHILE_SHOWN + _WHEN_IT_COMES_OR_GOES)

_NOT_OURS = "777"
"""A number that no sequence of the browser's has, and many of the hostile ones."""


@dataclass(frozen=True, slots=True)
class Sent:
    """Some bytes of the output."""

    text: str
    """What is left without sequences."""
    sequences: list[str]
    """The sequences that the browser sends itself."""
    acting: tuple[str, ...]
    """What a terminal acts on, or nobody sees, and the browser does not send."""


def sent(data: bytes, *, is_shown: bool = True) -> Sent:
    """Split the output of the browser while it was on the screen, or around it."""
    text = data.decode()
    ours = _SENT if is_shown else _EVER_SENT
    sequences = ours.findall(text)
    left = ours.sub("", text)
    marks = [one for one in sequences if one.endswith("$p")]
    foreign = [one for one in sequences if _NOT_OURS in one and one not in marks]
    unseen = [left[at : at + 20] for at, one in enumerate(left) if is_forbidden(one)]
    return Sent(left, sequences, (*foreign, *unseen))
