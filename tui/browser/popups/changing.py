"""What is shown and asked before something is changed."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from store.edits.conflict import Conflict
from store.edits.kept.unsaved import Unsaved
from store.errors import WrongUseError
from store.library import Record
from store.records.reports import Backup, Past, Plan, Step
from store.records.vault import EndangeredReport, KeptReport
from store.times import told_time
from tui.browser.changing.fields import Field
from tui.browser.changing.hunks import Hunk
from tui.browser.changing.targets import Target
from tui.browser.changing.typed import SECONDS, retagging, seconds, strength
from tui.browser.popups.prompt import Wanted
from tui.browser.popups.question import Answer, Question
from tui.browser.popups.rows import Choice
from tui.browser.popups.typed_question import TypedQuestion
from tui.faces.quantities import sized
from widgets.columns.cells import told
from widgets.columns.numbers import brief
from widgets.plans.plan import diff_body, plan_body
from widgets.plans.three import Part, three_body
from widgets.reader.bodies import Joined, Plain
from widgets.styles.palette import Palette

_MINUTES = len("2026-03-02T17:40")

_DO = Answer("do", "↵", "do it")


def plan_question(plan: Plan, palette: Palette) -> Question:
    """What a change would do, and whether it shall."""
    answers = (_DO, Answer("diff", "v", "view the difference"))
    return Question("plan", plan_body(plan), answers, palette)


def diff_question(plan: Plan, palette: Palette) -> Question:
    """The same as the difference that it makes."""
    answers = (_DO, Answer("diff", "v", "view the plan"))
    question = Question("difference", diff_body(plan), answers, palette)
    question.leaving = "go back"
    return question


def save_question(plan: Plan, palette: Palette) -> Question:
    """What an editor gave back, before it is written."""
    answers = (
        Answer("do", "↵", "save"),
        Answer("again", "e", "edit again"),
        Answer("revert", "r", "leave a part as it was"),
    )
    return Question("save changes?", diff_body(plan), answers, palette)


def hunks_menu(found: Sequence[Hunk]) -> list[Choice[int]]:
    """The places in which something was changed; one of them can be left as it was."""
    return [
        Choice(
            number,
            _first_line(hunk.now) or "(taken out)",
            before=[(f"{hunk.line:>4} ", "faint")],
            detail=f"was: {_first_line(hunk.was) or '(nothing)'}",
        )
        for number, hunk in enumerate(found)
    ]


def broken_question(sentence: str, palette: Palette) -> Question:
    """What is wrong with what an editor gave back."""
    answers = (Answer("again", "↵", "edit again"),)
    told = Plain(f"{sentence}\n\nLeft as it is, what you wrote is kept as a draft.")
    return Question("not saved", told, answers, palette)


def draft_question(parts: Sequence[Part], time: int, palette: Palette) -> Question:
    """What was written once and not saved, and whether one goes on with it."""
    answers = (
        Answer("do", "↵", "go on with it"),
        Answer("drop", "x", "forget it, begin anew"),
    )
    when = told_time(time)[:_MINUTES].replace("T", " ")
    body = Joined(Plain(f"What you wrote {when} was not saved."), three_body(parts))
    return Question("a draft is kept", body, answers, palette)


def conflict_question(title: str, parts: Sequence[Part], palette: Palette) -> Question:
    """What came in between, beside what one wanted to write."""
    answers = (
        Answer("theirs", "2", "keep theirs"),
        Answer("mine", "1", "keep mine"),
        Answer("both", "3", "merge in the editor"),
    )
    told = Plain(f"“{title}” was changed by somebody else while you wrote.")
    body = Joined(told, three_body(parts))
    return Question("changed meanwhile", body, answers, palette)


def trouble_question(
    sentence: str, conflicts: Sequence[Conflict], palette: Palette
) -> Question:
    """Why something was not done, all of it; and what others made of the files."""
    steps = tuple(
        Step(path=one.path, before=None, after=None, diff=one.diff) for one in conflicts
    )
    bodies = [diff_body(Plan(action="", steps=steps, warnings=()))] if steps else []
    answers = (Answer("seen", "↵", "go on"),)
    return Question("not done", Joined(Plain(sentence), *bodies), answers, palette)


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


def deletion(plan: Plan, word: str, palette: Palette) -> TypedQuestion:
    """What is deleted for good, and what has to be typed for that."""
    body = Joined(plan_body(plan), diff_body(plan))
    answer = Answer("do", "↵", "delete for good")
    return TypedQuestion("delete for good", body, answer, word, palette)


def tagging(records: Sequence[Record], known: Sequence[tuple[str, int]]) -> Wanted:
    """Which tags shall come and go."""
    own = [getattr(record, "tags", ()) for record in records]
    shared = [tag for tag in own[0] if all(tag in tags for tags in own)]
    has = " ".join(f"#{tag}" for tag in shared)
    offers = [
        Choice(tag, tag, before=[("#", "tag")], right=[(brief(count), "muted")])
        for tag, count in known
    ]
    many = f"tags of {len(records)}" if len(records) > 1 else "tags"
    title = f"{many} · {has}" if has else many
    return Wanted(title, "+new -old", check=retagging, offers=offers, is_free=True)


def titling(text: str = "") -> Wanted:
    """What a new memory is called, or an old one from now on."""
    return Wanted("title", "what it is called", text, check=_something)


def entry_prompts(kind: str) -> Sequence[tuple[str, Wanted]]:
    """What an entry of a log says, field by field in the words of its format."""
    asked = {
        "episode": (("title", "what happened"), ("summary", "more of it, or nothing")),
        "task": (("name", "what was done"), (SECONDS, "how many seconds it took")),
        "claim": (
            ("value", "what is claimed"),
            ("evidence_tier", "REAL, FROM-JOURNAL or ESTIMATE-HTC"),
            ("pointer", "where that can be seen"),
        ),
    }
    return [
        (
            name,
            Wanted(f"{kind}: {name}", hint, check=seconds if name == SECONDS else str),
        )
        for name, hint in asked[kind]
    ]


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
    return [
        Choice(one.ref, one.title, detail=told(getattr(one.record, "path", "")))
        for one in targets
    ]


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


def backups_menu(found: Sequence[Backup]) -> list[Choice[str]]:
    """What was kept of a file before each change of it, the newest first."""
    return [
        Choice(
            one.backup,
            f"before {one.action}" if one.action else "kept by its own program",
            right=[((one.at or "")[:_MINUTES].replace("T", " "), "muted")],
            detail=one.path,
        )
        for one in found
    ]


def drafts_menu(
    kept: Sequence[Unsaved], titles: Mapping[str, str]
) -> list[Choice[str]]:
    """What was written and not saved; of what is gone only its name is known."""
    return [
        Choice(
            one.name,
            titles.get(one.name, one.name),
            right=[(told_time(one.time)[:_MINUTES].replace("T", " "), "muted")],
            why_not=None if one.name in titles else _why_not_edited(one.name),
        )
        for one in kept
    ]


def _why_not_edited(name: str) -> str:
    """Why one cannot go on with a draft here."""
    if name.startswith("memory."):
        return "It is of a new memory: recollect new --draft goes on with it."
    return "What it is a text of is gone."


def turns_menu(turns: Sequence[tuple[str, Sequence[str]]]) -> list[Choice[str]]:
    """The statuses that conversations can be taken to."""
    return [
        Choice(status, status, detail=" ".join(warnings)) for status, warnings in turns
    ]


def derived_menu(
    found: Sequence[tuple[str, Path]], names: Mapping[str, str]
) -> list[Choice[tuple[str, Path]]]:
    """The derived files that can be made anew, each with its store."""
    return [
        Choice(one, one[0], names.get(str(one[1]), one[1].name), detail=str(one[1]))
        for one in found
    ]


def undo_question(plan: Plan, palette: Palette) -> Question:
    """What taking a change back would do."""
    answers = (Answer("do", "↵", "take it back"),)
    return Question("undo", Joined(plan_body(plan), diff_body(plan)), answers, palette)


def _a_type(typed: str) -> None:
    if not typed.strip():
        raise WrongUseError("A link needs a type.")


def _something(typed: str) -> None:
    if not typed.strip():
        raise WrongUseError("It needs a title.")


def _first_line(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").strip().partition("\n")[0]
