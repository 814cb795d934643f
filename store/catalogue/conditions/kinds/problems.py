"""How problems are searched."""

from store.catalogue.conditions.kinds.kind import SOURCE, Kind, Place
from store.catalogue.conditions.told import Told, moment, number

_PATH = "spelt_path(problems.path)"

_NOTICED = (
    "(SELECT noticed.at FROM noticed WHERE noticed.store = problems.store "
    "AND noticed.path = problems.path AND noticed.code = problems.code "
    "AND noticed.ref = coalesce(problems.ref, ''))"
)
"""When it was met first."""

PROBLEMS = Kind(
    table="problems",
    title="problems.code",
    everywhere=(
        Place(f"problems.code || char(10) || problems.message || char(10) || {_PATH}"),
    ),
    places={"message": (Place("problems.message"),), "path": (Place(_PATH),)},
    fields={
        "path": Told(_PATH),
        "store": SOURCE["store"],
        "format": Told("stores.format"),
        "ref": Told("problems.ref"),
        "line": number("problems.line"),
        "code": Told("problems.code"),
        "severity": Told("problems.severity"),
        "message": Told("problems.message"),
        "fix": Told("problems.fix"),
    },
    states={
        "hidden-text": "problems.code = 'hidden-text'",
        "secret": "problems.code IN ('secret', 'secret-not-ignored')",
    },
    belongings={
        "fix": "problems.fix IS NOT NULL",
        "ref": "problems.ref IS NOT NULL",
    },
    times=(moment(_NOTICED),),
    new=_NOTICED,
    facets={"code": "problems.code", "severity": "problems.severity"},
)
"""Problems."""
