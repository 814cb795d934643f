"""A single conversation: its messages by page, what was said, and what they wrote.

Other modules return a conversation as one row, or all of it at once. This one is for
browsing a conversation that may have fifty thousand messages.
"""

import os
import sqlite3
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from msgspec import Struct, field

from store.answers.records import open_conversation
from store.answers.stores import OpenStores
from store.catalogue.provenance import conversation_called, spot_of, whereabouts
from store.derive.texts import difference
from store.errors import NothingFoundError, RecollectError
from store.findings import Json, without_thoughts
from store.formats.port import Passage
from store.kinds.messages import COMPACTION, MESSAGE_KINDS, at_of
from store.kinds.table import texts
from store.transcript.blocks import CUT, inner, text

if TYPE_CHECKING:
    from store.kinds.conversations import Conversation, ConversationInFull


# A message of a transcript, with each call and its result.


class Outcome(Struct, frozen=True):
    """The result of a call, as far as the catalogue has it."""

    ref: str
    """The message that contains it."""
    text: str
    """Its beginning, or all of it if it is short."""
    is_cut: bool
    """Whether the text is only the beginning."""
    extent: int
    """The most bytes that the whole text can have, from its size in the file."""
    has_failed: bool | None
    """Whether the call failed; None if unknown."""


class Said(Struct, frozen=True):
    """One message."""

    number: int
    """Its row number in the catalogue."""
    ref: str
    line: int
    """The line that it starts at."""
    kind: str
    """One of `MESSAGE_KINDS`: `prompt reply thinking tool_use tool_result …`."""
    at: str | None
    """When it was written, as written."""
    micros: int | None
    """The same time in microseconds since 1970."""
    text: str
    """Its text, with one line per call, without its thinking."""
    thoughts: str
    """Its thinking."""
    tools: tuple[str, ...] = ()
    """The tools that it calls."""
    calls: tuple[str, ...] = ()
    """The identifiers of these calls."""
    outcomes: tuple[Outcome | None, ...] = ()
    """The result of each call; None if missing."""
    is_told: bool = False
    """Whether it contains only results that are shown with their calls."""
    has_failed: bool = False
    """Whether it contains the result of a failed call."""
    is_compaction: bool = False
    """Whether the conversation was compacted here."""
    agent: str | None = None
    """The sub-agent that wrote it, if it is in the transcript of another agent."""


class Order(Struct, frozen=True):
    """The row numbers and the lines of a conversation's messages, in order."""

    numbers: "array[int]"
    lines: "array[int]"


class Skim(Struct, frozen=True):
    """An overview of a conversation's messages, by position."""

    kinds: bytes
    """The kind of each, as an index into `MESSAGE_KINDS`."""
    micros: "array[int]"
    """The time of each, in microseconds since 1970. Never earlier than the one before;
    the same if a message has no time."""
    calls: "array[int]"
    """The position of the message whose call each one answers, or else its own
    position."""
    failed: frozenset[int]
    """The positions of messages with failed calls."""

    def of_kind(self, *kinds: str) -> "array[int]":
        """The positions of the messages of some kinds."""
        wanted = {MESSAGE_KINDS.index(kind) for kind in kinds}
        return array("q", (at for at, kind in enumerate(self.kinds) if kind in wanted))


class Written(Struct, frozen=True):
    """A memory whose file was written by a message."""

    line: int
    """The line of the message."""
    ref: str
    title: str
    type: str | None


class Opening(Struct, frozen=True):
    """The beginning of a prompt, for an outline."""

    number: int
    """The row number of the message."""
    at: str | None
    text: str


# The messages of a conversation, and an overview of them.

_AMONG = (
    "FROM conversations JOIN runs ON runs.conversation = conversations.id "
    "JOIN messages ON messages.source = runs.source "
    "AND messages.line BETWEEN runs.first_line AND runs.last_line "
    "WHERE conversations.ref = ? ORDER BY messages.line, messages.id"
)
"""The messages of a conversation; their ids and lines come from an index."""

_BEGINNING = 200
"""Characters of a prompt in an outline."""

_KIND = {kind: number for number, kind in enumerate(MESSAGE_KINDS)}
_OTHER = _KIND["other"]


