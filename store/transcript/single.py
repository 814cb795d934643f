"""Messages of one line: what people typed, what tools answered, what programs wrote."""

from store.findings import Json, MessageFound
from store.transcript.asides import without_asides
from store.transcript.blocks import block_text, spoken
from store.transcript.kinds import (
    attachment_kind,
    brings_results,
    system_kind,
    user_kind,
)
from store.transcript.notices import attachment_text, other_text, system_text
from store.transcript.place import At, envelope, instant
from store.transcript.record import Record, inner


def user_message(record: Record, place: At) -> MessageFound:
    """The message of a line of type `user`: few of them are what somebody typed."""
    message = inner(record, "message")
    content = message.get("content")
    if not isinstance(content, (str, list)):
        return _found(record, place, "other", "")
    if not isinstance(content, str) and brings_results(content):
        return _results(record, place, content)
    kind = user_kind(record, content)
    words = spoken(content)
    if kind == "prompt":
        kind, words = _prompt(words)
    typed = message.get("role") == "user" and _says_something(content)
    is_entry = typed and not (record.get("isMeta") or record.get("isSidechain"))
    return _found(record, place, kind, words, "user", entries=int(is_entry))


def system_message(record: Record, place: At) -> MessageFound | None:
    """The message of a system line; None for those that only count something."""
    kind = system_kind(record)
    if kind is None:
        return None
    boundary = record.get("subtype") == "compact_boundary"
    words = system_text(record)
    return _found(record, place, kind, words, "system", is_compaction=boundary)


def attachment_message(record: Record, place: At) -> MessageFound:
    """The message of an attachment: words typed meanwhile, or something put beside."""
    attachment = inner(record, "attachment")
    kind, words = attachment_kind(attachment), attachment_text(attachment)
    return _found(record, place, kind, words, "user" if kind == "prompt" else "system")


def other_message(record: Record, place: At) -> MessageFound:
    """A neutral message for a type that is not known."""
    return _found(record, place, "other", other_text(record))


def _prompt(words: str) -> tuple[str, str]:
    """What was typed, without what a program put before it; an aside if that is all."""
    typed = without_asides(words)
    if typed:
        return "prompt", typed
    return ("meta", words) if words else ("other", "")


def _results(record: Record, place: At, content: list[Json]) -> MessageFound:
    """The message that brings the answers of tools."""
    answers: list[str] = []
    words: list[str] = []
    errors = 0
    for block in content:
        words.append(block_text(block))
        if isinstance(block, dict) and block.get("type") == "tool_result":
            call = block.get("tool_use_id")
            answers.append(call if isinstance(call, str) else "")
            errors += block.get("is_error") is True
    return _found(
        record,
        place,
        "tool_result",
        words[0] if len(words) == 1 else "\n\n".join(filter(None, words)),
        "user",
        answers=tuple(answers),
        errors=errors,
    )


def _says_something(content: str | list[Json]) -> bool:
    """Whether there is text that is not blank."""
    if isinstance(content, str):
        return bool(content.strip())
    for block in content:
        if isinstance(block, dict) and block.get("type") == "text":
            words = block.get("text")
            if isinstance(words, str) and words.strip():
                return True
    return False


def _found(  # noqa: PLR0913 - what the kinds of messages differ in
    record: Record,
    place: At,
    kind: str,
    words: str,
    role: str | None = None,
    *,
    answers: tuple[str, ...] = (),
    errors: int = 0,
    entries: int = 0,
    is_compaction: bool = False,
) -> MessageFound:
    uuid, parent, session, cwd, branch = envelope(record)
    return MessageFound(
        key=uuid or place.key,
        kind=kind,
        line=place.line,
        text=words,
        role=role,
        at=instant(record.get("timestamp")),
        offset=place.offset,
        extent=place.size,
        uuid=uuid,
        parent=parent,
        session=session or place.session,
        cwd=cwd,
        branch=branch,
        answers=answers,
        errors=errors,
        entries=entries,
        is_compaction=is_compaction,
    )
