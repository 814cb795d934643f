"""The flat lines that traces consisted of before they were copies of transcripts."""

from store.findings import MessageFound
from store.formats.kei.growing import Record
from store.formats.kei.values import text, told
from store.transcript import At

_KINDS = frozenset({"tool_use", "tool_result"})


def legacy_message(record: Record, place: At) -> MessageFound | None:
    """The message that a flat line makes; None where it says nothing."""
    said, tool = text(record, "message"), text(record, "tool")
    if said is None and tool is None:
        return None
    own = text(record, "kind")
    kind = own if own in _KINDS else "other"
    called = (tool,) if tool and kind == "tool_use" else ()
    about = " ".join(filter(None, (tool, text(record, "file_path"))))
    return MessageFound(
        key=place.key,
        kind=kind,
        line=place.line,
        text="\n".join(filter(None, (about, said))),
        at=told(record, "ts", "timestamp"),
        offset=place.offset,
        extent=place.size,
        session=text(record, "session_id", "sessionId") or place.session,
        tools=called,
        calls=("",) * len(called),
        errors=int(record.get("is_error") is True),
    )