def _skimmed(rows: Iterable[sqlite3.Row]) -> Skim:
    """An overview of the messages in some rows."""
    kinds = bytearray()
    micros, calls = array("q"), array("q")
    failed: set[int] = set()
    places: dict[str, int] = {}
    latest = 0
    for place, (kind, moment, errors, called, answered) in enumerate(rows):
        kinds.append(_KIND.get(kind, _OTHER))
        latest = max(latest, moment or 0)
        micros.append(latest)
        for call in orjson.loads(called) if called else ():
            places.setdefault(call, place)
        first = orjson.loads(answered)[0] if answered else ""
        calls.append(places.get(first, place))
        if errors:
            failed.add(calls[-1])
    return Skim(bytes(kinds), micros, calls, frozenset(failed))


# The text of a message, separated from its tool calls.

_BETWEEN = "\n\n"


def apart(says: str, tools: Sequence[str]) -> tuple[str, list[str]]:
    """The text without its calls, and the calls, one line each.

    A call is a paragraph of one line that starts with the tool's name. Calls come after
    the text, so the last paragraphs that can be calls are.
    """
    if not tools:
        return says, []
    names = [" ".join(name.split()) or "tool_use" for name in tools]
    words: list[str] = []
    calls: list[str] = []
    for paragraph in reversed(says.split(_BETWEEN)):
        if names and _is_call(paragraph, names[-1]):
            names.pop()
            calls.append(paragraph)
        else:
            words.append(paragraph)
    return _BETWEEN.join(reversed(words)), calls[::-1]


def _is_call(paragraph: str, name: str) -> bool:
    """Whether a paragraph is a call of a tool."""
    return "\n" not in paragraph and (
        paragraph == name or paragraph.startswith(f"{name}: ")
    )


# The memories that a conversation wrote, with the message that wrote each.

_MOST = 3
"""The most memories to list for a file of many, of which usually one was written."""

_WRITES = (
    "SELECT writes.line, writes.path, conversations.cwd "
    "FROM conversations JOIN runs ON runs.conversation = conversations.id "
    "JOIN writes ON writes.source = runs.source "
    "AND writes.line BETWEEN runs.first_line AND runs.last_line "
    "WHERE conversations.ref = ? AND NOT writes.failed ORDER BY writes.line"
)
_MEMORIES = (
    "SELECT memories.ref, memories.title, memories.type FROM memories "
    "JOIN sources ON sources.id = memories.source "
    "JOIN stores ON stores.id = sources.store "
    "WHERE stores.path = ? AND sources.path = ? ORDER BY memories.id LIMIT ?"
)


# Pages of messages, each call with its result.

_AROUND = 64
"""How many messages before and after a page are searched for the other half of a call.
A result usually follows its call, apart from the results of calls made at the same
time."""

_WHOLE = "key, line, kind, at, at_micros, tools, flags, text, "
_PAIRING = "id, ref, calls, answers, errors, extent"
_HELPER = "agent"
"""The prefix of the keys of messages that belong to a sub-agent."""

_THESE = "FROM messages WHERE id IN (SELECT value FROM json_each(?))"


class _Pairs(Struct, frozen=True):
    """Which message answers which call, among the messages read."""

    answers: dict[str, Outcome]
    """The first result of each call."""
    made: set[str]
    """The calls in these messages."""


def _paired(rows: Iterable[sqlite3.Row]) -> _Pairs:
    """The calls in some messages, and their results."""
    pairs = _Pairs({}, set())
    for row in sorted(rows, key=_number):
        pairs.made.update(texts(row["calls"]))
        answered = texts(row["answers"])
        for call in answered:
            pairs.answers.setdefault(call, _outcome(row, len(answered)))
    return pairs


def _number(row: sqlite3.Row) -> int:
    number: int = row["id"]
    return number


def _outcome(row: sqlite3.Row, answers: int) -> Outcome:
    """The result in a message; if it has several, it is unclear which one failed."""
    errors = row["errors"] or 0
    text: str = row["text"] if answers == 1 else ""
    return Outcome(
        ref=row["ref"],
        text=text,
        is_cut=answers > 1 or text.endswith(CUT),
        extent=row["extent"],
        has_failed=None if 0 < errors < answers else bool(errors),
    )


