"""Changes to records, conversations saved in the vault, and fixes of problems."""

from collections.abc import Hashable, Sequence
from functools import partial
from pathlib import Path

from store.errors import NotPossibleError
from store.kinds.conversations import STATUSES, Conversation
from store.kinds.problems import HALF_DONE_CHANGE, Problem
from store.library import Library, Page
from store.records.intents import (
    Archive,
    Delete,
    Intent,
    Pin,
    Rebuild,
    Rename,
    Retag,
    Set,
    Touch,
    Transit,
)
from store.records.reports import Clash, KeptReport
from store.search.tree import Named
from tui.browser.bars import counted
from tui.browser.dialogs import Dialogs
from tui.browser.display import Part
from tui.browser.lists import Lists
from tui.browser.plans import Plans, told_of
from tui.browser.popups import changes as questions
from tui.browser.session import Journal, Session
from tui.browser.status import Status
from tui.browser.targets import (
    Bulk,
    Field,
    Target,
    bulk,
    fields_of,
    retagging,
    short,
    value_of,
)
from tui.browser.undo import Undo
from tui.browser.worker import Aim, records_of
from tui.names import DERIVED
from widgets.problems import deletions, name_of

# Conversations saved in the user's vault, which `p` does instead of a change.

_SOON = 7
"""Conversations that expire within this many days are worth saving."""


class Vault(Part):
    """Conversations saved before they are deleted, without changing a store."""

    session: Session
    status: Status
    dialogs: Dialogs
    plans: Plans

    async def toggle(self, targets: Sequence[Target]) -> None:
        """Save conversations, or delete the copies if all are saved."""
        able = await self.session.ask_changes(
            lambda library: _keepable(library, targets)
        )
        names = [one.ref for one in able or targets]
        kept = await self.session.ask_changes(lambda library: _kept(library, names))
        if len(kept) < len(names):
            await self._keep_safe(able, names, len(targets) - len(able))
        else:
            await self._let_go(kept, names)

    async def _keep_safe(
        self, targets: Sequence[Target], names: Sequence[str], others: int
    ) -> None:
        await self.session.ask_changes(lambda library: library.vault.keep(names))
        told = _told([one.title for one in targets])
        left = f" · {others} left out" if others else ""
        self.status.message = f"pinned {told}{left} in your vault · u undo"
        await self.plans.changed()
        await self.plans.reviewed(Pin())

    async def _let_go(self, kept: Sequence[KeptReport], names: Sequence[str]) -> None:
        """Delete saved copies; asks first if a copy is the only one."""
        last = [one for one in kept if one.gone]
        if last:
            question = questions.last_question(last, self.dialogs.palette)
            if await self.dialogs.asked(question) != "drop":
                return
        done = await self.session.ask_changes(
            lambda library: library.vault.release(names)
        )
        told = _told([one.title for one in kept])
        self.status.message = f"unpinned {told}{' · u undo' if done.change else ''}"
        await self.plans.changed()
        await self.plans.reviewed(Pin(pins=False))

    async def rescue(self) -> None:
        """Save the conversations that expire next."""
        found = await self.session.ask_changes(
            lambda library: library.vault.endangered(_SOON)
        )
        if not found:
            self.status.message = f"Nothing unpinned expires within {_SOON} days."
            self.status.tell()
            return
        question = questions.rescue_question(found, self.dialogs.palette)
        if await self.dialogs.asked(question) != "do":
            return
        saved = await self.session.ask_changes(
            lambda library: library.vault.rescue(found)
        )
        told = _told([one.title for one in saved.kept])
        self.status.message = f"pinned {told}{' · u undo' if saved.change else ''}"
        again = await self.session.ask_changes(
            lambda library: library.vault.endangered(_SOON)
        )
        safe = {(one.store, one.path) for one in saved.kept}
        left = [one.title for one in again if (one.store, one.path) not in safe]
        if left:
            self.status.is_wrong = True
            self.status.message = f"Couldn't pin {_told(left)}: parts can't be read"
        await self.plans.changed()


