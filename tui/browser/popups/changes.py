"""Popups before a change: plans, conflicts, merges."""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from store.answers.records import InFull
from store.derive.texts import conflict_marks
from store.edits.conflict import Conflict
from store.edits.recovery import Unsaved
from store.errors import WrongUseError
from store.findings import Value
from store.kinds.memories import Memory, MemoryInFull
from store.library import Record
from store.records.reports import Backup, EndangeredReport, KeptReport, Past, Plan, Step
from store.text import joined
from store.times import shown_time
from tui.browser.bars import counted
from tui.browser.popups.popup import Choice, Heading, Popup, Row
from tui.browser.popups.question import Answer, Prompt, Question, TypedQuestion, Wanted
from tui.browser.targets import (
    SECONDS,
    Field,
    Hunk,
    fields_of,
    parts,
    retagging,
    seconds,
    strength,
    value_of,
)
from tui.output.text import sized
from widgets.page import Body, Joined, Part, Plain, diff_body, plan_body, three_body
from widgets.styles import Palette
from widgets.table import age, brief, fit_path, told

# Questions and menus before a change.

MANY = 10
"""Number of records from which a change needs more than one key."""

_MINUTES = len("2026-03-02T17:40")
_LINES = 10

DO = (Answer("do", "↵", "apply"),)
ALLOW = (Answer("allow", "!", "allow edits"),)
"""What can be done with a plan: apply it, or first allow edits."""

_WORDS = frozenset({"type", "importance"})
"""Fields that hold one word, which typing replaces."""


def plan_question(plan: Plan, palette: Palette, do: Sequence[Answer] = DO) -> Question:
    """Ask whether to apply a plan; `do` is what can be done with it."""
    answers = (*do, Answer("diff", "v", "show diff"))
    return Question("plan", plan_body(plan), answers, palette)


def diff_question(plan: Plan, palette: Palette, do: Sequence[Answer] = DO) -> Question:
    """Ask the same, showing the diff."""
    answers = (*do, Answer("diff", "v", "show plan"))
    question = Question("diff", diff_body(plan), answers, palette)
    question.leaving = "go back"
    return question


def save_question(
    plan: Plan, was: bytes, raw: bytes, note: str, palette: Palette
) -> Question:
    """Ask whether to save the edited text.

    If it has new conflict markers, Enter edits it again.
    """
    marks = conflict_marks(raw)
    answers = (
        Answer("do", "↵", "save"),
        Answer("again", "e", "edit again"),
        Answer("revert", "r", "revert a part"),
    )
    warnings = [note, *plan.warnings]
    if len(marks) > len(conflict_marks(was)):
        answers = (
            Answer("again", "↵", "edit again"),
            Answer("mine", "1", "save anyway"),
        )
        lines = ", ".join(map(str, marks[:_LINES]))
        warnings.append(f"The text still has conflict markers (lines {lines}).")
    told = [Plain(f"{one}\n") for one in warnings if one]
    body = Joined(*told, diff_body(plan))
    return Question("save changes?", body, answers, palette)


def hunks_menu(found: Sequence[Hunk]) -> list[Choice[int]]:
    """The hunks of an edit, one of which can be reverted."""
    return [
        Choice(
            number,
            _first_line(hunk.now) or "(removed)",
            before=[(f"{hunk.line:>4} ", "faint")],
            detail=f"was: {_first_line(hunk.was) or '(nothing)'}",
        )
        for number, hunk in enumerate(found)
    ]


def broken_question(sentence: str, palette: Palette) -> Question:
    """Report an error in the edited text, and offer to edit again."""
    answers = (Answer("again", "↵", "edit again"),)
    told = Plain(f"{sentence}\n\nYour text is saved as a draft.")
    return Question("not saved", told, answers, palette)


def draft_question(parts: Sequence[Part], time: int, palette: Palette) -> Question:
    """Ask whether to continue with a draft."""
    answers = (Answer("do", "↵", "continue"), Answer("drop", "x", "discard draft"))
    when = shown_time(time)[:_MINUTES].replace("T", " ")
    body = Joined(Plain(f"Unsaved text from {when}."), three_body(parts))
    return Question("unsaved draft", body, answers, palette)


