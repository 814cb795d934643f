"""The command `review`: go through memories one by one."""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from msgspec import Struct, field

from store.clean import clean
from store.errors import NothingFoundError, RecollectError, WrongUseError
from store.kinds.memories import Memory, MemoryInFull
from store.library import Library
from store.records.intents import Archive, Intent, Merge, Pin
from store.records.reports import Change
from store.state import last_looks
from tui.cli.apply import (
    agree,
    answered,
    can_be_asked,
    do,
    refuse_if_read_only,
    retagging,
    say,
    show_aside,
    tell,
    tell_aside,
    typed,
)
from tui.cli.editor import Editing
from tui.cli.session import Session, answer_list
from tui.output.record import text_of
from tui.output.reports import CHANGED, GONE, KEPT, Progress
from tui.output.text import Line, write_lines
from tui.terminal.streams import complain, is_for_a_person

# A short view of a memory.

_LINES = 12
"""Maximum lines of text shown at first."""


def lines_of(record: MemoryInFull, *, whole: bool = False) -> Iterator[Line]:
    """The memory's fields and text, as lines."""
    memory = record.memory
    yield Line("")
    yield Line(clean(memory.title), "bold")
    yield Line(_facts(memory), "dim")
    yield Line(clean(f"{memory.path} · {memory.ref}"), "dim")
    for problem in memory.problems:
        yield Line(f"{clean(problem)}; see `recollect health`", "yellow")
    yield Line("")
    text = text_of(record).strip("\n").split("\n")
    shown = text if whole else text[:_LINES]
    yield from map(Line, shown)
    if len(text) > len(shown):
        yield Line(f"… {len(text) - len(shown)} more lines; s shows them", "dim")


def _facts(memory: Memory) -> str:
    """The most important fields in one line, without empty ones."""
    count = memory.links_in + memory.links_out
    links = "no links" if not count else f"{count} link{'s' if count > 1 else ''}"
    parts = (
        memory.type,
        None if memory.importance is None else f"importance {memory.importance}",
        memory.stage,
        ", ".join(memory.tags),
        links,
        _dated(memory),
    )
    return clean(" · ".join(part for part in parts if part))


def _dated(memory: Memory) -> str | None:
    if memory.updated:
        return f"updated {memory.updated[:10]}"
    return f"file modified {memory.modified[:10]}" if memory.modified else None


# The review loop: one letter per memory, and `u` undoes.

_QUESTION = "[k]eep [p]in [e]dit [t]ag [m]erge [a]rchive [l]ater [u]ndo [q]uit [?] "
_HELP = """\
k  keep as it is, until it changes
p  pin                e  edit
a  archive            t  tags: +TAG -TAG
m  merge another memory into it
l  later (also Return)
b  back               s  show all of its text
u  undo the last decision
q  quit; decisions stay"""

_NEAR = 5
"""Maximum similar memories offered for a merge."""

_NEXT, _HERE, _BEFORE = 1, 0, -1


class Decided(NamedTuple):
    """A decision that can be undone."""

    at: int
    """The position in the review at which it was made."""
    back: Callable[[], None]
    """Undoes the decision."""


