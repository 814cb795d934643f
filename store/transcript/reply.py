"""An API message, put together from the lines that it was written in."""

from store.findings import Json, MessageFound, Tokens
from store.transcript.blocks import kept, with_thoughts
from store.transcript.place import At, envelope, instant
from store.transcript.record import Record
from store.transcript.tokens import tokens_of
from store.transcript.tools import call_line, tool_name, written

KINDS = ("other", "thinking", "tool_use", "reply")
"""The kinds of an assistant's message: the best of what its lines hold decides."""

_THINKING, _TOOL_USE, _REPLY = 1, 2, 3


class Reply:
    """A message that is being put together; lines of others may lie between its own.

    It keeps nothing of a line but what it takes from it: a hundred thousand lines that
    were kept whole would cost more time than reading them.
    """

    __slots__ = (
        "_began",
        "_calls",
        "_end",
        "_entries",
        "_envelope",
        "_key",
        "_kind",
        "_last",
        "_model",
        "_place",
        "_says",
        "_thinks",
        "_tokens",
        "_tools",
        "_writes",
    )

    def __init__(self, key: str, record: Record, place: At) -> None:
        """A message whose first line this is; the line is to be added as well."""
        self._key = key
        self._place = place
        self._envelope = envelope(record)
        self._began: Json = None
        self._last: Json = None
        self._end = 0
        self._kind = 0
        self._model: str | None = None
        self._tokens: Tokens | None = None
        self._entries = 0
        self._says: list[str] = []
        self._thinks: list[str] = []
        self._tools: tuple[str, ...] = ()
        self._calls: tuple[str, ...] = ()
        self._writes: tuple[str, ...] = ()

    def add(self, record: Record, place: At) -> None:
        """Take in one more of its lines; the first one too."""
        self._end = place.offset + place.size
        moment = record.get("timestamp")
        if moment:
            self._began = self._began or moment
            self._last = moment
        message = record.get("message")
        if not isinstance(message, dict):
            return
        model = message.get("model")
        if isinstance(model, str) and model:
            self._model = model
        self._tokens = tokens_of(message, self._tokens)
        if self._content(message.get("content")) and message.get("role") == "assistant":
            self._entries += not record.get("isSidechain")

    def found(self) -> MessageFound:
        """The message as far as its lines were added."""
        uuid, parent, session, cwd, branch = self._envelope
        place = self._place
        at = instant(self._began)
        until = None if self._last == self._began else instant(self._last)
        kind, says = KINDS[self._kind], "\n\n".join(self._says)
        return MessageFound(
            key=self._key,
            kind=kind,
            line=place.line,
            text=with_thoughts(kind, says, "\n\n".join(self._thinks)),
            role="assistant",
            at=at,
            until=None if until == at else until,
            offset=place.offset,
            extent=self._end - place.offset,
            uuid=uuid,
            parent=parent,
            session=session or place.session,
            cwd=cwd,
            branch=branch,
            model=self._model,
            tokens=self._tokens,
            tools=self._tools,
            calls=self._calls,
            writes=self._writes,
            entries=self._entries,
        )

    def _content(self, content: Json) -> bool:
        """Take in what a line holds; whether spec 004 keeps the line for it."""
        if isinstance(content, str):
            return self._text(content)
        tells = False
        if isinstance(content, list):
            for block in content:
                if isinstance(block, dict) and self._block(block):
                    tells = True
        return tells

    def _block(self, block: Record) -> bool:
        kind = block.get("type")
        if kind == "tool_use":
            return self._call(block)
        if kind == "text":
            words = block.get("text")
            return self._text(words) if isinstance(words, str) else False
        if isinstance(kind, str):
            self._aside(kind, block)
        return False

    def _aside(self, kind: str, block: Record) -> None:
        """Take in a block that is neither text nor a call."""
        if kind not in {"thinking", "redacted_thinking"}:
            self._says.append(f"[{kept(kind[:40])}]")
            return
        self._kind = self._kind or _THINKING
        words = block.get("thinking")
        if isinstance(words, str) and words:
            self._thinks.append(kept(words))

    def _text(self, words: str) -> bool:
        if words:
            self._kind = _REPLY
            self._says.append(kept(words))
        return bool(words) and not words.isspace()

    def _call(self, block: Record) -> bool:
        name = tool_name(block)
        call = block.get("id")
        self._kind = self._kind if self._kind == _REPLY else _TOOL_USE
        self._says.append(call_line(name or "tool_use", block))
        self._tools += (name or "",)
        self._calls += (call if isinstance(call, str) else "",)
        path = written(name, block) if name else None
        if path:
            self._writes += (path,)
        return bool(name)
