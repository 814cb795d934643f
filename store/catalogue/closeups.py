"""What the messages of some conversations add up to: tools by name, tokens by model."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import orjson
from msgspec import Struct, field

from store.catalogue.reader import Reader
from store.records.conversation import Tokens
from store.records.spans import Closeup

_SAID = """
    SELECT runs.conversation, messages.source, runs.first_line, messages.model,
        messages.tokens, messages.tools
    FROM json_each(?) AS wanted
    CROSS JOIN runs ON runs.conversation = wanted.value
    CROSS JOIN messages ON messages.source = runs.source
        AND messages.line BETWEEN runs.first_line AND runs.last_line
    WHERE messages.tokens IS NOT NULL OR messages.tools IS NOT NULL
    ORDER BY runs.conversation, messages.source, messages.line
"""
_BEFORE = """
    SELECT model FROM messages WHERE source = ? AND line < ? AND model IS NOT NULL
    ORDER BY line DESC LIMIT 1
"""
"""Messages name their model only where it is another than before."""

_PARTS = 4


class _Sum(Struct):
    """What the messages of one conversation add up to so far."""

    tools: Counter[str] = field(default_factory=Counter[str])
    spent: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    model: str = ""
    """Who spoke last."""

    def spend(self, cell: str) -> None:
        """Add tokens to those of the model that speaks."""
        told = self.spent.setdefault(self.model, [0] * _PARTS)
        for at, number in enumerate(map(int, cell.split())):
            told[at] += number

    def closeup(self) -> Closeup:
        """The whole of it."""
        spent = {model: _tokens(told) for model, told in self.spent.items()}
        return Closeup(tuple(self.tools.most_common()), spent or None)


def closeups(reader: Reader, rows: Sequence[int]) -> Mapping[int, Closeup]:
    """Of each row that has messages, what they add up to."""
    sums: dict[int, _Sum] = {}
    for row, source, line, model, tokens, tools in _messages(reader, rows):
        told = sums.get(row)
        if told is None:
            told = sums[row] = _Sum()
            told.model = model or _model_before(reader, source, line)
        told.model = model or told.model
        if tokens:
            told.spend(tokens)
        if tools:
            told.tools.update(orjson.loads(tools))
    return {row: told.closeup() for row, told in sums.items()}


def _messages(
    reader: Reader, rows: Sequence[int]
) -> Iterator[tuple[int, int, int, str | None, str | None, str | None]]:
    wanted = orjson.dumps(list(rows)).decode()
    yield from reader.connection.execute(_SAID, (wanted,))


def _model_before(reader: Reader, source: int, line: int) -> str:
    """The model that spoke last before a line."""
    found = reader.connection.execute(_BEFORE, (source, line)).fetchone()
    return str(found[0]) if found else ""


def _tokens(told: Sequence[int]) -> Tokens:
    read, written, from_cache, to_cache = told
    return Tokens(
        input=read, output=written, cache_read=from_cache, cache_creation=to_cache
    )
