"""The bounds of a conversation, its status, its cost and similar ones."""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from store.findings import EventFound
from store.text import regex

# Assign the messages of a transcript to conversations, by the gaps between them.
#
# The rule of spec 004: entries are sorted by time, and a new conversation starts
# wherever two of them are further apart than the gap. Messages that are not entries
# (results, notices, what sub-agents say) belong with the entries around them.

MINUTE = 60_000_000
"""A minute in microseconds."""


class Rule(Struct, frozen=True):
    """When a conversation ends."""

    gap: int = 60 * MINUTE
    """The longest silence in microseconds; after more, a new conversation starts."""
    minimum: int = 5
    """The fewest entries for which a conversation is worth a memory."""
    poll: int = 0
    """The microseconds between two looks of a program for conversations that ended."""


USUAL = Rule()
"""The rule unless the user configures another."""


Points = Sequence[tuple[int | None, int | None, bool]]
"""Messages, reduced to what the rule needs: when each was written, in microseconds or
None if unknown; when its last line was; and whether it is an entry."""


def segments(points: Points, gap: int) -> list[int]:
    """The conversation number of each message, in file order."""
    numbers = [-1] * len(points)
    bounds = _bounds(points, gap, numbers)
    if len(bounds) < 2:  # noqa: PLR2004 - nothing is divided
        return [0] * len(points)
    firsts = [first for first, _ in bounds]
    number = 0
    for index, placed in enumerate(numbers):
        if placed >= 0:
            number = placed
            continue
        begin = points[index][0]
        if begin is not None:
            number = _nearest(bounds, firsts, begin)
        numbers[index] = number
    return numbers


def _bounds(points: Points, gap: int, numbers: list[int]) -> list[tuple[int, int]]:
    """The start and end of each conversation; sets the numbers of the entries."""
    timed = [
        (begin, index, end)
        for index, (begin, end, counts) in enumerate(points)
        if counts and begin is not None
    ]
    timed.sort()
    bounds: list[tuple[int, int]] = []
    first = last = timed[0][0] if timed else 0
    number = 0
    for begin, index, end in timed:
        if begin - last > gap:
            bounds.append((first, last))
            first, number = begin, number + 1
        if begin > last:  # noqa: PLR1730 - half the time of a call
            last = begin
        if end and end > last:
            last = end
        numbers[index] = number
    return [*bounds, (first, last)] if timed else bounds


def _nearest(bounds: list[tuple[int, int]], firsts: list[int], moment: int) -> int:
    """The conversation that contains a time, or the nearer of its neighbours."""
    after = bisect_right(firsts, moment)
    if after == 0:
        return 0
    if after == len(bounds):
        return after - 1
    before_end = bounds[after - 1][1]
    is_nearer_to_next = firsts[after] - moment < moment - before_end
    return after if is_nearer_to_next else after - 1


# How later versions of spec 004's program divide a transcript: by size as well.

ENTRIES = 200
"""A conversation with this many entries is full."""

CHARACTERS = 80 * 1024
"""A conversation is full if the next entry would make it longer than this."""


class Division(Struct):
    """A conversation as divided by those versions."""

    first: int
    """When its first entry was written, in microseconds."""
    last: int
    """When its last entry was written."""
    entries: int
    characters: int
    ended_by: str | None = None
    """`gap`, `entries` or `characters`; None for the last one, which is still open."""


def divisions(entries: Iterable[tuple[int, int]]) -> Iterator[Division]:
    """Divide entries, each given as its time and length, in order of time."""
    current: Division | None = None
    for at, length in sorted(entries, key=lambda entry: entry[0]):
        reason = _reason(current, at, length) if current else None
        if current and reason is None:
            current.last = at
            current.entries += 1
            current.characters += length
            continue
        if current:
            current.ended_by = reason
            yield current
        current = Division(at, at, 1, length)
    if current:
        yield current


def _reason(current: Division, at: int, length: int) -> str | None:
    """Why an entry starts a new conversation; None if it does not."""
    if at - current.last > USUAL.gap:
        return "gap"
    if current.entries >= ENTRIES:
        return "entries"
    return "characters" if current.characters + length > CHARACTERS else None


# The status of a conversation, as defined by spec 004.

ACTIVE = "active"
READY = "ready"
SKIPPED = "skipped"


def status(silence: int | None, entries: int, rule: Rule, *, is_closed: bool) -> str:
    """The status: active until the silence exceeds the gap, then ready or skipped.

    `silence` is the time since the last message, in microseconds. A conversation is
    skipped if it is too short to become a memory.
    """
    if not is_closed and silence is not None and silence <= rule.gap:
        return ACTIVE
    return READY if entries >= rule.minimum else SKIPPED


# Token cost by prices from the settings; no prices are built in, as they change.

_MILLION = 1_000_000


class Tokens(Struct, frozen=True, kw_only=True):
    """Tokens of a conversation, counted once per API message."""

    input: int
    """Tokens read by the model."""
    output: int
    """Tokens written by the model."""
    cache_read: int
    """Tokens read from the cache."""
    cache_creation: int
    """Tokens written to the cache."""