def conflict_question(title: str, parts: Sequence[Part], palette: Palette) -> Question:
    """Ask which text to keep after another program changed the file."""
    answers = (
        Answer("both", "↵", "merge in the editor"),
        Answer("mine", "1", "keep mine"),
        Answer("theirs", "2", "keep theirs"),
    )
    told = Plain(
        f"“{title}” was changed by another program while you were editing it.\n"
        "Your text is saved as a draft."
    )
    body = Joined(told, three_body(parts))
    return Question("changed by another program", body, answers, palette)


def trouble_question(
    title: str, sentence: str, conflicts: Sequence[Conflict], palette: Palette
) -> Question:
    """Show a whole error, and the other program's version of the files."""
    steps = tuple(
        Step(path=one.path, before=None, after=None, diff=one.diff) for one in conflicts
    )
    bodies = [diff_body(Plan(action="", steps=steps, warnings=()))] if steps else []
    answers = (Answer("seen", "↵", "OK"),)
    body = Joined(Plain(sentence), *bodies)
    question = Question(title, body, answers, palette)
    question.leaving = "close"
    return question


def resolve_question(past: Past, palette: Palette) -> Question:
    """Show both versions of a half-done change; Enter postpones the decision."""
    answers = (
        Answer("later", "↵", "decide later"),
        Answer("mine", "1", "mine"),
        Answer("theirs", "2", "theirs"),
        Answer("dismiss", "4", "dismiss"),
    )
    told = (
        f"“{past.action}” is half done: another program wrote to its files.\n\n"
        "mine     finish the change\n"
        "theirs   keep what the other program wrote, undo the rest\n"
        "dismiss  leave all files as they are"
    )
    bodies: list[Body] = [Plain(told)]
    for one in past.conflicts:
        texts = (_bytes(text) for text in (one.base, one.mine, one.theirs))
        bodies += [Plain(one.path), three_body(list(parts(*texts)))]
    return Question("half done", Joined(*bodies), answers, palette)


def _bytes(text: str | None) -> bytes:
    return (text or "").encode("utf-8", "surrogateescape")


def half_done_menu(found: Sequence[Past]) -> list[Choice[str]]:
    """The half-done changes, newest first."""
    return [
        Choice(
            one.change,
            one.action,
            right=[(one.at[:_MINUTES].replace("T", " "), "muted")],
            detail=", ".join([clash.path for clash in one.conflicts] or one.paths),
        )
        for one in found
    ]


def rescue_question(found: Sequence[EndangeredReport], palette: Palette) -> Question:
    """Ask whether to save the conversations that expire next."""
    size = sized(sum(one.bytes for one in found))
    lines = [f"{one.removed[:10]}  {one.title}" for one in found]
    told = Plain(
        "\n".join(
            [
                f"{counted(len(found), 'conversations')} not pinned yet, {size}:",
                "",
                *lines,
            ]
        )
    )
    answers = (Answer("do", "↵", "pin them"),)
    return Question("expiring soon", told, answers, palette)


def copy_question(title: str, store: str, palette: Palette) -> Question:
    """Ask whether to copy a memory of another store before it is used here."""
    told = Plain(
        f"“{title}” is in {store}; links and merges stay within a store.\n\n"
        "Copy it here first? The original stays, and u undoes the copy."
    )
    return Question("other store", told, (Answer("do", "↵", "copy it here"),), palette)


def last_question(last: Sequence[KeptReport], palette: Palette) -> Question:
    """Ask whether to delete the only copies of conversations; Enter cancels."""
    lines = "\n".join(f"  {one.title}" for one in last)
    told = Plain(f"The original is gone; this is the only copy:\n\n{lines}")
    answers = (
        Answer("keep", "↵", "keep it"),
        Answer("drop", "x", "delete it for good"),
    )
    return Question("unpin", told, answers, palette)


def deletion(plan: Plan, count: int, palette: Palette) -> Question:
    """Show what would be deleted; for many records, ask the user to type the number."""
    body = Joined(plan_body(plan), diff_body(plan))
    answer = Answer("do", "↵", "delete")
    if count < MANY:
        return Question("delete", body, (answer,), palette)
    return TypedQuestion("delete", body, answer, f"delete {count}", palette)


