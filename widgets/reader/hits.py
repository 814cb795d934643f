"""Where in a page what was looked for stands."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from store.search.fold import compared
from widgets.reader.runs import Run, plain

Needles = Sequence[str]
"""What was looked for: words and phrases, as they were typed."""

_MOST = 1000
"""Hits in one paragraph that stand out."""

HIT = "hit"
"""The tone of what was found."""


def marked(runs: Iterable[Run], needles: Needles) -> Iterator[Run]:
    """The same runs, those parts that are hits in a tone of their own."""
    if not needles:
        yield from runs
        return
    known = list(runs)
    spans = deque(found(plain(known), needles))
    at = 0
    for run in known:
        yield from _cut(run, at, spans)
        at += len(run.text)


def found(text: str, needles: Needles) -> list[tuple[int, int]]:
    """Where needles stand in a text, from left to right."""
    spans: set[tuple[int, int]] = set()
    for needle in needles:
        sought = compared(needle, needle)
        if not sought.strip():
            continue
        folded, places = _folded(text, needle)
        for match in islice(_pattern(sought).finditer(folded), _MOST):
            spans.add((places[match.start()], places[match.end() - 1] + 1))
    return sorted(spans)


def _folded(text: str, needle: str) -> tuple[str, Sequence[int]]:
    """A text as it is compared, and where in the text each character of that stood."""
    folded = compared(text, needle)
    if len(folded) == len(text):
        return folded, range(len(text))
    characters = [compared(character, needle) for character in text]
    places = [at for at, one in enumerate(characters) for _ in one]
    return "".join(characters), places


@lru_cache(64)
def _pattern(needle: str) -> re.Pattern[str]:
    """A needle as a pattern; a phrase may go over the end of a line."""
    return re.compile(r"\s+".join(map(re.escape, needle.split())))


def _cut(run: Run, at: int, spans: deque[tuple[int, int]]) -> Iterator[Run]:
    """A run that begins at a place, in parts: those within spans are hits.

    Spans that end in it are taken away, so that no run looks at them again.
    """
    done, length = 0, len(run.text)
    while spans and spans[0][0] - at < length:
        start, end = spans[0]
        first, last = max(start - at, done), min(end - at, length)
        if first < last:
            if done < first:
                yield run._replace(text=run.text[done:first])
            tone = f"{run.tone} {HIT}".strip()
            yield run._replace(text=run.text[first:last], tone=tone)
            done = last
        if end - at > length:
            break
        spans.popleft()
    if done < length or not length:
        yield run._replace(text=run.text[done:])
