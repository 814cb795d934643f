"""Plans: what a change would do to the files of a store, told before it is done."""

from store.derive.difference import difference
from store.formats.port import Rebuilt
from store.records.reports import Plan, Step


def plan_of(action: str, rebuilt: Rebuilt) -> Plan:
    """The plan to write a derived file anew; it has no step if nothing would differ."""
    diff = difference(rebuilt.path, rebuilt.before, rebuilt.after)
    step = Step(
        path=rebuilt.path, before=rebuilt.before, after=rebuilt.after, diff=diff
    )
    return Plan(action=action, steps=(step,) if diff else (), warnings=rebuilt.warnings)
