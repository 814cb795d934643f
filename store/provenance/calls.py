"""Replay the tool calls and shell commands of agents that wrote a file."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from posixpath import basename, join
from typing import NamedTuple, Protocol

from msgspec import Struct

from store.catalogue.provenance import (
    answers_to,
    spot_of,
    whereabouts,
    writings_of,
    written_files,
)
from store.catalogue.reader import Page, Reader
from store.catalogue.search import Finder
from store.derive.paths import Placed
from store.errors import RecollectError
from store.findings import Json
from store.formats.port import Format, OpenStore, Passage, Source
from store.kinds.messages import MESSAGES, Message
from store.resource import Closing
from store.search.tree import All, Named, Text
from store.times import parse
from store.transcript.blocks import WRITERS, written

# Replay tool calls in order, with the text of the file before and after each.

_BOM = "\ufeff"


class Edit(Struct, frozen=True):
    """A replacement of one text by another."""

    old: str
    """The old text; empty for a whole new file."""
    new: str
    """The new text."""
    is_everywhere: bool = False
    """Whether every occurrence was replaced, or only the first."""


class Call(Struct, frozen=True):
    """What a tool was asked to write, and what its answer says."""

    tool: str
    """The name of the tool."""
    content: str | None = None
    """The whole text it wrote; None if it only edits."""
    edits: tuple[Edit, ...] = ()
    """Its edits, in order."""
    before: str | None = None
    """The text before, if the answer contains it."""


class Step(Struct, frozen=True, kw_only=True):
    """A change of the text of a file."""

    before: str | None
    """The text before; None if unknown."""
    after: str | None
    """The text after; None if unknown."""
    edits: tuple[Edit, ...] = ()
    """The edits between them; empty if the file was rewritten."""


def replay(calls: Iterable[Call]) -> Iterator[Step]:
    """The effect of each call on the file, one after the other.

    The text before a call, if reported, takes precedence over the result of earlier
    calls, as another program may have changed the file in between.
    """
    text: str | None = None
    for call in calls:
        before = text
        if call.before is not None and plain(call.before) != text:
            before = plain(call.before)
        edits = tuple(map(_plain, call.edits)) if call.content is None else ()
        text = edited(before, edits) if edits else None
        if call.content is not None:
            text = plain(call.content)
        yield Step(before=before, after=text, edits=edits)


def edited(text: str | None, edits: Iterable[Edit]) -> str | None:
    """A text with all edits applied; None if one does not apply."""
    for edit in edits:
        if not edit.old:
            text = edit.new if not text else None
        elif text is None or edit.old not in text:
            return None
        else:
            text = text.replace(edit.old, edit.new, -1 if edit.is_everywhere else 1)
    return text


def plain(text: str) -> str:
    """A text with line feeds as its only line ends, as tools see it."""
    return text.removeprefix(_BOM).replace("\r\n", "\n")


def _plain(edit: Edit) -> Edit:
    return Edit(plain(edit.old), plain(edit.new), edit.is_everywhere)


# A change to a file: who made it and when, and what is known of its text.


class Maker(Struct, frozen=True, kw_only=True):
    """The origin of a change."""

    by: str
    """`call`, `command`, `change`, `commit` or `unknown`."""
    what: str
    """The tool, the command, the action, or the subject of the commit."""
    at: str | None = None
    """The time, as written."""
    moment: int | None = None
    """The same in microseconds since 1970."""
    who: str | None = None
    """The author of the commit."""
    ref: str | None = None
    """The message, or the id of the change or commit."""
    conversation: str | None = None
    """The conversation in which it was made."""
    session: str | None = None
    """The session in which it was made."""


class Told(Struct, frozen=True):
    """A change as reported by a source of history."""

    maker: Maker
    """What made it."""
    call: Call
    """What was written or edited, as far as known."""
    origin: Placed | None = None
    """The previous file, if the change renamed it."""


class Made(Step, frozen=True, kw_only=True):
    """A change in sequence, with its texts as far as they are known."""

    maker: Maker
    """What made it."""


class Past(Protocol):
    """A source of file history."""

    @property
    def notice(self) -> str:
        """A problem that limits what is known; empty if there was none."""
        ...

    def changes_of(self, place: Placed) -> list[Told]:
        """The known changes to a file, in order of time; never raises."""
        ...

    def files_of(self, store: str) -> Iterable[str]:
        """The files of a store that it knows, whether they still exist or not."""
        ...


class Parting(NamedTuple):
    """A deletion or move of a file."""

    moment: int
    """When, in microseconds since 1970."""
    to: Placed | None
    """The new place; None if the file was deleted or left all stores."""


# Read many whole messages from their transcripts.

UNREAD = Passage()
"""A message whose transcript cannot be read now."""


class Passages(Closing):
    """Reads messages; stores opened for one stay open for the next."""

    def __init__(self, reader: Reader, formats: Mapping[Path, Format]) -> None:
        self._reader = reader
        self._formats = formats
        self._opened = ExitStack()
        self._stores: dict[str, OpenStore] = {}
        self._sources: dict[tuple[str, str], Source] = {}

    def close(self) -> None:
        """Close everything that was opened."""
        self._opened.close()

    def of(self, message: Message) -> Passage:
        """A message from its transcript; `UNREAD` if it cannot be read."""
        try:
            spot = spot_of(self._reader, message.ref)
            source = self._source(message.store, spot.path)
            return self._store(message.store).passage(source, spot.place)
        except RecollectError:
            return UNREAD

    def _source(self, store: str, path: str) -> Source:
        """A transcript as recorded when it was last read."""
        source = self._sources.get((store, path))
        if source is None:
            source = self._reader.source(store, path)
            self._sources[store, path] = source
        return source

    def _store(self, store: str) -> OpenStore:
        """A store, opened once."""
        opened = self._stores.get(store)
        if opened is None:
            place = Path(store)
            opened = self._opened.enter_context(self._formats[place].open(place))
            self._stores[store] = opened
        return opened


# The call of a tool that writes files, from its block and its answer.

Block = Mapping[str, Json]
"""A part of a message."""


class Answer(NamedTuple):
    """The answer of a tool."""

    failed: bool
    """Whether it reports that nothing was done."""
    told: Block
    """Its structured data."""


def answers_in(parts: Iterable[Block]) -> Iterator[tuple[str, Answer]]:
    """The answers in a message, by the calls they answer.

    The structured data of an answer comes after it.
    """
    results: list[Block] = []
    for part in parts:
        if part.get("type") == "tool_result":
            results.append(part)
        elif part.get("type") == "toolUseResult":
            yield from _answered(results, part.get("value"))
            results = []
    yield from _answered(results, None)


def _answered(results: Sequence[Block], value: Json) -> Iterator[tuple[str, Answer]]:
    """The answers with the data, which is only used for a single answer."""
    told = value if isinstance(value, dict) and len(results) == 1 else {}
    refused = isinstance(value, str) and value.startswith("Error")
    for result in results:
        call = result.get("tool_use_id")
        if isinstance(call, str):
            yield call, Answer(result.get("is_error") is True or refused, told)


def called(tool: str, given: Block, told: Block) -> Call:
    """What a tool was asked to write; the answer takes precedence.

    The user may have changed the agent's request before approving it.
    """
    before = _text(told, "originalFile", "originalFileContents", "original_file")
    if told.get("type") == "create":
        before = ""
    after = _text(told, "updated_file")
    if after is not None:
        return Call(tool, after, before=before)
    content = _text(told, "content") or _text(given, "content")
    if content is not None:
        return Call(tool, content, before=before)
    return Call(tool, edits=tuple(_edits(given, told)), before=before)


def _edits(given: Block, told: Block) -> Iterator[Edit]:
    """The edits of a call: several, or one."""
    several = given.get("edits")
    if isinstance(several, list):
        for one in several:
            if isinstance(one, dict):
                yield from _edits(one, {})
        return
    old = _text(told, "oldString") or _text(given, "old_string")
    new = _text(told, "newString")
    new = _text(given, "new_string") if new is None else new
    if old is not None and new is not None:
        everywhere = told.get("replaceAll", given.get("replace_all"))
        yield Edit(old, new, everywhere is True)


def _text(block: Block, *names: str) -> str | None:
    """The first text under one of several names."""
    values = (block.get(name) for name in names)
    return next((value for value in values if isinstance(value, str)), None)


# The tool calls that wrote a file, read from transcripts.


class Calls:
    """File history from transcripts."""

    notice = ""

    def __init__(
        self, reader: Reader, formats: Mapping[Path, Format], now: int
    ) -> None:
        self._reader = reader
        self._formats = formats
        self._now = now
        self._whereabouts = whereabouts(reader)
        self._files: set[Placed] | None = None

    def changes_of(self, place: Placed) -> list[Told]:
        """The successful calls that wrote a file, in order of time."""
        with Passages(self._reader, self._formats) as passages:
            return list(self._calls(place, passages))

    def files_of(self, store: str) -> Iterator[str]:
        """The files of a store that any call was meant to write."""
        if self._files is None:
            self._files = written_files(self._reader)
        return (place.path for place in self._files if place.store == store)

    def _calls(self, place: Placed, passages: Passages) -> Iterator[Told]:
        """The calls, each once even if it is in several transcripts.

        If a transcript cannot be read now, the effect of its calls is unknown.
        """
        seen: set[str] = set()
        messages = writings_of(self._reader, place, self._now)
        answering = answers_to(self._reader, [one.ref for one in messages], self._now)
        for message in messages:
            passage = passages.of(message)
            if passage is UNREAD:
                tool = next((tool for tool in message.tools if tool in WRITERS), "")
                yield Told(_maker(message, "command", tool), Call(tool))
                continue
            answers = _answers(passages, answering.get(message.ref, ()))
            for name, tool, given in self._calls_in(passage, place):
                answer = answers.get(name)
                if answer and not answer.failed and name not in seen:
                    seen.add(name)
                    call = called(tool, given, answer.told)
                    yield Told(_maker(message, "call", tool), call)

    def _calls_in(
        self, passage: Passage, place: Placed
    ) -> Iterator[tuple[str, str, Block]]:
        """The calls of a message that concern a file: identifier, tool, input."""
        folder = passage.fields.get("cwd")
        for part in passage.parts:
            tool, name, given = (part.get(key) for key in ("name", "id", "input"))
            if not isinstance(tool, str) or tool not in WRITERS:
                continue
            path = written(tool, dict(part))
            if not path or not isinstance(name, str) or not isinstance(given, dict):
                continue
            here = folder if isinstance(folder, str) else None
            if self._whereabouts.of(path, here) == place:
                yield name, tool, given


def _answers(passages: Passages, answering: Sequence[Message]) -> dict[str, Answer]:
    """The answers to the calls of a message, from the messages that answer it."""
    return {
        call: answer
        for one in answering
        for call, answer in answers_in(passages.of(one).parts)
    }


def _maker(message: Message, by: str, what: str) -> Maker:
    return Maker(
        by=by,
        what=what,
        at=message.at,
        moment=parse(message.at).micros if message.at else None,
        ref=message.ref,
        conversation=message.conversation,
        session=message.session,
    )


# Files that a shell command moves or deletes, according to its words.

_ENDS = ";&|()<>\n"
"""Characters that end a command, or are not part of its words."""

_LONGEST = 10_000
"""Characters of a command that are read."""


class Moved(NamedTuple):
    """A renamed file; both paths are as written, relative to the command's folder."""

    old: str
    new: str
    """Empty if the file was deleted."""