def tagging(records: Sequence[Record], known: Sequence[tuple[str, int]]) -> Wanted:
    """The prompt for tags to add and remove."""
    own = [getattr(record, "tags", ()) for record in records]
    shared = [tag for tag in own[0] if all(tag in tags for tags in own)]
    has = " ".join(f"#{tag}" for tag in shared)
    offers = [
        Choice(tag, tag, before=[("#", "tag")], right=[(brief(count), "muted")])
        for tag, count in known
    ]
    many = f"tags of {len(records)}" if len(records) > 1 else "tags"
    title = f"{many} · {has}" if has else many
    removable = frozenset[str]().union(*own)
    return Wanted(
        title,
        "+new -old",
        check=partial(retagging, own=removable),
        offers=offers,
        is_free=True,
        removable=removable,
    )


def prompt(wanted: Wanted, palette: Palette) -> Prompt:
    """The popup that asks for a text."""
    return Prompt(wanted, palette)


def titling(what: str, text: str = "") -> Wanted:
    """The prompt for a title."""
    return Wanted(what, "title", text, check=_needed("a title"))


def entry_prompts(kind: str) -> Sequence[tuple[str, Wanted]]:
    """The prompts for the fields of a log entry."""
    asked = {
        "episode": {
            "title": Wanted("", "what happened", check=_needed("a title")),
            "summary": Wanted("", "summary (optional)"),
        },
        "task": {
            "name": Wanted("", "task name", check=_needed("a name")),
            SECONDS: Wanted("", "duration in seconds", check=seconds),
        },
        "claim": {
            "value": Wanted("", "claimed value"),
            "evidence_tier": Wanted(
                "", "how sure", check=_tier, offers=_TIERS, is_list=True
            ),
            "pointer": Wanted(
                "", "path, URL or ref of it", check=_needed("the evidence")
            ),
        },
    }
    return [
        (name, replace(wanted, title=f"{kind}: {name.replace('_', ' ')}"))
        for name, wanted in asked[kind].items()
    ]


_TIERS = (
    Choice("REAL", "REAL", "measured"),
    Choice("FROM-JOURNAL", "FROM-JOURNAL", "read in a journal"),
    Choice("ESTIMATE-HTC", "ESTIMATE-HTC", "estimated"),
)
"""How sure a claim can be."""


def _tier(typed: str) -> None:
    if typed not in {one.value for one in _TIERS}:
        raise WrongUseError("Choose one from the list.")


def _needed(what: str) -> Callable[[str], None]:
    """A check that something was typed."""

    def check(typed: str) -> None:
        if not typed.strip():
            raise WrongUseError(f"Enter {what}.")

    return check


def linking(types: Sequence[tuple[str, int]], usual: str) -> Wanted:
    """The prompt for the type of a link, and its strength if it is typed behind."""
    counts = {usual: 0} | dict(types)
    offers = [
        Choice(
            name,
            name,
            right=[(brief(count) if count else "", "muted")],
            detail="Add a number for the strength: SOLVES 0.8",
        )
        for name, count in counts.items()
    ]
    return Wanted(
        "link type",
        "TYPE, or TYPE 0.8",
        usual,
        check=typed_link,
        offers=offers,
        is_replaced=True,
        is_list=True,
    )


def typed_link(typed: str) -> tuple[str, float | None]:
    """The type of a link, and its strength if there is a number behind."""
    kind, _, last = typed.strip().rpartition(" ")
    if kind and last[:1].isdigit():
        return kind.strip(), strength(last)
    if not typed.strip():
        raise WrongUseError("Enter a link type.")
    return typed.strip(), None


def typing(types: Sequence[tuple[str, int]]) -> Wanted:
    """The prompt for the type of a memory."""
    offers = [
        Choice(name, name, right=[(brief(count), "muted")]) for name, count in types
    ]
    none = Choice("", "default", "what the format uses")
    hint = "choose one, or type a new one"
    return Wanted("memory type", hint, offers=[none, *offers], is_list=True)


def stay_menu(fulls: Sequence[InFull], now: int) -> list[Choice[str]]:
    """The memories of a merge, to choose the one to keep: file, age, differences.

    Titles that begin alike are cut in the middle, as their ends tell them apart.
    """
    found = [full for full in fulls if isinstance(full, MemoryInFull)]
    apart = differing_parts([full.body for full in found])
    are_alike = len({full.memory.title[:_ALIKE] for full in found}) < len(found)
    return [
        Choice(
            one.ref,
            fit_path(told(one.title), _TITLE) if are_alike else one.title,
            right=[(f"{_file(one)} ", ""), (_age(one, now), "muted")],
            detail=f"{told(_place(one))} · {told(text)}",
        )
        for one, text in zip((full.memory for full in found), apart, strict=True)
    ]


