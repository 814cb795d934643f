"""What one more letter of a query takes, typos allowed."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from rapidfuzz import fuzz, process

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Page
from store.records.memory import Memory
from store.search.language.parsing import parse
from tui.bench.floors import best, slow
from tui.bench.measure import Measure

_TYPED = ("redis timeout", "certificate", "migartion", "wroker queue", "snapshto")
"""What is typed letter by letter: some of it is there, some of it nearly."""

_WITHIN = "ertifi"
"""A part of a word."""

_SHOWN = 50
_TRIES = 2
_SHARE, _FRAME = 0.4, 0.016
"""What a letter may take, of the floor; or as many seconds as nobody sees."""
_AT_ONCE = 0.01
"""Seconds that a page may take among so many memories."""
_MEMORIES = 100_000


def measure_letters(store: Path, catalogue: Path) -> Iterator[Measure]:
    """Type into a query over the memories of a store that was read."""
    with Library(catalogue, 0) as library:
        library.choose(beneath([store], FORMATS).stores)
        memories = list(library.page("memories", Page()))
        titles = [one.title for one in memories if isinstance(one, Memory)]
        texts = [text[: end + 1] for text in _TYPED for end in range(len(text))]
        _first_page(library, texts[-1])
        name, floor = _floor(titles, texts)
        yield Measure(
            name=f"one more letter over {len(titles)} titles, 19 times of 20",
            value=slow([_letter(library, text) for text in texts]),
            unit="s",
            floor=name,
            floor_value=floor,
            bound=max(_SHARE * floor, _FRAME),
        )
        joined = "\n".join(titles).lower()
        yield Measure(
            name="a page of what holds a part of a word",
            value=best(lambda: _first_page(library, _WITHIN)),
            unit="s",
            floor="str.count over all titles, joined",
            floor_value=best(lambda: joined.count(_WITHIN)),
            bound=_AT_ONCE * max(1, len(titles) / _MEMORIES),
        )


def _letter(library: Library, text: str) -> float:
    """Seconds from a letter to the first page."""
    return best(lambda: _first_page(library, text), _TRIES)


def _first_page(library: Library, text: str) -> int:
    """Look for what somebody typed; where nothing holds it, for what is like it."""
    tree = parse(text, ["memories"]).tree
    found = list(library.page("memories", Page(limit=_SHOWN), query=tree))
    return len(found or list(islice(library.nearly("memories", tree), _SHOWN)))


def _floor(titles: Sequence[str], texts: Sequence[str]) -> tuple[str, float]:
    """The best that is there to narrow a list down, and what it takes."""
    fzf = shutil.which("fzf")
    if fzf is None:
        times = [_likeness(titles, text) for text in texts]
        return "partial_ratio of rapidfuzz over the same titles", slow(times)
    lines = "\n".join(titles)
    times = [_filter(fzf, lines, text) for text in texts]
    return "fzf --filter over the same titles", slow(times)


def _likeness(titles: Sequence[str], text: str) -> float:
    """Seconds to weigh how much each title is like a text."""
    scorer = fuzz.partial_ratio
    return best(
        lambda: process.extract(text, titles, scorer=scorer, limit=_SHOWN), _TRIES
    )


def _filter(fzf: str, lines: str, text: str) -> float:
    """Seconds that fzf takes for a text, its start included."""

    def run() -> None:
        subprocess.run(  # noqa: S603  # found where programs are
            [fzf, "--filter", text],
            input=lines,
            capture_output=True,
            check=False,
            encoding="utf-8",
        )

    return best(run, _TRIES)
