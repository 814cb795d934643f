"""A line to type in: one line, and nothing in it that a terminal would act on."""

from textual import events
from textual.widgets import Input

from store.clean import clean
from store.search.language.query import LONGEST


class LineInput(Input):
    """Typed text, safe to show; without blinking, which costs bytes."""

    DEFAULT_CSS = """
    LineInput {
        width: 1fr;
        background: transparent;
        &:focus { background-tint: transparent; }
        &:ansi { background: transparent; }
        & > .input--placeholder { color: $hue-slate; }
        & > .input--cursor, &:ansi > .input--cursor {
            background: transparent;
            color: $foreground;
            text-style: reverse;
        }
    }
    """

    def __init__(self, placeholder: str = "") -> None:
        super().__init__(placeholder=placeholder, select_on_focus=False, compact=True)
        self.cursor_blink = False

    def validate_value(self, value: str) -> str:
        """Whatever is put in: one line, that can be shown as it is."""
        return clean(" ".join(value[: 2 * LONGEST].splitlines()))[: LONGEST + 1]

    def on_paste(self, event: events.Paste) -> None:
        """Take all lines of what is pasted, as one."""
        event.prevent_default()
        event.stop()
        lines = [line.strip() for line in event.text[: 2 * LONGEST].splitlines()]
        self.replace(clean(" ".join(filter(None, lines))), *sorted(self.selection))
