"""What an answer takes from all that was said in transcripts."""

from collections.abc import Iterator
from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Page
from store.search.language.parsing import parse
from tui.bench.floors import best, once, slow
from tui.bench.measure import Measure
from tui.bench.words import VOCABULARY, WORDS

_EACH = 6
"""Queries of each kind."""

_SHOWN = 50
_TRIES = 2
_ALLOWED = 0.03
"""Seconds that an answer may take."""
_MEGABYTES = 1000
"""Of so many megabytes."""

_OFTEN, _SOMETIMES, _RARELY = 0, 2_000, 30_000
"""Where in the vocabulary words begin that stand in most, in some thousand and in a few
of a gigabyte's messages."""


def measure_answers(store: Path, catalogue: Path, megabytes: int) -> Iterator[Measure]:
    """Search transcripts that were read."""
    with Library(catalogue, 0) as library:
        library.choose(beneath([store], FORMATS).stores)
        asked = list(mix())
        _answer(library, asked[0])
        floor = slow([_scan(store, word) for word in WORDS[:_EACH]])
        yield Measure(
            name=f"a full-text answer over {megabytes} MB, 19 times of 20",
            value=slow([_answer(library, text) for text in asked]),
            unit="s",
            floor="bytes.count over the transcripts",
            floor_value=floor,
            bound=_ALLOWED * max(1, megabytes / _MEGABYTES),
        )


def mix() -> Iterator[str]:
    """The queries: words of all frequencies, several, beginnings, phrases, fields."""
    for at in range(_EACH):
        often, other = VOCABULARY[_OFTEN + at], VOCABULARY[_OFTEN + at + 7]
        sometimes = VOCABULARY[_SOMETIMES + at]
        yield VOCABULARY[_RARELY + at]
        yield sometimes
        yield often
        yield f"{often} {sometimes}"
        yield sometimes[:4]
        yield f'"{often} {other}"'
        yield f"{_FIELDS[at % len(_FIELDS)]} {sometimes}"


_FIELDS = ("role:assistant", "project:project-3", "is:vault", "has:tools")


def _answer(library: Library, text: str) -> float:
    """Seconds to the best of what a query finds."""
    tree = parse(text, None, is_finished=True).tree
    return best(lambda: library.search(tree, Page(limit=_SHOWN)), _TRIES)


def _scan(store: Path, word: str) -> float:
    """Seconds to count how often a word stands in the files."""
    wanted, files = word.encode(), list(store.rglob("*.jsonl"))
    return once(lambda: sum(path.read_bytes().count(wanted) for path in files))
