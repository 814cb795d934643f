"""What is shown and asked before something is changed."""

from collections.abc import Callable, Sequence
from functools import partial

from store.errors import WrongUseError
from store.library import Record
from store.records.reports import Past, Plan
from store.records.vault import EndangeredReport, KeptReport
from tui.browser.changing.fields import Field
from tui.browser.changing.targets import Target
from tui.browser.changing.typed import retagging, strength
from tui.browser.popups.prompt import Wanted
from tui.browser.popups.question import Answer, Question
from tui.browser.popups.rows import Choice
from tui.faces.quantities import sized
from widgets.columns.numbers import brief
from widgets.plans.plan import diff_body, plan_body
from widgets.reader.bodies import Joined, Plain
from widgets.styles.palette import Palette

_DO = Answer("do", "↵", "do it")
_SHOWN_TITLES = 3


def plan_question(plan: Plan, palette: Palette) -> Question:
    """What a change would do, and whether it shall."""
    answers = (_DO, Answer("diff", "v", "view the difference"))
    return Question("plan", plan_body(plan), answers, palette)


def diff_question(plan: Plan, palette: Palette) -> Question:
    """The same as the difference that it makes."""
    return Question("difference", diff_body(plan), (_DO,), palette)


def save_question(plan: Plan, palette: Palette) -> Question:
    """What an editor gave back, before it is written."""
    answers = (Answer("do", "↵", "save"), Answer("again", "e", "edit again"))
    return Question("save changes?", diff_body(plan), answers, palette)


def broken_question(sentence: str, palette: Palette) -> Question:
    """What is wrong with what an editor gave back."""
    answers = (Answer("again", "↵", "edit again"),)
    told = Plain(f"{sentence}\n\nLeft as it is, what you wrote is kept as a draft.")
    return Question("not saved", told, answers, palette)


def conflict_question(
    sentence: str, mine: Plan, theirs: Plan, palette: Palette
) -> Question:
    """What came in between, beside what one wanted to write."""
    answers = (
        Answer("theirs", "2", "keep theirs"),
        Answer("mine", "1", "keep mine"),
        Answer("both", "3", "merge in the editor"),
    )
    body = Joined(
        Plain(sentence),
        Plain("MINE, against what I was given:"),
        diff_body(mine),
        Plain("THEIRS, against the same:"),
        diff_body(theirs),
    )
    return Question("changed meanwhile", body, answers, palette)


def rescue_question(found: Sequence[EndangeredReport], palette: Palette) -> Question:
    """What is removed next, and whether it shall be kept."""
    size = sized(sum(one.bytes for one in found))
    lines = [f"{one.removed[:10]}  {one.title}" for one in found]
    told = Plain("\n".join([f"{len(found)} not kept yet, {size}:", "", *lines]))
    answers = (Answer("do", "↵", "keep them"),)
    return Question("removed next", told, answers, palette)


def last_question(last: Sequence[KeptReport], palette: Palette) -> Question:
    """What would be gone for good, and whether it shall be."""
    lines = "\n".join(f"  {one.title}" for one in last)
    told = Plain(f"Gone where it came from, so this is the last of it:\n\n{lines}")
    answers = (Answer("do", "↵", "let go for good"),)
    return Question("let go", told, answers, palette)


def deletion(titles: Sequence[str], word: str) -> Wanted:
    """Has to be typed before something is deleted for good."""
    named = ", ".join(f"“{title}”" for title in titles[:_SHOWN_TITLES])
    more = "" if len(titles) <= _SHOWN_TITLES else f" and {len(titles) - 3} more"
    hint = f"type {word}"
    return Wanted(
        f"delete {named}{more} for good", hint, check=partial(_only, word, hint)
    )


def tagging(record: Record, known: Sequence[tuple[str, int]]) -> Wanted:
    """Which tags shall come and go."""
    has = " ".join(f"#{tag}" for tag in getattr(record, "tags", ()))
    offers = [
        Choice(tag, tag, before=[("#", "tag")], right=[(brief(count), "muted")])
        for tag, count in known
    ]
    title = f"tags · {has}" if has else "tags"
    return Wanted(title, "+new -old", check=retagging, offers=offers)


def titling(text: str = "") -> Wanted:
    """What a new memory is called, or an old one from now on."""
    return Wanted("title", "what it is called", text, check=_something)


def strengthening() -> Wanted:
    """How strong a link is."""
    return Wanted("how strong", "0…1, or nothing", check=strength)


def linking(types: Sequence[tuple[str, int]], usual: str) -> Wanted:
    """What kind of link it is."""
    offers = [
        Choice(name, name, right=[(brief(count), "muted")]) for name, count in types
    ]
    return Wanted("type of the link", "SOLVES", usual, check=_a_type, offers=offers)


def typing(types: Sequence[tuple[str, int]]) -> Wanted:
    """What kind of memory it is."""
    offers = [
        Choice(name, name, right=[(brief(count), "muted")]) for name, count in types
    ]
    return Wanted("type of the memory", "solution", offers=offers)


def stay_menu(targets: Sequence[Target]) -> list[Choice[str]]:
    """Which of several memories stays when they become one."""
    return [Choice(one.ref, one.title) for one in targets]


def fields_menu(fields: Sequence[Field]) -> list[Choice[str]]:
    """The fields that can be changed, with what they hold."""
    return [Choice(one.name, one.name, one.text or "–") for one in fields]


def field_prompt(field: Field, check: Callable[[str], object]) -> Wanted:
    """What a field shall hold."""
    hint = "a | b | c" if field.is_list else "0…1" if field.is_number else "nothing"
    return Wanted(field.name, hint, field.text, check)


def log_menu(past: Sequence[Past]) -> list[Choice[str]]:
    """Every change that was made, the newest first."""
    return [
        Choice(
            one.change,
            one.action,
            "taken back" if one.undone else "",
            before=[("↶ " if one.undone else "✓ ", "muted" if one.undone else "ok")],
            right=[(one.at[:16].replace("T", " "), "muted")],
            detail=f"{one.store}: {', '.join(one.paths)}",
        )
        for one in past
    ]


def undo_question(plan: Plan, palette: Palette) -> Question:
    """What taking a change back would do."""
    answers = (Answer("do", "↵", "take it back"),)
    return Question("undo", Joined(plan_body(plan), diff_body(plan)), answers, palette)


def _only(word: str, hint: str, typed: str) -> None:
    if typed.strip() != word:
        raise WrongUseError(f"To delete for good, {hint}.")


def _a_type(typed: str) -> None:
    if not typed.strip():
        raise WrongUseError("A link needs a type.")


def _something(typed: str) -> None:
    if not typed.strip():
        raise WrongUseError("It needs a title.")