class Walk(Struct):
    """A review that shows memories one by one and asks for a decision."""

    library: Library
    session: Session
    arguments: argparse.Namespace
    progress: Progress
    decided: list[Decided] = field(default_factory=list[Decided])

    def run(self) -> None:
        """Review all due memories until the end or until the user quits."""
        shown = None
        while (memory := self._here()) is not None:
            if shown != memory:
                self._show(memory)
                shown = memory
            letter = typed(_QUESTION)
            if letter is None or letter.startswith("q"):
                break
            try:
                self.progress.at += self._act(letter[:1] or "l", memory)
            except RecollectError as error:
                complain(str(error))
        say(self.progress.outcome)

    def _here(self) -> Memory | None:
        """The current memory, read again; None at the end."""
        while (due := self.progress.here) is not None:
            try:
                (record,) = self.library.plans.changeable([due.memory.ref])
            except NothingFoundError:
                self.progress.decide(GONE)
                self.progress.at += 1
                continue
            if isinstance(record, Memory):
                return record
        return None

    def _act(self, letter: str, memory: Memory) -> int:
        """Run the command of a letter; returns how many memories to move on."""
        acts: dict[str, Callable[[Memory], int]] = {
            "k": self._keep,
            "p": partial(self._change, intent=Pin()),
            "a": partial(self._change, intent=Archive()),
            "e": self._edit,
            "t": self._tag,
            "m": self._merge,
            "s": partial(self._show, whole=True),
            "u": self._undo,
            "l": lambda _: _NEXT,
            "b": lambda _: max(_BEFORE, -self.progress.at),
        }
        act = acts.get(letter)
        if act is None:
            complain(_HELP)
            return _HERE
        return act(memory)

    def _keep(self, memory: Memory) -> int:
        self.library.review.note(memory)
        before = self.progress.decide(KEPT)

        def back() -> None:
            self.library.review.note(memory, is_right=False)
            del self.progress.decisions[before:]

        self.decided.append(Decided(self.progress.at, back))
        return _NEXT

    def _change(self, memory: Memory, intent: Intent, *others: Memory) -> int:
        planned = self.library.plans.plan(intent, [memory, *others])
        agree(self.library, self.arguments, [planned])
        self._note(do(self.library, self.session, planned))
        return _NEXT

    def _edit(self, memory: Memory) -> int:
        form = self.library.plans.form(memory)
        given = {**vars(self.arguments), "file": None, "draft": False, "discard": False}
        arguments = argparse.Namespace(**given)
        editing = Editing(self.library, self.session, arguments, memory, form)
        self._note(editing.run())
        return _HERE

    def _tag(self, memory: Memory) -> int:
        words = answered("Tags, as +TAG or -TAG: ").split()
        self._change(memory, retagging(words))
        return _HERE

    def _merge(self, memory: Memory) -> int:
        near = self.library.search.similar(memory.ref, _NEAR, complain)
        for number, one in enumerate(near, 1):
            complain(f"{number}  {one.memory.title} ({one.reason})")
        name = answered("Merge which one (number or REF): ")
        if name.isdecimal() and 0 < int(name) <= len(near):
            name = near[int(name) - 1].memory.ref
        (other,) = self.library.plans.changeable([name]) if name else (None,)
        if not isinstance(other, Memory) or other.ref == memory.ref:
            raise WrongUseError("Nothing was merged.")
        return self._change(memory, Merge(), other)

    def _undo(self, memory: Memory) -> int:
        del memory
        if not self.decided:
            raise WrongUseError("Nothing to undo in this review.")
        last = self.decided[-1]
        last.back()
        self.decided.pop()
        return last.at - self.progress.at

    def _note(self, change: Change | None) -> None:
        """Record how to undo a change."""
        if change is None:
            return
        before = self.progress.decide(CHANGED)

        def back() -> None:
            undone = self.library.changes.undo(change.change, is_permitted=True)
            tell(undone, self.session)
            del self.progress.decisions[before:]

        self.decided.append(Decided(self.progress.at, back))

    def _show(self, memory: Memory, *, whole: bool = False) -> int:
        """Print the memory and the progress."""
        record = self.library.records.show(memory.ref)
        if isinstance(record, MemoryInFull):
            write_lines(lines_of(record, whole=whole), coloured=True)
            say(self.progress.told)
        return _HERE


# `recollect review`: review memories one by one.

_NOTHING = "Nothing to review."


def run_review(arguments: argparse.Namespace, session: Session) -> None:
    """Review what is due; without a terminal, list it."""
    refs = [*arguments.keep, *arguments.again]
    if refs:
        refuse_if_read_only(session, arguments)
    with session.library() as library:
        library.stores.look_since(last_looks(session.places))
        if refs:
            _note(library, session, arguments)
            return
        dues = library.review.due(arguments.queues)[: arguments.limit]
        if dues and _can_walk(arguments, session):
            Walk(library, session, arguments, Progress(dues)).run()
            return
        answer_list("due", dues, json=session.json, nothing=_NOTHING)


def _can_walk(arguments: argparse.Namespace, session: Session) -> bool:
    """Whether the user can answer and changes are allowed."""
    is_to_be_read = session.json or session.is_read_only or arguments.dry_run
    return not is_to_be_read and can_be_asked() and is_for_a_person()


def _note(library: Library, session: Session, arguments: argparse.Namespace) -> None:
    """Mark memories as reviewed, or as due again."""
    is_right = bool(arguments.keep)
    for record in library.plans.changeable([*arguments.keep, *arguments.again]):
        if not isinstance(record, Memory):
            raise WrongUseError(
                f"{record.ref} isn't a memory; only those are reviewed."
            )
        option = "--again" if is_right else "--keep"
        word = "keep" if is_right else "review"
        action = f"{word} “{record.title}”"
        if arguments.dry_run:
            show_aside(session, [action])
            continue
        library.review.note(record, is_right=is_right)
        undo = f"recollect review {option} {record.ref}"
        tell_aside(action, (record.ref,), session, undo=undo)