def _said(row: sqlite3.Row, pairs: _Pairs) -> Said:
    calls, answered = texts(row["calls"]), texts(row["answers"])
    text, thoughts = without_thoughts(row["kind"], row["text"])
    return Said(
        number=row["id"],
        ref=row["ref"],
        line=row["line"],
        kind=row["kind"],
        at=at_of(row["at"], row["at_micros"]),
        micros=row["at_micros"],
        text=text,
        thoughts=thoughts,
        tools=texts(row["tools"]),
        calls=calls,
        outcomes=tuple(pairs.answers.get(call) for call in calls),
        is_told=bool(answered)
        and all(_is_result_of(pairs, row, one) for one in answered),
        has_failed=bool(row["errors"]),
        is_compaction=bool((row["flags"] or 0) & COMPACTION),
        agent=_agent(row["key"]),
    )


def _is_result_of(pairs: _Pairs, row: sqlite3.Row, call: str) -> bool:
    """Whether a message's result is the one that is shown with its call."""
    return call in pairs.made and pairs.answers[call].ref == row["ref"]


def _agent(key: str | None) -> str | None:
    """The sub-agent in a message's key."""
    kind, _, rest = (key or "").partition(":")
    return rest.partition(":")[0] if kind == _HELPER and rest else None


def _listed(numbers: Iterable[int]) -> str:
    return orjson.dumps(list(numbers)).decode()


# A complete call: its input, its result, the change it made.

Part = Mapping[str, Json]
"""A block of a message, as in its source."""

_NOTED = "toolUseResult"
"""The type of the block with the agent program's own data on a result."""

_PATHS = ("file_path", "notebook_path", "filePath", "path")
_LINES = ("offset", "line", "newStart")
_SPANS = ("oldStart", "oldLines", "newStart", "newLines")
_CALLS_MOST = 2**31


class Call(Struct, frozen=True):
    """One call of a tool."""

    name: str
    given: Mapping[str, Json] = field(default_factory=dict[str, Json])
    """Its input."""
    answer: str = ""
    """The result as the agent read it."""
    pictures: tuple[int, ...] = ()
    """The sizes of the pictures in the result, in bytes."""
    has_failed: bool = False
    noted: Json = None
    """The agent program's own data on the result."""

    @property
    def command(self) -> str:
        """The shell command that it ran; empty if none."""
        return text(self.given, "command")

    @property
    def outputs(self) -> tuple[str, str]:
        """Its standard output and error; the result instead of a shorter output."""
        output, complaint = text(self._facts, "stdout"), text(self._facts, "stderr")
        if len(output) + len(complaint) >= len(self.answer):
            return output, complaint
        is_in_answer = complaint.strip() in self.answer
        return self.answer, "" if is_in_answer else complaint

    @property
    def diff(self) -> str:
        """The change to a file as a unified diff; empty if missing."""
        hunks = self._facts.get("structuredPatch")
        patch = "".join(map(_hunk, hunks)) if isinstance(hunks, list) else ""
        if patch:
            return patch
        edits = self.given.get("edits")
        single = [self.given] if "new_string" in self.given else []
        several = edits if isinstance(edits, list) else single
        changed = "".join(_edit(one) for one in several if isinstance(one, dict))
        return changed or self._written()

    @property
    def file(self) -> str | None:
        """The file that it works on."""
        places = (self.given, self._facts, inner(self._facts, "file"))
        named = (text(place, key) for place in places for key in _PATHS)
        return next(filter(None, named), None)

    @property
    def line(self) -> int | None:
        """The line in that file."""
        hunks = self._facts.get("structuredPatch")
        first = hunks[0] if isinstance(hunks, list) and hunks else None
        places = (self.given, first if isinstance(first, dict) else {})
        values = (place.get(key) for place in places for key in _LINES)
        return next((v for v in values if type(v) is int and 0 < v < _CALLS_MOST), None)

    @property
    def agent(self) -> str | None:
        """The sub-agent that it started."""
        return text(self._facts, "agentId") or None

    @property
    def text(self) -> str:
        """The part worth copying: a command, or the text written."""
        texts = (
            self.command,
            text(self.given, "content"),
            text(self.given, "new_string"),
        )
        return next(filter(None, texts), "")

    @property
    def _facts(self) -> Mapping[str, Json]:
        return self.noted if isinstance(self.noted, dict) else {}

    def _written(self) -> str:
        """A file that it wrote as a whole, as a diff that adds every line."""
        content = self.given.get("content")
        if not isinstance(content, str) or not self.given.get("file_path"):
            return ""
        return difference("", None, _ended(content))