def _keepable(library: Library, targets: Sequence[Target]) -> list[Target]:
    """The conversations whose transcripts are in an open store."""
    return [one for one in targets if library.plans.possible(one.ref).get("pin") == ""]


def _kept(library: Library, names: Sequence[str]) -> list[KeptReport]:
    return [kept for name in names for kept in library.vault.kept_of([name])]


def _told(titles: Sequence[str]) -> str:
    """The title of the conversation, or the number of conversations."""
    return (
        f"“{short(titles[0])}”" if len(titles) == 1 else f"{len(titles)} conversations"
    )


# Changes to the marked records or the one at the cursor.


class Changes(Part):
    """Changes to the marked records or the one at the cursor."""

    session: Session
    dialogs: Dialogs
    plans: Plans
    vault: Vault

    async def pin(self) -> None:
        """Pin the records, or unpin them if all are pinned; save conversations."""
        targets = await self.plans.targets()
        if all(isinstance(one.record, Conversation) for one in targets):
            await self.vault.toggle(targets)
            return
        pins = not all(getattr(one.record, "pinned", False) for one in targets)
        await self.plans.change(Pin(pins=pins), targets)

    async def archive(self) -> None:
        """Archive the records; unarchive them if all are archived."""
        targets = await self.plans.targets()
        away = all(getattr(one.record, "archived", False) for one in targets)
        await self.plans.change(Archive(archives=not away), targets)

    async def touch(self) -> None:
        """Mark the records as recalled."""
        await self.plans.change(Touch(), await self.plans.targets())

    async def delete(self) -> None:
        """Delete the records for good."""
        targets = await self.plans.pointed_at()
        refs = [one.ref for one in targets]
        planned = await self.plans.planned(Delete(), refs)
        self.plans.refuse_where_read_only(planned.plans)
        question = questions.deletion(
            planned.plan(self.session.names), planned.count, self.dialogs.palette
        )
        if await self.dialogs.asked(question) == "do":
            await self.plans.change(Delete(), targets, is_agreed=True)

    async def rename(self) -> None:
        """Rename the record."""
        target = (await self.plans.targets())[0]
        wanted = questions.titling("rename", target.title)

        async def rename(typed: str) -> None:
            if typed.strip() != target.title:
                await self.plans.change(Rename(title=typed.strip()), [target])

        await self.dialogs.act_on(wanted, rename)

    async def tag(self) -> None:
        """Add tags to the records, or remove some."""
        targets = await self.plans.targets()
        known = await self.session.ask(
            lambda library: library.search.values(["memories"], "tags")
        )
        wanted = questions.tagging([one.record for one in targets], known)

        async def retag(typed: str) -> None:
            await self.plans.change(retagging(typed, wanted.removable), targets)

        await self.dialogs.act_on(wanted, retag)

    async def edit_fields(self) -> None:
        """Change one field of the records."""
        targets = await self.plans.pointed_at()
        first = targets[0].ref
        full, possible = await self.session.ask(
            lambda library: (library.records.show(first), library.plans.possible(first))
        )
        is_called = len(targets) == 1 and not possible.get("rename")
        fields = fields_of(full, is_called=is_called)
        menu = questions.fields_menu(fields)
        name = await self.dialogs.pick("edit", menu)
        field = next((one for one in fields if one.name == name), None)
        if field is None:
            return
        wanted = questions.field_prompt(field, partial(value_of, field))

        async def change(typed: str) -> None:
            if typed != field.text or len(targets) > 1:
                await self.plans.change(_intent(field, typed), targets)

        await self.dialogs.act_on(wanted, change)

    async def transit(self) -> None:
        """Choose a new status for the records."""
        targets = await self.plans.targets()
        names = [one.ref for one in targets]
        turns = await self.session.ask_changes(lambda library: _turns(library, names))
        menu = questions.turns_menu(turns)
        status = await self.dialogs.pick("set status", menu)
        if status is not None:
            await self.plans.change(Transit(status=status), targets)