def moves(command: str, folder: str) -> Iterator[Moved]:
    """The moves and deletions of a command that was run in a folder.

    A target may have been a folder or not; both cases are returned.
    """
    here = folder
    for words in _commands(command[:_LONGEST]):
        match words:
            case ["cd", there]:
                here = join(here, there)
            case ["mv", *names] | ["git", "mv", *names]:
                yield from _moved(_without_options(names), here)
            case ["rm" | "unlink", *names] | ["git", "rm", *names]:
                for name in _without_options(names):
                    yield Moved(join(here, name), "")
            case _:
                pass


def _without_options(words: list[str]) -> list[str]:
    """The words of a command that are not options."""
    return [word for word in words if not word.startswith("-")]


def _moved(names: list[str], folder: str) -> Iterator[Moved]:
    *olds, target = (join(folder, name) for name in names) if names else ("",)
    for old in olds:
        yield Moved(old, target)
        yield Moved(old, join(target, basename(old.rstrip("/"))))


def _commands(command: str) -> Iterator[list[str]]:
    """The words of each command, one after the other, as far as they can be parsed."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=_ENDS)
    lexer.whitespace, lexer.commenters, lexer.whitespace_split = " \t\r", "", True
    words: list[str] = []
    try:
        for word in lexer:
            if word.strip(_ENDS):
                words.append(word)
            else:
                yield words
                words = []
    except ValueError:
        return
    yield words


# Shell commands of agents that may have changed a file; it is never certain.
#
# A command counts if it names the file and does something that writes.

_SHELLS = ("Bash", "PowerShell", "Shell")
"""The tools that run commands."""

_MOST = 200
"""The most messages searched, newest first."""

_SHOWN = 200
"""Characters of a command that are shown."""

_MOVING = re.compile(r"\b(mv|rm|unlink)\b")
"""Words of a command that may move or delete a file."""

_WRITING = re.compile(
    r"(?<![0-9&])>(?![&=]|\s*/dev/null)"
    r"|\b(tee|mv|cp|rm|ln|install|rsync|patch|truncate|unlink|Set-Content|Out-File)\b"
    r"|\b(sed|perl|ruby)\b[^|;&\n]*\s-[a-zA-Z]*i"
    r"|\bgit\s+(apply|checkout|merge|pull|rebase|reset|restore|revert|stash)\b"
)
"""Anything in a command that writes files."""

_WORD = r"[^\s'\"=;|&<>()`]*"
"""The characters of a path in a command."""


class Commands:
    """File history from shell commands in transcripts."""

    notice = ""

    def __init__(
        self,
        reader: Reader,
        finder: Finder,
        formats: Mapping[Path, Format],
        now: int,
    ) -> None:
        self._reader = reader
        self._finder = finder
        self._formats = formats
        self._now = now
        self._whereabouts = whereabouts(reader)

    def changes_of(self, place: Placed) -> list[Told]:
        """The commands that may have changed a file, in order of time."""
        with Passages(self._reader, self._formats) as passages:
            return [
                Told(
                    _maker(message, "command", command[:_SHOWN]),
                    Call("command"),
                    self._origin(passages, message, place),
                )
                for message, command in self._found(place)
            ]

    def files_of(self, store: str) -> tuple[str, ...]:
        """Empty, since it is uncertain which files a command changes."""
        del store
        return ()

    def partings(self, place: Placed) -> Iterator[Parting]:
        """When a file was moved away or deleted, in order."""
        with Passages(self._reader, self._formats) as passages:
            for message, _ in self._found(place):
                for old, new in self._moves(passages, message):
                    if old == place and message.at:
                        yield Parting(parse(message.at).micros or 0, new)

    def _found(self, place: Placed) -> Iterator[tuple[Message, str]]:
        """The commands that name a file and write, in order of time."""
        name = place.path.rpartition("/")[2]
        asked = All((Named("tool", _SHELLS), Text(name)))
        condition = self._finder.condition(self._reader, "messages", asked)
        page = Page(limit=_MOST)
        found = list(self._reader.page(MESSAGES, page, self._now, condition))
        return (
            (message, command)
            for message in reversed(found)
            for command in _told_commands(message)
            if _WRITING.search(command) and self._names(command, name, place)
        )

    def _origin(
        self, passages: Passages, message: Message, place: Placed
    ) -> Placed | None:
        """The previous place of a file that a command of a message moved."""
        moved = self._moves(passages, message)
        origins = (old for old, new in moved if new == place != old)
        return next(origins, None)

    def _moves(
        self, passages: Passages, message: Message
    ) -> Iterator[tuple[Placed, Placed | None]]:
        """The files of stores that the commands of a message move or delete."""
        if not _MOVING.search(message.text):
            return
        passage = passages.of(message)
        folder = passage.fields.get("cwd")
        for command in _whole_commands(passage):
            for old, new in moves(command, folder if isinstance(folder, str) else ""):
                origin = self._whereabouts.of(old)
                if origin:
                    yield origin, self._whereabouts.of(new) if new else None

    def _names(self, command: str, name: str, place: Placed) -> bool:
        """Whether a command names a file, judging by its words."""
        whole = f"{place.store}/{place.path}"
        folder = whole.split("/")[-2]
        for found in re.finditer(rf"{_WORD}{re.escape(name)}(?![\w.-])", command):
            path = found[0]
            if self._whereabouts.of(path) == place:
                return True
            is_bare = path == name and folder in command
            if is_bare or ("/" in path and whole.endswith(f"/{path.lstrip('./')}")):
                return True
        return False


def _told_commands(message: Message) -> Iterator[str]:
    """The commands of a message, as far as its indexed text has them."""
    for part in message.text.split("\n\n"):
        tool, colon, command = part.partition(": ")
        if colon and tool in _SHELLS:
            yield command


def _whole_commands(passage: Passage) -> Iterator[str]:
    """The whole commands of a message."""
    for part in passage.parts:
        given = part.get("input")
        if part.get("name") in _SHELLS and isinstance(given, dict):
            command = given.get("command")
            if isinstance(command, str):
                yield command
