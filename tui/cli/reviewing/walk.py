"""A walk through what is due: a letter decides, and another takes that back."""

import argparse
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from msgspec import Struct, field

from store.errors import NothingFoundError, RecollectError, WrongUseError
from store.library import Library
from store.records.intents import Archive, Intent, Merge, Pin
from store.records.memory import Memory, MemoryInFull
from store.records.reports import Change
from tui.cli.changing.assigning import retagging
from tui.cli.changing.carrying import agree, do, say, tell
from tui.cli.changing.consent import answered, typed
from tui.cli.changing.editing import Editing
from tui.cli.reviewing.page import lines_of
from tui.cli.session import Session
from tui.cli.terminal import complain
from tui.faces.lines import write_lines
from tui.faces.reviewing import Progress

_QUESTION = "[k]eep [p]in [e]dit [t]ag [m]erge [a]rchive [l]ater [u]ndo [q]uit [?] "
_HELP = """\
k  it is right as it stands: due again once it changes
p  pin it            a  put it away
e  edit it           t  tags: +TAG -TAG
m  merge another memory into it
l  leave it for another time; Return does that too
b  the memory before  s  all of its text
u  take back what was decided last
q  leave off; what was decided stays"""

_NEAR = 5
"""So many memories that are like it are offered for a merge."""

_NEXT, _HERE, _BEFORE = 1, 0, -1


class Decided(NamedTuple):
    """Something that was decided in this walk."""

    at: int
    """Where it was decided."""
    back: Callable[[], None]
    """Takes it back."""


class Walk(Struct):
    """One walk; what each memory needs is decided while it is looked at."""

    library: Library
    session: Session
    arguments: argparse.Namespace
    progress: Progress
    decided: list[Decided] = field(default_factory=list[Decided])

    def run(self) -> None:
        """Go through all that is due, until the end or until that is enough."""
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
        """The memory that one looks at, as it is by now; None at the end."""
        while (due := self.progress.here) is not None:
            try:
                (record,) = self.library.changeable([due.memory.ref])
            except NothingFoundError:
                self.progress.at += 1
                continue
            if isinstance(record, Memory):
                return record
        return None

    def _act(self, letter: str, memory: Memory) -> int:
        """Do what a letter stands for; how far that leads on."""
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
        self.library.note_reviewed(memory)
        self.progress.kept += 1

        def back() -> None:
            self.library.note_reviewed(memory, is_right=False)
            self.progress.kept -= 1

        self.decided.append(Decided(self.progress.at, back))
        return _NEXT

    def _change(self, memory: Memory, intent: Intent, *others: Memory) -> int:
        planned = self.library.plan(intent, [memory, *others])
        agree(self.library, self.arguments, [planned])
        self._note(do(self.library, self.session, planned))
        return _NEXT

    def _edit(self, memory: Memory) -> int:
        form = self.library.form(memory)
        given = {**vars(self.arguments), "file": None, "draft": False}
        arguments = argparse.Namespace(**given)
        editing = Editing(self.library, self.session, arguments, memory, form)
        self._note(editing.run())
        return _HERE

    def _tag(self, memory: Memory) -> int:
        words = answered("Tags, as +TAG or -TAG: ").split()
        self._change(memory, retagging(words))
        return _HERE

    def _merge(self, memory: Memory) -> int:
        near = self.library.similar(memory.ref, _NEAR, complain)
        for number, one in enumerate(near, 1):
            complain(f"{number}  {one.memory.title} ({one.reason})")
        name = answered("Which one goes into it: its number, or a REF: ")
        if name.isdecimal() and 0 < int(name) <= len(near):
            name = near[int(name) - 1].memory.ref
        (other,) = self.library.changeable([name]) if name else (None,)
        if not isinstance(other, Memory) or other.ref == memory.ref:
            raise WrongUseError("Nothing is merged.")
        return self._change(memory, Merge(), other)

    def _undo(self, memory: Memory) -> int:
        del memory
        if not self.decided:
            raise WrongUseError("Nothing was decided here yet.")
        last = self.decided[-1]
        last.back()
        self.decided.pop()
        return last.at - self.progress.at

    def _note(self, change: Change | None) -> None:
        """Remember how a change is taken back."""
        if change is None:
            return
        self.progress.changed += 1

        def back() -> None:
            undone = self.library.undo(change.change, is_permitted=True)
            tell(undone, self.session)
            self.progress.changed -= 1

        self.decided.append(Decided(self.progress.at, back))

    def _show(self, memory: Memory, *, whole: bool = False) -> int:
        """Show how far one is, and the memory."""
        record = self.library.show(memory.ref)
        if isinstance(record, MemoryInFull):
            write_lines(lines_of(record, whole=whole), coloured=True)
            say(self.progress.told)
        return _HERE
