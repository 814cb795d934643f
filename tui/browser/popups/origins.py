"""What is shown of where a record comes from: a choice of origins, one version."""

from collections.abc import Sequence

from store.clean import clean
from store.records.version import Version
from tui.browser.past.bodies import diff_body
from tui.browser.past.origins import Origin
from tui.browser.popups.question import Answer, Question
from tui.browser.popups.rows import Choice
from widgets.columns.cells import told
from widgets.styles.palette import Palette

_GO = Answer("go", "↵", "go to the message")
_CLOSE = Answer("close", "↵", "close")


def origins_menu(found: Sequence[Origin]) -> list[Choice[str]]:
    """Records that one can go to, in their order."""
    return [
        Choice(
            one.ref,
            told(one.title),
            before=[(f"{one.when} " if one.when else "", "muted")],
            detail=told(one.title),
        )
        for one in found
    ]


def version_question(version: Version, palette: Palette) -> Question:
    """What a version changed, and the way to the message that made it."""
    title = f"{version.by}: {clean(version.what)}"
    answers = (_GO,) if version.conversation else (_CLOSE,)
    return Question(title, diff_body(version), answers, palette)
