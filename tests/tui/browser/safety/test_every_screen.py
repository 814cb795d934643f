"""No text of a memory reaches the terminal raw, on any screen."""

import re

from store.clean import clean
from tests.tui.browser.safety.screens import (
    COPIED,
    HANDED_OVER,
    NOT_TAKEN,
    SHOWING,
    screens,
)
from tests.tui.browser.safety.sent import sent
from tests.tui.browser.safety.texts import CHARACTERS, MARKUP, SEQUENCES
from tests.tui.browser.safety.walking import Walk
from tests.tui.driver.terminal import Terminal
from tui.commands.registry import REGISTRY

NAMES = [name for name, _ in screens()]
SIZE = (120, 36)

_COPIED = re.compile(rb"\x1b\]52;c;(?!UFdORUQ=)[A-Za-z0-9+/=]*\x07")
"""What somebody has copied, and not what asks to be."""

_SHOWN_AS_IT_IS = "\u00ad"
"""A soft hyphen takes a cell where Textual lays text out, and does nothing."""


def acting(steps: list[bytes]) -> dict[str, tuple[str, ...]]:
    """The sequences that a terminal would act on, by screen."""
    told = {
        name: sent(
            _COPIED.sub(b"", step) if name in COPIED else step,
            is_shown=name not in HANDED_OVER,
        ).acting
        for name, step in zip(NAMES[1:], steps, strict=True)
    }
    return {name: acting for name, acting in told.items() if acting}


def test_the_walk_reaches_every_hostile_text(walked: Walk) -> None:
    screen = Terminal(*SIZE)
    screen.feed(walked.before.decode())
    missed: list[str] = []
    for name, step in zip(NAMES[1:], walked.steps, strict=True):
        screen.feed(step.decode())
        if SHOWING.get(name, "") not in screen.text():
            missed.append(name)
    assert missed == []
    assert SHOWING.keys() <= set(NAMES)


def test_the_walk_runs_every_command(walked: Walk) -> None:
    everything = {command.id for command in REGISTRY.commands}
    untaken = everything - walked.obeyed
    assert sorted(untaken - NOT_TAKEN.keys()) == [], "take them in screens.py"
    assert sorted(NOT_TAKEN.keys() - untaken) == []


def test_nothing_acts_on_the_terminal(walked: Walk) -> None:
    assert walked.code == 0
    assert acting(walked.steps) == {}
    assert sent(walked.before, is_shown=False).acting == ()
    assert sent(walked.after, is_shown=False).acting == ()


def test_modes_are_set_once_and_reset_once(walked: Walk) -> None:
    begun = sent(walked.before, is_shown=False).sequences
    ended = sent(walked.after, is_shown=False).sequences

    assert begun.count("\x1b[?1049h") == ended.count("\x1b[?1049l") == 1
    for mode in ("1000", "1003", "1006", "2004", "1004"):
        assert f"\x1b[?{mode}h" in begun
        assert f"\x1b[?{mode}l" in ended
    assert ended.count("\x1b[<u") == len([one for one in begun if one.endswith("u")])
    assert "\x1b[?25h" in ended
    assert "\x1b[?7h" in ended


def test_marks_are_shown_instead(walked: Walk) -> None:
    screen = Terminal(*SIZE)
    screen.feed(walked.before.decode())
    seen: list[str] = []
    for step in walked.steps:
        screen.feed(step.decode())
        seen.append(_flat(screen.text()))
    all_of_it = "\n".join(seen)

    characters = [f"a{one}b" for one in CHARACTERS if one != "\0"]
    texts = [*SEQUENCES, *MARKUP, *characters]
    wanted = [_flat(clean(text)) for text in texts if len(text) < SIZE[0] // 2]
    assert [text for text in wanted if text not in all_of_it] == []
    assert "PWNED" not in screen.title


def _flat(text: str) -> str:
    """The text without blanks, because lines end anywhere."""
    return re.sub(r"\s+", "", text)


def test_the_last_layer_is_enough_on_its_own(unclean: Walk) -> None:
    assert unclean.code == 0
    left = {
        name: [one for one in found if not one.startswith(_SHOWN_AS_IT_IS)]
        for name, found in acting(unclean.steps).items()
    }
    assert {name: found for name, found in left.items() if found} == {}