def _intent(field: Field, typed: str) -> Intent:
    """The change that sets a field to the typed value."""
    if field.name == "title":
        return Rename(title=typed.strip())
    if field.name == "tags":
        return _retag(field, typed)
    return Set(name=field.name, value=value_of(field, typed))


def _retag(field: Field, typed: str) -> Retag:
    before, after = field.text.split(), typed.replace(",", " ").split()
    return Retag(
        add=tuple(tag for tag in after if tag not in before),
        remove=tuple(tag for tag in before if tag not in after),
    )


# Status changes of conversations, as their own program makes them.

Turn = tuple[str, Sequence[str]]
"""A possible status, and the warnings about side effects."""


def _turns(library: Library, names: Sequence[str]) -> list[Turn]:
    """The statuses possible for all records; raises NotPossibleError if none is."""
    found: list[Turn] = []
    reasons: list[NotPossibleError] = []
    for status in STATUSES:
        try:
            planned = bulk(library, Transit(status=status), names)
        except NotPossibleError as error:
            reasons.append(error)
        else:
            found.append((status, planned.plan({}).warnings))
    if not found:
        raise reasons[0]
    return found


# Rebuilding derived files: indexes and generated pages.


def _derived(library: Library) -> list[tuple[str, Path]]:
    """The derived files that can be rebuilt, each with its store."""
    return [
        (name, store) for name in DERIVED for store in library.plans.rebuilding(name)
    ]


# Fixing problems, one or all at once, and ignoring them.

_PROBLEMS = "problems"


