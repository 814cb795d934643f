"""The commands that agents ran which may have changed a file: nobody can tell for sure.

A command is taken for one of these if it names the file and does something that writes.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from store.catalogue.finding.finder import Finder
from store.catalogue.provenance import whereabouts
from store.catalogue.reader import Page, Reader
from store.catalogue.views import MESSAGES
from store.derive.whereabouts import Placed
from store.formats.port import Format, Passage
from store.provenance.made import Maker, Parting, Told
from store.provenance.moving import moves
from store.provenance.passages import Passages
from store.provenance.replay import Call
from store.records.conversation import Message
from store.search.language.tree import All, Named, Text
from store.times import parse

_SHELLS = ("Bash", "PowerShell", "Shell")
"""The tools that run commands."""

_MOST = 200
"""How many messages are looked at, the newest."""

_LONGEST = 200
"""How much of a command is told."""

_MOVING = re.compile(r"\b(mv|rm|unlink)\b")
"""What a command holds that may move a file, or remove it."""

_WRITING = re.compile(
    r"(?<![0-9&])>(?![&=]|\s*/dev/null)"
    r"|\b(tee|mv|cp|rm|ln|install|rsync|patch|truncate|unlink|Set-Content|Out-File)\b"
    r"|\b(sed|perl|ruby)\b[^|;&\n]*\s-[a-zA-Z]*i"
    r"|\bgit\s+(apply|checkout|merge|pull|rebase|reset|restore|revert|stash)\b"
)
"""What a command holds that writes files."""

_WORD = r"[^\s'\"=;|&<>()`]*"
"""What a path consists of in a command."""


class Commands:
    """What transcripts tell of commands."""

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
                    _maker(message, command),
                    Call("command"),
                    self._origin(passages, message, place),
                )
                for message, command in self._found(place)
            ]

    def files_of(self, store: str) -> tuple[str, ...]:
        """None: of what a command changes nobody can tell for sure."""
        del store
        return ()

    def partings(self, place: Placed) -> Iterator[Parting]:
        """The times at which a file was moved away or removed, in order."""
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
            for command in _commands(message)
            if _WRITING.search(command) and self._names(command, name, place)
        )

    def _origin(
        self, passages: Passages, message: Message, place: Placed
    ) -> Placed | None:
        """What the file was before a command of a message moved it to its place."""
        moved = self._moves(passages, message)
        origins = (old for old, new in moved if new == place != old)
        return next(origins, None)

    def _moves(
        self, passages: Passages, message: Message
    ) -> Iterator[tuple[Placed, Placed | None]]:
        """The files of stores that the commands of a message move or remove."""
        if not _MOVING.search(message.text):
            return
        passage = passages.of(message)
        folder = passage.fields.get("cwd")
        for command in _told_whole(passage):
            for old, new in moves(command, folder if isinstance(folder, str) else ""):
                origin = self._whereabouts.of(old)
                if origin:
                    yield origin, self._whereabouts.of(new) if new else None

    def _names(self, command: str, name: str, place: Placed) -> bool:
        """Whether a command names a file, as far as its words tell."""
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


def _commands(message: Message) -> Iterator[str]:
    """The commands of a message, as far as it tells them."""
    for part in message.text.split("\n\n"):
        tool, colon, command = part.partition(": ")
        if colon and tool in _SHELLS:
            yield command


def _told_whole(passage: Passage) -> Iterator[str]:
    """The commands of a message, whole."""
    for part in passage.parts:
        given = part.get("input")
        if part.get("name") in _SHELLS and isinstance(given, dict):
            command = given.get("command")
            if isinstance(command, str):
                yield command


def _maker(message: Message, command: str) -> Maker:
    return Maker(
        by="command",
        what=command[:_LONGEST],
        at=message.at,
        moment=parse(message.at).micros if message.at else None,
        ref=message.ref,
        conversation=message.conversation,
        session=message.session,
    )