def call_of(parts: Iterable[Part], name: str, answer: Iterable[Part] = ()) -> Call:
    """The call with an id from the blocks of a message, with its result."""
    answers = list(answer)
    nothing: Part = {}
    given = next((one for one in parts if one.get("id") == name), nothing)
    result = next((one for one in answers if one.get("tool_use_id") == name), nothing)
    noted = next((one for one in answers if one.get("type") == _NOTED), nothing)
    blocks = list(_blocks(result.get("content")))
    return Call(
        name=text(given, "name"),
        given=inner(given, "input"),
        answer="\n".join(filter(None, (text(block, "text") for block in blocks))),
        pictures=tuple(_pictures(blocks)),
        has_failed=result.get("is_error") is True,
        noted=noted.get("value"),
    )


def _blocks(content: Json) -> Iterator[Part]:
    """The blocks of a result, which may be a text, a block or a list."""
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            yield {"type": "text", "text": block}
        elif isinstance(block, dict):
            yield block


def _pictures(blocks: Iterable[Part]) -> Iterator[int]:
    for block in blocks:
        size = block.get("bytes")
        if block.get("type") == "image" and isinstance(size, int):
            yield size


def _hunk(hunk: Json) -> str:
    """A hunk of a patch in diff format; empty if it is invalid."""
    if not isinstance(hunk, dict):
        return ""
    lines, places = hunk.get("lines"), [hunk.get(key) for key in _SPANS]
    if not isinstance(lines, list) or not all(type(place) is int for place in places):
        return ""
    body = "".join(f"{line}\n" for line in lines if isinstance(line, str))
    return "@@ -{},{} +{},{} @@\n{}".format(*places, body)


def _edit(edit: Part) -> str:
    """An edit as a diff."""
    old, new = text(edit, "old_string"), text(edit, "new_string")
    return difference("", _ended(old), _ended(new))


def _ended(text: str) -> str:
    """The text with a newline at its end, so that a missing one makes no difference."""
    return text if not text or text.endswith("\n") else f"{text}\n"


# A single conversation: its messages by page, and what they wrote.

Whole = Callable[[str], Passage]
"""Reads a complete message, given its ref, from its file."""


_QUESTION = "branches"
"""The report of a format on where conversations branch off."""