_ALIKE, _TITLE, _FILE = 30, 40, 26
"""The letters of titles that begin alike; cells of a title, and of a file beside."""


def _file(memory: Memory) -> str:
    """The name of a memory's file, cut in the middle."""
    return fit_path(told(_place(memory)).rpartition("/")[2], _FILE)


def _place(memory: Memory) -> str:
    """The file of a memory, and its line if the file has several."""
    return f"{memory.path}:{memory.line}" if memory.line else memory.path


def _age(memory: Memory, now: int) -> str:
    return f"{age(memory.updated or memory.created, now):>4}"


def differing_parts(texts: Sequence[str]) -> list[str]:
    """Each text from where they begin to differ, by its first line."""
    equal = takewhile(lambda letters: len({*letters}) == 1, zip(*texts, strict=False))
    same = "".join(letters[0] for letters in equal)
    if any(text[len(same) :][:1].strip() for text in texts):
        same = same[: max(same.rfind(" "), same.rfind("\n")) + 1]
    rests = [_first_line_merging(text[len(same) :]) for text in texts]
    return [f"… {rest or '(ends here)'}" if same else rest for rest in rests]


def fields_menu(fields: Sequence[Field]) -> list[Choice[str]]:
    """The editable fields with their values."""
    return [Choice(one.name, one.name, one.text or "–") for one in fields]


def field_prompt(field: Field, check: Callable[[str], object]) -> Wanted:
    """The prompt for the value of a field."""
    hint = "a | b | c" if field.is_list else "0 to 1" if field.is_number else "value"
    is_replaced = field.is_number or field.name in _WORDS
    text = f"{field.text} " if field.name == "tags" and field.text else field.text
    return Wanted(field.name, hint, text, check, is_replaced=is_replaced)


def log_menu(past: Sequence[Past]) -> list[Choice[str]]:
    """All changes, newest first."""
    return [
        Choice(
            one.change,
            one.action,
            before=[("↶ " if one.undone else "✓ ", "muted" if one.undone else "ok")],
            right=[(one.at[:16].replace("T", " "), "muted")],
            detail=f"{one.store}: {', '.join(one.paths)}",
            why_not="undone already" if one.undone else None,
        )
        for one in past
    ]


def backups_menu(found: Sequence[Backup]) -> list[Choice[str]]:
    """The backups of a file, newest first."""
    return [
        Choice(
            one.backup,
            f"before {one.action}" if one.action else "made by its own program",
            right=[((one.at or "")[:_MINUTES].replace("T", " "), "muted")],
            detail=one.path,
        )
        for one in found
    ]


def drafts_menu(
    kept: Sequence[Unsaved], titles: Mapping[str, str], opened: Container[str]
) -> list[Choice[str]]:
    """The unsaved drafts; those whose record isn't known are shown by file name."""
    return [
        Choice(
            one.name,
            titles.get(one.name) or one.title or one.name,
            right=[(shown_time(one.time)[:_MINUTES].replace("T", " "), "muted")],
            why_not=None if one.name in titles else _why_not_edited(one, opened),
        )
        for one in kept
    ]


def _why_not_edited(draft: Unsaved, opened: Container[str]) -> str:
    """Why a draft cannot be continued here."""
    if draft.store is not None and draft.store not in opened:
        return f"Its store is not open: {draft.store}"
    if draft.name.startswith("memory."):
        return "Draft of a new memory. Run recollect new --draft to continue."
    return "The memory this draft belongs to no longer exists."


def turns_menu(turns: Sequence[tuple[str, Sequence[str]]]) -> list[Choice[str]]:
    """The possible statuses of conversations."""
    return [
        Choice(status, status, detail=" ".join(warnings)) for status, warnings in turns
    ]


def derived_menu(
    found: Sequence[tuple[str, Path]], names: Mapping[str, str]
) -> list[Choice[tuple[str, Path]]]:
    """The derived files that can be rebuilt, each with its store."""
    return [
        Choice(one, one[0], names.get(str(one[1]), one[1].name), detail=str(one[1]))
        for one in found
    ]


