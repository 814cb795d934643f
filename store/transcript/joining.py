"""One message that came in several parts."""

from msgspec.structs import replace

from store.findings import MessageFound
from store.transcript.blocks import with_thoughts, without_thoughts
from store.transcript.reply import KINDS
from store.transcript.tokens import most


def join(first: MessageFound, second: MessageFound) -> MessageFound:
    """The message that two parts make, the earlier one first; associative."""
    until = second.until or second.at or first.until
    at = first.at or second.at
    kind = _better(first.kind, second.kind)
    return replace(
        first,
        kind=kind,
        text=_text(kind, first, second),
        at=at,
        until=until if until != at else None,
        extent=second.offset + second.extent - first.offset,
        model=second.model or first.model,
        tokens=most(first.tokens, second.tokens),
        tools=first.tools + second.tools,
        calls=first.calls + second.calls,
        answers=first.answers + second.answers,
        errors=first.errors + second.errors,
        writes=first.writes + second.writes,
        entries=first.entries + second.entries,
        is_compaction=first.is_compaction or second.is_compaction,
        is_queued=first.is_queued or second.is_queued,
    )


def _better(first: str, second: str) -> str:
    """The kind of the whole; what is no message of an assistant stays what it was."""
    if first in KINDS and second in KINDS:
        return max(first, second, key=KINDS.index)
    return first


def _text(kind: str, first: MessageFound, second: MessageFound) -> str:
    one = without_thoughts(first.kind, first.text)
    other = without_thoughts(second.kind, second.text)
    pairs = zip(one, other, strict=True)
    says, thinks = ("\n\n".join(filter(None, pair)) for pair in pairs)
    return with_thoughts(kind, says, thinks)
