"""The calls of agents' tools that wrote a file, read from the transcripts that tell."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from store.catalogue.provenance import whereabouts, writings_of, written_files
from store.catalogue.reader import Reader
from store.catalogue.spoken import answers_to
from store.derive.whereabouts import Placed
from store.formats.port import Format, Passage
from store.provenance.called import Answer, Block, answers_in, called
from store.provenance.made import Maker, Told
from store.provenance.passages import UNREAD, Passages
from store.provenance.replay import Call
from store.records.conversation import Message
from store.times import parse
from store.transcript.tools import WRITERS, written


class Calls:
    """What transcripts tell of how files came to be."""

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
        """The calls that wrote a file and did not fail, in order of time."""
        with Passages(self._reader, self._formats) as passages:
            return list(self._calls(place, passages))

    def files_of(self, store: str) -> Iterator[str]:
        """The files of a store that any call meant to write."""
        if self._files is None:
            self._files = written_files(self._reader)
        return (place.path for place in self._files if place.store == store)

    def _calls(self, place: Placed, passages: Passages) -> Iterator[Told]:
        """The calls, each once however many transcripts tell of it.

        Where a transcript cannot be read now, a call in it may have done anything.
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
        """The calls of a message that are about a file: identifier, tool, input."""
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
    """What was answered to the calls of a message, by the messages that answer it."""
    return {
        call: answer
        for one in answering
        for call, answer in answers_in(passages.of(one).parts)
    }


def _maker(message: Message, by: str, tool: str) -> Maker:
    return Maker(
        by=by,
        what=tool,
        at=message.at,
        moment=parse(message.at).micros if message.at else None,
        ref=message.ref,
        conversation=message.conversation,
        session=message.session,
    )