def undo_question(plan: Plan, palette: Palette, *, is_possible: bool) -> Question:
    """Ask whether to undo a change, or to go to a later one that builds on it."""
    later = Answer("later", "↵", "show the later change")
    answers = (Answer("do", "↵", "undo") if is_possible else later,)
    return Question("undo", Joined(plan_body(plan), diff_body(plan)), answers, palette)


def _first_line(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").strip().partition("\n")[0]


# The merge dialog: which value to keep for each field that differs.

Place = tuple[str, int]
"""A field, and the index of the memory whose value is used."""

_UNITED = frozenset({"tags"})
"""Fields that are united in any case."""

_TEXT = "text"
_BOTH, _PAIR = -1, 2
_JOINED = "both, concatenated"
_LINE = 60


class MergeChoice(Struct, frozen=True):
    """The chosen values."""

    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    body: str | None = None
    """The chosen text; None joins all texts."""


class MergeChoices(Popup[MergeChoice]):
    """Asks for a value of each differing field; the first row continues."""

    is_menu = True

    def __init__(self, fulls: Sequence[InFull], palette: Palette) -> None:
        """The first memory is the one that stays."""
        super().__init__("merge", "choose values, then continue", palette)
        self._memories = [full for full in fulls if isinstance(full, MemoryInFull)]
        self._fields = _differing(self._memories)
        self._chosen = dict.fromkeys(self._fields, 0) | {_TEXT: _BOTH}

    def rows(self, typed: str) -> Sequence[Row]:
        """The row that continues, then the values of each field."""
        del typed
        rows: list[Row] = [
            Choice(("do", 0), "continue", "show the plan", before=[("▸ ", "key")])
        ]
        for name, values in self._fields.items():
            rows += [Heading(name), *self._choices(name, values)]
        bodies = [one.body.strip() for one in self._memories]
        parts = zip(
            self._memories, map(str.strip, differing_parts(bodies)), strict=True
        )
        other = "the other one" if len(bodies) == _PAIR else ""
        texts = [
            f"only {(other or _file(one.memory)) if at else 'the kept one'}: {part}"
            for at, (one, part) in enumerate(parts)
        ]
        is_within = joined(bodies) in bodies
        both = "the longer one, which contains the rest" if is_within else _JOINED
        rows += [Heading(_TEXT), self._choice(_TEXT, _BOTH, both)]
        rows += self._choices(_TEXT, texts)
        return rows

    def chose(self, choice: Choice[Any]) -> None:
        """Select a value, or close with the selection."""
        name, at = choice.value
        if name == "do":
            self.dismiss(self._choice_made())
        else:
            self._chosen[name] = at
            self.fill(keeps=True)

    def _choices(self, name: str, values: Sequence[str]) -> list[Choice[Place]]:
        return [self._choice(name, at, value) for at, value in enumerate(values)]

    def _choice(self, name: str, at: int, value: str) -> Choice[Place]:
        is_chosen = self._chosen[name] == at
        sign = ("✓ ", "marked") if is_chosen else ("  ", "")
        return Choice((name, at), told(value) or "–", before=[sign])

    def _choice_made(self) -> MergeChoice:
        first = self._memories[0]
        fields: dict[str, Value] = {}
        for name, values in self._fields.items():
            at = self._chosen[name]
            own = next(one for one in fields_of(first) if one.name == name)
            value = value_of(own, values[at])
            if at and value is not None:
                fields[name] = value
        at = self._chosen[_TEXT]
        return MergeChoice(fields, None if at == _BOTH else self._memories[at].body)


def _differing(memories: Sequence[MemoryInFull]) -> dict[str, list[str]]:
    """The fields that differ, with the value of each memory."""
    all_fields = [{one.name: one for one in fields_of(full)} for full in memories]
    names = [name for name in all_fields[0] if name not in _UNITED] if memories else []
    values = {name: [_text(one.get(name)) for one in all_fields] for name in names}
    return {name: texts for name, texts in values.items() if len(set(texts)) > 1}


def _text(found: Field | None) -> str:
    return found.text if found else ""


def _first_line_merging(body: str) -> str:
    """The first line that says something, which a fence or a rule does not."""
    lines = body.strip().splitlines() or [""]
    return next((one for one in lines if " " in one), lines[0])[:_LINE]
