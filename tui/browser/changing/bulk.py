"""The same done to many: what can be is planned store by store, the rest is told."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from store.clean import clean
from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.library import Library
from store.planning import Planned
from store.records.intents import Intent
from store.records.reports import Plan, Step
from tui.faces.hits import title

_WHOLE = frozenset({"link", "merge", "fix"})
"""What is about all of some records together: none of them can be left out."""

_TOLD = 5
"""Warnings of a kind that are told; more are counted."""


class Bulk(Struct, frozen=True):
    """What would be done to some records."""

    plans: Sequence[Planned]
    """One for each change that it takes: several stores may need several."""
    others: Sequence[tuple[Changeable, str]] = ()
    """The records that it cannot be done to, each with why."""

    @property
    def count(self) -> int:
        """How many records it is done to."""
        return sum(one.count for one in self.plans)

    @property
    def is_grave(self) -> bool:
        """Whether somebody ought to see it before it is done."""
        return any(one.draft.is_grave for one in self.plans)

    @property
    def plan(self) -> Plan:
        """All of it, as one plan to be read."""
        told = [one.plan for one in self.plans]
        is_one = len(told) == 1
        return Plan(
            action="; ".join(plan.action for plan in told),
            steps=tuple(
                step if is_one else _placed(step, one)
                for one, plan in zip(self.plans, told, strict=True)
                for step in plan.steps
            ),
            warnings=(*self._left_out, *_few([w for p in told for w in p.warnings])),
        )

    @property
    def _left_out(self) -> Sequence[str]:
        """Who is left out, and why."""
        told = [f"Left out: {clean(title(one))}. {why}" for one, why in self.others]
        return _few(told)


def bulk(library: Library, intent: Intent, names: Sequence[str]) -> Bulk:
    """What an intent would do to the records that go by some names.

    Raises NotPossibleError where it can be done to none of them.
    """
    if intent.word in _WHOLE:
        return Bulk([library.plan(intent, names)])
    able, others = library.sifted(intent.word, library.changeable(names))
    if not able:
        raise NotPossibleError(others[0][1])
    plans = library.plan_each(intent, able)
    return Bulk([one for one in plans if not one.is_idle], others)


def _placed(step: Step, planned: Planned) -> Step:
    """A step, told from beside the stores."""
    return replace(step, path=f"{planned.root.name}/{step.path}")


def _few(told: Sequence[str]) -> list[str]:
    """The first of many sentences, and how many more there are."""
    more = len(told) - _TOLD
    return [*told[:_TOLD], *([f"… and {more} more of the kind."] if more > 0 else [])]
