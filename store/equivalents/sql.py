"""SQL: conditions upon a row of a ledger of agents, whichever version it has."""

from msgspec import Struct

from store.equivalents.times import bounds
from store.search.language.tree import Compared, Leaf, Named, Start, Text

_TEXTS = ("id", "branch", "status", "summary")
_TEXT = " || ' ' || ".join(f"coalesce({name}, '')" for name in _TEXTS)
_TIMES = frozenset({"started", "on", "month", "year", "since"})

ELSEWHERE = f"text in other columns than {', '.join(_TEXTS)}"
"""What is not looked for, because not every ledger has those columns."""


class Sql(Struct, frozen=True):
    """What SQL says of agents."""

    now: int
    """What ages are counted from, in microseconds since 1970."""
    negation: str = "NOT ({})"
    both: str = " AND "
    either: str = " OR "

    def leaf(self, leaf: Leaf) -> str | None:
        """What a leaf says; None where no column tells it."""
        match leaf:
            case Text(text):
                return f"instr(lower({_TEXT}), {_quoted(text.lower())}) > 0"
            case Start(text):
                return _begins(text)
            case Named() | Compared() if leaf.name in _TIMES:
                found = bounds(leaf, self.now)
                each = [f"started_ts {b.operator} {b.seconds}" for b in found or ()]
                return f"({' AND '.join(each)})" if each else None
            case Named("id", values) if all(isinstance(one, str) for one in values):
                return f"({' OR '.join(_begins(str(one)) for one in values)})"
            case _:
                return None


def _begins(text: str) -> str:
    """Whether an agent's identifier begins with a text."""
    return f"lower(substr(id, 1, {len(text)})) = {_quoted(text.lower())}"


def _quoted(text: str) -> str:
    text = text.replace("'", "''").replace("\0", "")
    return f"'{text}'"
