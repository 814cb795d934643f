"""The targets of a change: records, fields, typed values, parts of a text."""

from collections.abc import Container, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from math import isfinite, nan
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.answers.records import InFull
from store.clean import clean
from store.derive.texts import three
from store.edits.draft import Changeable
from store.edits.plan import Planned
from store.errors import NotPossibleError, WrongUseError
from store.findings import Value
from store.kinds.edges import Edge, EdgeInFull
from store.kinds.memories import MemoryInFull
from store.library import Library, Record
from store.records.intents import Archive, Intent, Move, Pin, Relate, Retag, Transit
from store.records.reports import Plan, Step
from store.text import few
from tui.browser.worker import Aim, GoneError, records_of
from tui.output.reports import title
from widgets.page import Part

# The records to change: the marked ones, or the one at the cursor.


class Target(Struct, frozen=True):
    """A record to change."""

    ref: str
    title: str
    store: str
    record: Record


def edge_of(library: Library, ref: str) -> Target | None:
    """The edge with a ref."""
    row = library.lists.number("edges", ref)
    found = library.lists.numbered("edges", [row]).get(row) if row is not None else None
    if not isinstance(found, Edge):
        return None
    return Target(ref, f"{found.type} link", found.store, found)


def targets_of(library: Library, aim: Aim) -> Sequence[Target]:
    """The records of `aim` that have a ref; raises GoneError if there are none."""
    chosen = records_of(library, aim)
    if not any(record.ref for record in chosen):
        raise GoneError(len(chosen))
    return [
        Target(record.ref, title(record), record.store, record)
        for record in chosen
        if record.ref
    ]


# Parsing of typed values.

SECONDS = "duration_s"
"""The numeric field of a journal entry."""

_SIGNS = "+-"


def retagging(text: str, own: Container[str]) -> Retag:
    """Parse tags to add and, after a minus, tags to remove, which must be there."""
    add: list[str] = []
    remove: list[str] = []
    for word in text.replace(",", " ").split():
        tag = word.lstrip(_SIGNS).removeprefix("#")
        if not tag:
            raise WrongUseError(f"{word!r} is not a tag.")
        (remove if word.startswith("-") else add).append(tag)
    if not add and not remove:
        raise WrongUseError("Enter tags: +new -old")
    for tag in remove:
        if tag not in own:
            raise WrongUseError(f"No tag {tag!r} to remove.")
    return Retag(add=tuple(add), remove=tuple(remove))


def strength(text: str) -> float | None:
    """Parse a number from 0 to 1; None if empty."""
    said = text.strip()
    why_not = f"Invalid strength {said!r}: enter a number from 0 to 1."
    return _share(said, why_not) if said else None