class Conversations:
    """Answers about what was said in a conversation."""

    def __init__(self, stores: OpenStores) -> None:
        self._stores = stores

    def named(self, ref: str) -> "Conversation":
        """The conversation with a ref."""
        with self._stores.reader() as reader:
            for found in conversation_called(reader, ref, self._stores.now):
                return found
        raise NothingFoundError(f"{ref} no longer exists.")

    def about(self, conversation: "Conversation") -> "ConversationInFull":
        """Everything about a conversation except its messages."""
        with self._stores.reader() as reader:
            return open_conversation(reader, conversation, self._stores.now)

    def order(self, ref: str) -> Order:
        """The messages of a conversation in order, without reading them.

        They are fetched as two JSON texts, as fifty thousand rows would take three
        times as long.
        """
        with self._stores.reader() as reader:
            numbers, lines = reader.connection.execute(
                "SELECT json_group_array(id), json_group_array(line) FROM "
                f"(SELECT messages.id AS id, messages.line AS line {_AMONG})",
                (ref,),
            ).fetchone()
        return Order(array("q", orjson.loads(numbers)), array("q", orjson.loads(lines)))

    def skim(self, ref: str) -> Skim:
        """The kind, time and outcome of each message of a conversation."""
        question = f"SELECT kind, at_micros, errors, calls, answers {_AMONG}"
        with self._stores.reader() as reader:
            return _skimmed(reader.connection.execute(question, (ref,)))

    def messages(
        self, numbers: Sequence[int], first: int, last: int
    ) -> list[Said | None]:
        """The messages in a range of positions; None for those no longer there."""
        page = numbers[first:last]
        around = [
            *numbers[max(first - _AROUND, 0) : first],
            *numbers[last : last + _AROUND],
        ]
        with self._stores.reader() as reader:
            rows = reader.ask(f"SELECT {_WHOLE} {_PAIRING} {_THESE}", (_listed(page),))
            found: dict[int, sqlite3.Row] = {row["id"]: row for row in rows}
            others = reader.ask(
                f"SELECT {_PAIRING}, CASE WHEN answers IS NOT NULL THEN text END "
                f"AS text {_THESE}",
                (_listed(around),),
            )
            pairs = _paired([*found.values(), *others])
        return [_said(found[one], pairs) if one in found else None for one in page]

    def openings(self, ref: str) -> list[Opening]:
        """The beginnings of the prompts of a conversation."""
        prompts = _AMONG.replace("ORDER", "AND messages.kind = 'prompt' ORDER")
        question = (
            "SELECT messages.id, at, at_micros, "
            f"substr(text, 1, {_BEGINNING}) AS said {prompts}"
        )
        with self._stores.reader() as reader:
            return [
                Opening(row["id"], at_of(row["at"], row["at_micros"]), row["said"])
                for row in reader.ask(question, (ref,))
            ]

    def written_in(self, ref: str) -> list[Written]:
        """The memories whose files the messages of a conversation wrote."""
        with self._stores.reader() as reader:
            stores = whereabouts(reader)
            writes = reader.ask(_WRITES, (ref,)).fetchall()
            places = {(path, cwd): stores.of(path, cwd) for _, path, cwd in writes}
            memories = {
                one: reader.ask(_MEMORIES, (*map(os.fsencode, at), _MOST)).fetchall()
                for one, at in places.items()
                if at
            }
        return [
            Written(line, *memory)
            for line, path, cwd in writes
            for memory in memories.get((path, cwd), ())
        ]

    def agent_of(self, conversation: str, agent: str) -> str | None:
        """The conversation of a sub-agent, given its name and the one that started it.

        If another conversation of the same session started it, it is found as well.
        """
        with self._stores.reader() as reader:
            row = reader.ask(
                "SELECT agents.ref FROM conversations AS agents "
                "JOIN conversations AS one ON one.session = agents.session "
                "WHERE one.ref = ? AND agents.agent = ? "
                "ORDER BY agents.parent IS NOT one.id, agents.first_at LIMIT 1",
                (conversation, agent),
            ).fetchone()
        return None if row is None else str(row[0])

    def forks(self, conversation: "Conversation") -> dict[int, int]:
        """For the first line of each branch, the line that it branches off from.

        The first message after a line continues it; any later message after the same
        line starts a branch. This reads the whole file. A file that is gone has no
        branches, and neither has a format without them.
        """
        form = self._stores.format_of(conversation.store)
        if _QUESTION not in {report.name for report in form.reports}:
            return {}
        found: list[Mapping[str, Json]] = []
        words = (conversation.source,)
        with suppress(RecollectError), form.open(Path(conversation.store)) as opened:
            found = [*opened.ask(_QUESTION, words, self._stores.now)]
        forks: dict[int, int] = {}
        begun: set[int] = set()
        for row in found:
            line, begin = row["line"], row["from"]
            if isinstance(line, int) and isinstance(begin, int):
                if begin in begun:
                    forks[line] = begin
                begun.add(begin)
        return forks

    @contextmanager
    def whole(self, store: str) -> Generator[Whole]:
        """A function that reads complete messages of a store, as often as needed."""
        with self._stores.format_of(store).open(Path(store)) as opened:

            def read(ref: str) -> Passage:
                with self._stores.reader() as reader:
                    spot = spot_of(reader, ref)
                    source = reader.source(store, spot.path)
                return opened.passage(source, spot.place)

            yield read
