"""What is asked before something grave is done, and who can be asked at all."""

import sys
from collections.abc import Sequence

from store.errors import RecollectError, WrongUseError
from store.planning import Planned
from tui.cli.terminal import complain
from tui.faces.plan import write_plans

MANY = 10
"""From so many records on, the plan is shown before it is carried out."""

_YES_OR_NO = "Do this? [y/N] "
_DECLINED = "Nothing was changed."

LINES = 400
"""Lines of a plan that are shown before a question."""

_YES = frozenset({"y", "yes"})


class DeclinedError(RecollectError):
    """The user was asked, and did not want it."""


def needs_consent(planned: Sequence[Planned]) -> bool:
    """Whether a change is grave enough, or about enough records, to be asked for."""
    is_grave = any(one.draft.is_grave for one in planned)
    return is_grave or _records(planned) >= MANY


def ask_for(planned: Sequence[Planned]) -> None:
    """Show what would be done and ask; raises where that is not wanted."""
    if not can_be_asked():
        raise WrongUseError(
            f"{_said(planned)}: where nobody can be asked, this needs --yes; "
            "--dry-run shows what it would do."
        )
    plans = [one.plan for one in planned]
    write_plans(plans, coloured=True, to=sys.stderr, most=LINES)
    for one in planned:
        for warning in one.draft.warnings:
            complain(warning)
    wanted = _answer_for(planned)
    if wanted is None:
        agreed = answered(_YES_OR_NO).casefold() in _YES
    else:
        agreed = answered(f"Type “{wanted}” to do this: ") == wanted
    if not agreed:
        raise DeclinedError(_DECLINED)


def agree_to(sentence: str) -> None:
    """Ask for a yes to something; raises where that is not given."""
    if not can_be_asked():
        raise WrongUseError(f"{sentence}: where nobody can be asked, this needs --yes.")
    complain(f"{sentence}.")
    if answered(_YES_OR_NO).casefold() not in _YES:
        raise DeclinedError(_DECLINED)


def can_be_asked() -> bool:
    """Whether a person sits at both ends of a question."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def answered(question: str) -> str:
    """What the user types at a question; nothing where they end the input."""
    return typed(question) or ""


def typed(question: str) -> str | None:
    """The same; None where they end the input."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip() if line else None


def _answer_for(planned: Sequence[Planned]) -> str | None:
    """What is to be typed where a mere yes is too easily said."""
    if any(one.word != "delete" for one in planned):
        return None
    return f"delete {_records(planned)}"


def _records(planned: Sequence[Planned]) -> int:
    """How many records are changed; problems of files are counted where they are more.

    Whoever is changed in two ways is one record all the same.
    """
    refs = {ref for one in planned for ref in one.refs}
    return max(len(refs), *(one.count for one in planned), 0)


def _said(planned: Sequence[Planned]) -> str:
    """What would be done, in one line."""
    return "; ".join(one.draft.action for one in planned)