class Fixes(Part):
    """Fixes for problems, ignored problems, derived files."""

    session: Session
    status: Status
    lists: Lists
    dialogs: Dialogs
    plans: Plans
    journal: Journal
    undo: Undo

    async def rebuild(self) -> None:
        """Choose a derived file and preview rebuilding it."""
        found = await self.session.ask_changes(_derived)
        shown = [
            one
            for one in found
            if not self.session.stores or str(one[1]) in self.session.stores
        ]
        menu = questions.derived_menu(shown, self.session.names)
        chosen = await self.dialogs.pick("rebuild", menu)
        if chosen is None:
            return
        name, store = chosen
        planned = await self.session.ask_changes(
            lambda library: library.plans.plan(Rebuild(name=name), store=store)
        )
        idle = "Nothing to change."
        await self.plans.put_in_place(planned, f"rebuilt {name}", idle)

    async def ignore(self) -> None:
        """Ignore the problems, or stop ignoring them."""
        chosen = await self._chosen()
        if not chosen:
            return
        ignores = not all(problem.ignored for problem in chosen)
        await self.session.ask_changes(
            lambda library: library.index.ignore(chosen, ignores=ignores)
        )
        self.status.message = told_of_ignored(chosen, ignores=ignores)
        self.lists.table.marks.replace(())
        await self.lists.looked()
        self.status.tell()

    async def _chosen(self) -> list[Problem]:
        """The problems that were marked or at the cursor when the flow started."""
        found = await self.session.ask(partial(records_of, aim=self.plans.aim))
        return [one for one in found if isinstance(one, Problem)]

    async def check_again(self) -> None:
        """Read the files of the problems again, and list what is left."""
        problems = await self._chosen()
        files = list(dict.fromkeys(Path(one.store) / one.path for one in problems))
        await self.session.ask_changes(
            lambda library: library.sync(lambda _: None, again=files)
        )
        await self._list_again(f"Checked {short(files[0].name)} again.")

    async def check_fully(self) -> None:
        """Run the checks that take long, and list what they find."""
        self.status.message = "Checking everything …"
        self.status.tell()
        await self.session.ask_changes(lambda library: library.index.check_fully())
        number = await self.session.ask(lambda library: library.lists.count(_PROBLEMS))
        await self._list_again(f"Checked everything: {counted(number, _PROBLEMS)}.")

    async def _list_again(self, message: str) -> None:
        await self.plans.changed()
        self.status.message = message
        self.status.tell()

    async def fix(self) -> None:
        """Preview and apply the fixes of the line at the cursor, as one change."""
        aim = self.plans.aim
        problems = await self.session.ask(lambda library: _problems_at(library, aim))
        for past in self.journal.half_done if problems else ():
            if any(map(partial(_is_of, problems[0]), past.conflicts)):
                await self.undo.resolve(past.change)
                return
        await self._plan(problems)

    async def fix_all(self) -> None:
        """Preview and apply the fixes of all listed problems that can be fixed."""
        rows = self.plans.aim.listed
        problems = await self.session.ask(lambda library: _fixable(library, rows))
        await self._plan(problems, is_named=False, hopeless=len(rows) - len(problems))

    async def _plan(
        self, problems: Sequence[Problem], *, is_named: bool = True, hopeless: int = 0
    ) -> None:
        """Fix the problems with one preview for all stores.

        `hopeless` is the number of listed problems without an automatic fix.
        """
        if not problems:
            self.status.say("Nothing here can be fixed automatically.")
            return
        plans = await self.session.ask_changes(
            lambda library: library.plans.plan_fixes(problems, is_named=is_named)
        )
        left = [one for plan in plans for one in plan.left]
        stays = {one.problem.id for one in left}
        fixed = (one for one in problems if one.id not in stays)
        notes = [*deletions(fixed)]
        if hopeless:
            have = "problem has" if hopeless == 1 else "problems have"
            notes.insert(0, f"{hopeless} other listed {have} no automatic fix.")
        planned = Bulk(plans, left, notes)
        if await self.plans.is_wanted(planned):
            done = await self.plans.carry_out_all(planned.plans)
            self.status.message = told_of(
                f"fixed {counted(planned.count, _PROBLEMS)}", planned, done
            )
            await self.plans.changed()


def _is_of(problem: Problem, clash: Clash) -> bool:
    """Whether a problem is a half-done change of this file."""
    is_there = (problem.store, problem.path) == (clash.store, clash.path)
    return is_there and problem.code == HALF_DONE_CHANGE


def told_of_ignored(problems: Sequence[Problem], *, ignores: bool) -> str:
    """What is ignored from now on, or no longer."""
    first, number = problems[0], sum(one.count for one in problems)
    changes = "it changes" if number == 1 else "they change"
    if number == 1:
        what = short(first.message)
    elif len({(one.code, one.path) for one in problems}) == 1:
        where = "" if first.count > 1 else f" in {first.path}"
        what = f"{number:,} × {name_of(first.code).many}{where}"
    else:
        what = f"{number:,} problems"
    if ignores:
        return f"Ignored until {changes}: {what} · . show ignored"
    return f"Reported again: {what} · . hide ignored"


def _problems_at(library: Library, aim: Aim) -> list[Problem]:
    """The problems at the cursor; those of another record, the first that has a fix."""
    record = aim.current
    if aim.several:
        return _fixable(library, aim.several)
    if isinstance(record, Problem):
        return [record]
    ref = getattr(record, "ref", None)
    if not ref:
        return []
    rows = library.lists.order(_PROBLEMS, Page(), Named("ref", (ref,)))
    return _fixable(library, rows)[:1]


def _fixable(library: Library, several: Sequence[Hashable]) -> list[Problem]:
    rows = [row for row in several if isinstance(row, int)]
    found = library.lists.numbered(_PROBLEMS, rows)
    return [
        one
        for one in found.values()
        if isinstance(one, Problem) and one.fix and one.code != HALF_DONE_CHANGE
    ]
