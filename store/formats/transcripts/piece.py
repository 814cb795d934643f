"""One piece of a transcript: lines become messages, titles and counts."""

from collections import Counter
from collections.abc import Callable

from store.files.jsonl import Line
from store.findings import Json, MessageFound, Rank, SessionFound, TitleFound
from store.formats.transcripts.helpers import helper_message
from store.formats.transcripts.memory import Memory, number_of, numbered
from store.formats.transcripts.naming import Named
from store.formats.transcripts.waiting import operate
from store.transcript import (
    COUNTED,
    TITLES,
    At,
    Record,
    Reply,
    message_of,
    reply_key,
    word,
)

DUPLICATE = "(duplicate)"
"""What a line is counted as whose identifier a line before it had."""
NO_OBJECT = "(no object)"
UNTYPED = "(no type)"

_LONGEST_TITLE = 1_000
_MOST_LEAVES = 1_000

Handler = Callable[[Record, At], None]


class Piece:
    """Takes in parsed lines in order, and then tells what they hold."""

    def __init__(
        self, named: Named, memory: Memory, has_file: Callable[[str], bool]
    ) -> None:
        """`has_file` tells whether an agent has a transcript of its own."""
        self._named = named
        self._memory = memory
        self._before = memory.seen
        self._leaves = memory.leaves
        self._has_file = has_file
        self._messages: list[MessageFound | Reply] = []
        self._replies: dict[str, Reply] = {}
        self._titles: list[TitleFound] = []
        self._seen: set[str] = set()
        self.counts: Counter[str] = Counter()
        self._handlers: dict[str, Handler | None] = {
            **dict.fromkeys(COUNTED),
            "assistant": self._assistant,
            "user": self._user,
            "progress": self._progress,
            "queue-operation": self._queue,
            "summary": self._summary,
            **dict.fromkeys(TITLES, self._title),
        }

    def take(self, value: Json, line: Line, ordinal: int) -> None:
        """Take in one value of a line, which may hold several."""
        if not isinstance(value, dict):
            self.counts[NO_OBJECT] += 1
            return
        uuid, kind = value.get("uuid"), value.get("type")
        if isinstance(uuid, str) and uuid and not self._is_new(uuid):
            self.counts[DUPLICATE] += 1
            return
        if not isinstance(kind, str):
            self.counts[UNTYPED] += 1
            return
        self.counts[kind] += 1
        if self._memory.session is None:
            self._memory.session = word(value, "sessionId")
        handler = self._handlers.get(kind, self._other)
        if handler:
            number, offset, _, raw, _ = line
            session = self._named.session
            handler(value, At(number, offset, len(raw or b""), session, ordinal))

    def messages(self) -> tuple[MessageFound, ...]:
        """The messages, in the order in which they began."""
        return tuple(
            message.found() if isinstance(message, Reply) else message
            for message in self._messages
        )

    def session(
        self, parent: str | None, titles: tuple[TitleFound, ...]
    ) -> SessionFound:
        """What these lines say about the transcript, and titles from beside it."""
        return SessionFound(
            session=self._session(),
            agent=self._named.agent,
            parent=parent,
            titles=(*titles, *self._titles),
            lines=dict(self.counts),
        )

    def remember(self) -> None:
        """Note which identifiers were met."""
        self._memory.seen.add(numbered(self._seen))

    def _session(self) -> str | None:
        """The session that the name tells, else the one that the lines name."""
        known = self._named.is_certain
        return self._named.session if known else self._memory.session

    def _is_new(self, uuid: str) -> bool:
        """Whether no line before had this identifier; the first one counts."""
        if uuid in self._seen:
            return False
        if self._before and number_of(uuid) in self._before:
            return False
        self._seen.add(uuid)
        if self._leaves and uuid in self._leaves:
            text, line = self._leaves.pop(uuid)
            self._name(Rank.SUMMARY, text, At(line, 0, 0))
        return True

    def _assistant(self, record: Record, place: At) -> None:
        key = reply_key(record, place)
        reply = self._replies.get(key)
        if reply is None:
            reply = self._replies[key] = Reply(key, record, place)
            self._messages.append(reply)
        reply.add(record, place)

    def _user(self, record: Record, place: At) -> None:
        slug = record.get("slug")
        if slug and isinstance(slug, str):
            self._name(Rank.NICKNAME, slug, place)
        self._other(record, place)

    def _other(self, record: Record, place: At) -> None:
        found = message_of(record, place)
        if found:
            self._messages.append(found)

    def _progress(self, record: Record, place: At) -> None:
        data = record.get("data")
        if isinstance(data, dict) and data.get("type") == "agent_progress":
            agent = data.get("agentId")
            if isinstance(agent, str) and not self._has_file(agent):
                found = helper_message(record, data, agent, place)
                if found:
                    self._messages.append(found)

    def _queue(self, record: Record, place: At) -> None:
        found = operate(self._memory.queue, record, place)
        if found:
            self._messages.append(found)

    def _title(self, record: Record, place: At) -> None:
        rank, key = TITLES[str(record["type"])]
        text = record.get(key)
        if isinstance(text, str):
            self._name(rank, text, place)

    def _summary(self, record: Record, place: At) -> None:
        text, leaf = record.get("summary"), record.get("leafUuid")
        if not isinstance(text, str) or not isinstance(leaf, str):
            return
        if leaf in self._seen or number_of(leaf) in self._memory.seen:
            self._name(Rank.SUMMARY, text, place)
        elif len(self._memory.leaves) < _MOST_LEAVES:
            self._memory.leaves[leaf] = [text[:_LONGEST_TITLE], place.line]

    def _name(self, rank: int, text: str, place: At) -> None:
        """Note a title, unless it only repeats the one before."""
        text = text.strip()[:_LONGEST_TITLE]
        if text and self._memory.titles.get(str(rank)) != text:
            self._memory.titles[str(rank)] = text
            self._titles.append(TitleFound(rank=rank, text=text, line=place.line))