def _share(text: str, why_not: str) -> float:
    """Parse a number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise WrongUseError(why_not)
    return number


def seconds(text: str) -> float:
    """Parse a duration in seconds."""
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number) or number < 0:
        raise WrongUseError(f"Invalid number of seconds: {text.strip()!r}.")
    return number


# The editable fields of a record, as typed.


class Field(Struct, frozen=True):
    """A field with its value."""

    name: str
    text: str
    """The value as one would type it."""
    is_number: bool = False
    is_list: bool = False
    """Whether the value is a list, typed with bars as separators."""


def fields_of(full: InFull, *, is_called: bool = True) -> list[Field]:
    """The editable fields of a record; none for entries of append-only logs.

    Without `is_called` the title is left out, because several records are changed at
    once or the title is derived from the text.
    """
    match full:
        case MemoryInFull():
            fields = _of_memory(full)
            return [one for one in fields if is_called or one.name != "title"]
        case EdgeInFull():
            return _of_edge(full.edge)
        case Edge():
            return _of_edge(full)
        case _:
            return []


def _of_memory(full: MemoryInFull) -> list[Field]:
    memory = full.memory
    is_number = not isinstance(memory.importance, str)
    fields = [
        Field("title", memory.title),
        Field("type", memory.type or ""),
        Field("description", memory.description or ""),
        Field("tags", " ".join(memory.tags)),
        Field("importance", _written(memory.importance), is_number=is_number),
        Field("confidence", _written(memory.confidence), is_number=True),
    ]
    lists = {
        "steps": full.steps,
        "preconditions": full.preconditions,
        "postconditions": full.postconditions,
    }
    for name, values in lists.items():
        if values or memory.type == "procedure":
            fields.append(Field(name, " | ".join(values), is_list=True))
    return fields


def _of_edge(edge: Edge) -> list[Field]:
    return [
        Field("type", edge.type),
        Field("strength", _written(edge.strength), is_number=True),
        Field("context", edge.context or ""),
    ]


def value_of(field: Field, typed: str) -> Value | None:
    """The typed value as stored; None removes the field.

    Raises WrongUseError if it is invalid for the field.
    """
    text = typed.strip()
    if field.name == "title" and not text:
        raise WrongUseError("Enter a title.")
    if not text:
        return None
    if field.is_list:
        return [part.strip() for part in text.split("|") if part.strip()]
    if field.is_number:
        _share(text, f"{field.name} must be a number from 0 to 1.")
    return text


def _written(value: float | str | None) -> str:
    return "" if value is None else str(value)


# The hunks of an edit, which can be reverted one by one.


class Hunk(Struct, frozen=True):
    """Lines that were replaced by others."""

    line: int
    """Its first line in the old text, starting at 1."""
    was: bytes
    now: bytes


def hunks(before: bytes, after: bytes) -> Sequence[Hunk]:
    """The differences between two texts, in order."""
    was, now = _lines(before), _lines(after)
    return [
        Hunk(first + 1, b"".join(was[first:last]), b"".join(now[begin:end]))
        for tag, first, last, begin, end in _compared(was, now)
        if tag != "equal"
    ]


def without(before: bytes, after: bytes, hunk: int) -> bytes:
    """The new text with one hunk reverted."""
    was, now = _lines(before), _lines(after)
    number, parts = -1, list[bytes]()
    for tag, first, last, begin, end in _compared(was, now):
        number += tag != "equal"
        is_back = tag != "equal" and number == hunk
        parts += was[first:last] if is_back else now[begin:end]
    return b"".join(parts)


def _compared(
    was: list[bytes], now: list[bytes]
) -> Sequence[tuple[str, int, int, int, int]]:
    return SequenceMatcher(None, was, now, autojunk=False).get_opcodes()


def _lines(raw: bytes) -> list[bytes]:
    return raw.splitlines(keepends=True)


# Three-way differences: two texts derived from the same base.


def parts(base: bytes, mine: bytes, theirs: bytes) -> Iterator[Part]:
    """The places where one text or both differ from the base."""
    lines = three(base, mine, theirs)
    at = at_mine = at_theirs = 0
    for begin, end, m_begin, m_end, t_begin, t_end in lines.find_sync_regions():
        part = Part(
            line=at + 1,
            was=_shown(lines.base[at:begin]),
            mine=_shown(lines.a[at_mine:m_begin]),
            theirs=_shown(lines.b[at_theirs:t_begin]),
        )
        if part.was or part.mine or part.theirs:
            yield part
        at, at_mine, at_theirs = end, m_end, t_end


def _shown(lines: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(line.decode("utf-8", "replace").rstrip("\r\n") for line in lines)


# Changes of many records: planned per store; impossible ones are reported.

_WHOLE = frozenset({"link", "merge", "fix"})
"""Actions that apply to all records together, so that none can be left out."""


class Bulk(Struct, frozen=True):
    """The plan for some records."""

    plans: Sequence[Planned]
    """The plans; several stores may need several."""
    others: Sequence[tuple[Changeable, str]] = ()
    """The records that cannot be changed, each with the reason."""
    notes: Sequence[str] = ()
    """What the plan deletes."""
    unlisted: int = 0
    """The number of marked records that the list does not show."""

    @property
    def count(self) -> int:
        """The number of changed records."""
        return sum(one.count for one in self.plans)

    @property
    def is_grave(self) -> bool:
        """Whether the change needs a preview."""
        return any(one.draft.is_grave for one in self.plans)

    def plan(self, names: Mapping[str, str]) -> Plan:
        """All plans as one, for display; `names` are those of the stores, by path."""
        told = [one.plan for one in self.plans]
        roots = list(dict.fromkeys(root for one in self.plans for root in one.roots))
        action = "; ".join(plan.action for plan in told)
        if len(roots) == 1 < len(names):
            action += f" in {_name(roots[0], names)}"
        return Plan(
            action=action,
            steps=tuple(
                step if len(roots) <= 1 else _placed(step, one, names)
                for one, plan in zip(self.plans, told, strict=True)
                for step in plan.steps
            ),
            warnings=(
                *self._not_listed,
                *few(self.notes),
                *self._left_out,
                *few([w for p in told for w in p.warnings]),
            ),
        )

    @property
    def _not_listed(self) -> Sequence[str]:
        """A warning about the marked records that the list does not show."""
        if not self.unlisted:
            return ()
        what = "record is" if self.unlisted == 1 else "records are"
        return (f"{self.unlisted} marked {what} not in this list; esc clears marks.",)

    @property
    def _left_out(self) -> Sequence[str]:
        """Warnings about the records that are left out."""
        told = [f"Left out: {clean(title(one))}. {why}" for one, why in self.others]
        return few(told)


def bulk(library: Library, intent: Intent, names: Sequence[str]) -> Bulk:
    """Plan an intent for the records with these names.

    Raises NotPossibleError if it is possible for none of them.
    """
    if intent.word in _WHOLE:
        return Bulk([library.plans.plan(intent, names)])
    able, others = library.plans.sifted(intent.word, library.plans.changeable(names))
    if not able:
        raise NotPossibleError(others[0][1])
    plans = library.plans.plan_each(intent, able)
    return Bulk([one for one in plans if not one.is_idle], others)


def _name(root: Path, names: Mapping[str, str]) -> str:
    return names.get(str(root), root.name)


def _placed(step: Step, planned: Planned, names: Mapping[str, str]) -> Step:
    """A step with the name of its store in the path."""
    for root in planned.roots[1:]:
        if Path(step.path).is_relative_to(root):
            inside = Path(step.path).relative_to(root)
            return replace(step, path=f"{_name(root, names)}/{inside}")
    return replace(step, path=f"{_name(planned.root, names)}/{step.path}")


# Messages after a change.

_LONGEST, _EACH = 40, 20
"""The most characters of a title, and of each of two."""

_DONE = {
    "pin": "pinned",
    "archive": "archived",
    "delete": "deleted",
    "set": "changed",
    "tag": "tagged",
    "edit": "edited",
    "new": "created",
    "rename": "renamed",
    "link": "linked",
    "merge": "merged",
    "move": "moved",
    "append": "added",
    "transit": "set the status of",
    "rebuild": "rebuilt",
    "fix": "fixed",
    "touch": "marked as recalled:",
    "return": "restored",
}


def done(intent: Intent) -> str:
    """The past participle of an action."""
    match intent:
        case Pin(pins=False):
            return "unpinned"
        case Archive(archives=False):
            return "unarchived"
        case Move(keeps=True):
            return "copied"
        case _:
            return _DONE[intent.word]


def told(intent: Intent, titles: list[str]) -> str:
    """What was done to which records."""
    if not titles:
        return done(intent)
    if isinstance(intent, Relate):
        return f"linked “{short(titles[0], _EACH)}” to “{short(titles[-1], _EACH)}”"
    if intent.word == "merge":
        others = len(titles) - 1
        what = "1 other memory" if others == 1 else f"{others} other memories"
        return f"merged {what} into “{short(titles[0], _EACH)}”"
    what = f"“{short(titles[0])}”" if len(titles) == 1 else f"{len(titles)} records"
    if isinstance(intent, Transit):
        return f"set {what} to {intent.status}"
    if isinstance(intent, Retag):
        signs = [f"+{tag}" for tag in intent.add] + [f"-{tag}" for tag in intent.remove]
        return clean(f"{done(intent)} {what} {' '.join(signs)}")
    return f"{done(intent)} {what}"


def short(title: str, most: int = _LONGEST) -> str:
    """A title, cut to a length that still identifies it."""
    return title if len(title) <= most else f"{title[: most - 1].rstrip()}…"
