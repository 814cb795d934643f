"""What pickers offer in a transcript: prompts, what is shown, pieces of code."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from store.talk.said import Opening, Skim
from tui.browser.popups.rows import Choice
from tui.faces.instants import to_the_minute
from widgets.columns.cells import told
from widgets.transcript.entry import FAILED, MARK, SAID
from widgets.transcript.layout import EVERYTHING


class Mode(Struct, frozen=True):
    """What of a transcript is shown."""

    title: str
    told: str
    """What the status line says of it."""
    kinds: frozenset[str] = EVERYTHING
    """The kinds of parts that are shown."""
    messages: tuple[str, ...] | None = None
    """The kinds of messages; None for all of them."""

    def shown(self, skim: Skim) -> bytes | None:
        """A byte for each message that is shown; None where all of them are."""
        if self.messages is None and self.kinds == EVERYTHING:
            return None
        shown = bytearray(len(skim.kinds))
        places = skim.of_kind(*self.messages) if self.messages else skim.failed
        for place in places:
            shown[place] = 1
        return bytes(shown)


ALL, TALK, PROMPTS, ERRORS = "all", "talk", "prompts", "errors"

MODES: Mapping[str, Mode] = {
    ALL: Mode("everything", "All of it is shown."),
    TALK: Mode(
        "what is said",
        "What tools do and what is thought is left out.",
        frozenset({SAID, MARK}),
        ("prompt", "reply", "summary"),
    ),
    PROMPTS: Mode(
        "prompts alone", "Only prompts are shown.", frozenset({SAID}), ("prompt",)
    ),
    ERRORS: Mode("errors alone", "Only what failed is shown.", frozenset({FAILED})),
}
"""The ways to look at a transcript, by name."""


def modes_menu(current: str) -> list[Choice[str]]:
    """What can be shown of a transcript."""
    return [
        Choice(
            name,
            mode.title,
            before=[("✓ " if name == current else "  ", "marked")],
            detail=mode.told,
        )
        for name, mode in MODES.items()
    ]


def outline_menu(openings: Sequence[Opening]) -> list[Choice[int]]:
    """The prompts of a conversation, in order."""
    return [
        Choice(
            one.number,
            told(" ".join(one.text.split())) or "…",
            before=[(f"{to_the_minute(one.at or ''):16} ", "faint")],
        )
        for one in openings
    ]


def code_menu(pieces: Sequence[str]) -> list[Choice[int]]:
    """Pieces of code, by how they begin."""
    return [
        Choice(
            number,
            told(piece.strip().partition("\n")[0]),
            right=[(f"{piece.count(chr(10)) + 1} lines", "muted")],
        )
        for number, piece in enumerate(pieces)
    ]