class Price(Struct, frozen=True):
    """The price of a million tokens of a model."""

    input: float
    """Tokens read by the model."""
    output: float
    """Tokens written by the model."""
    cache_read: float
    """Tokens read from its cache."""
    cache_creation: float
    """Tokens written to its cache."""

    def of(self, tokens: Tokens) -> float:
        """The cost of some tokens."""
        return (
            tokens.input * self.input
            + tokens.output * self.output
            + tokens.cache_read * self.cache_read
            + tokens.cache_creation * self.cache_creation
        ) / _MILLION


Prices = Mapping[str, Price]
"""Prices by prefixes of model names."""


class Cost(Struct, frozen=True):
    """The amount spent, as far as prices are known."""

    amount: float
    is_all: bool
    """Whether every model with usage has a price."""


def price_of(model: str, prices: Prices) -> Price | None:
    """The price with the longest matching prefix of a model's name."""
    known = [begin for begin in prices if model.startswith(begin)]
    return prices[max(known, key=len)] if known else None


def cost(spent: Mapping[str, Tokens], prices: Prices) -> Cost | None:
    """The cost of the tokens of several models; None if no price is known."""
    priced = {model: price_of(model, prices) for model in spent}
    known = [price.of(spent[model]) for model, price in priced.items() if price]
    if not known:
        return None
    free = Tokens(input=0, output=0, cache_read=0, cache_creation=0)
    missing = [model for model, price in priced.items() if not price]
    return Cost(sum(known), all(spent[model] == free for model in missing))


# Similar sessions, by the words that people typed in them.
#
# Words are weighted by frequency and rarity, and the full vectors of two sessions are
# compared. If only the words of one side counted, as in the kit's own analyzer, any two
# sessions that share a single word would be equal.

_TOKEN = regex(r"[A-Za-z][A-Za-z0-9_]{2,}")

Vector = Mapping[str, float]


def tokens(text: str) -> Iterable[str]:
    """The words of a text that are compared."""
    return (found[0].lower() for found in _TOKEN.finditer(text))


def most_similar(
    session: str, words: Mapping[str, Counter[str]], limit: int
) -> list[tuple[str, float]]:
    """The sessions most similar to one, with their similarity: above 0, at most 1."""
    rarity = _rarity(words)
    own = _vector(words[session], rarity)
    scores = (
        (name, _cosine(own, _vector(counts, rarity)))
        for name, counts in words.items()
        if name != session
    )
    alike = [(name, score) for name, score in scores if score > 0]
    return sorted(alike, key=lambda item: (-item[1], item[0]))[:limit]


def _rarity(words: Mapping[str, Counter[str]]) -> dict[str, float]:
    """The rarity of each word among the sessions."""
    sessions = Counter(word for counts in words.values() for word in counts)
    return {
        word: math.log((len(words) + 1) / (count + 1)) + 1
        for word, count in sessions.items()
    }


def _vector(counts: Counter[str], rarity: Vector) -> Vector:
    return {word: count * rarity[word] for word, count in counts.items()}


def _cosine(one: Vector, other: Vector) -> float:
    shared = one.keys() & other.keys()
    length = math.hypot(*one.values()) * math.hypot(*other.values())
    if not length:
        return 0.0
    return min(math.fsum(one[word] * other[word] for word in shared) / length, 1.0)


# A retrospective of a session: how long it was, which tools ran, what failed.

CALLS = frozenset({"assistant", "tool_use"})
"""Kinds of lines that call tools; other lines with a tool hold its answer."""

TOP_TOOLS, TOP_FILES = 5, 10
_SECOND = 1_000_000


class Retrospective(Struct):
    """The statistics of a session."""

    events: int = 0
    calls: int = 0
    errors: int = 0
    first: int | None = None
    last: int | None = None
    """The times of the first and last event, in microseconds since 1970."""
    tools: Counter[str] = field(default_factory=Counter[str])
    files: Counter[str] = field(default_factory=Counter[str])

    @property
    def seconds(self) -> float | None:
        """Its duration; None if no event has a time."""
        if self.first is None or self.last is None:
            return None
        return (self.last - self.first) / _SECOND

    @property
    def top_tools(self) -> list[tuple[str, int]]:
        """The tools called most often, in descending order."""
        return most(self.tools, TOP_TOOLS)

    @property
    def top_files(self) -> list[tuple[str, int]]:
        """The files touched most often, in descending order."""
        return most(self.files, TOP_FILES)


def look_back(events: Iterable[EventFound]) -> Retrospective:
    """The statistics of the session with these events."""
    found = Retrospective()
    for event in events:
        found.events += 1
        found.errors += event.is_error
        if event.tool and event.kind in CALLS:
            found.calls += 1
            found.tools[event.tool] += 1
        if event.file_path:
            found.files[event.file_path] += 1
        if event.at and event.at.micros is not None:
            at = event.at.micros
            found.first = at if found.first is None else min(at, found.first)
            found.last = at if found.last is None else max(at, found.last)
    return found


def most(counts: Counter[str], limit: int) -> list[tuple[str, int]]:
    """The highest counts; ties in order of name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]
