"""A row of `memory_conversations` as a conversation."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import cast

from store.errors import UnreadableError
from store.files.json_document import load
from store.files.sqlite import Scalar
from store.findings import ConversationFound, Flaw, Json, Severity
from store.formats.claudia.cells import instant, json_value, text, whole
from store.formats.claudia.layout import conversation_key
from store.formats.claudia.tables import NUMBER, Record
from store.records.conversation import STATUSES

_TOLD = frozenset(
    {NUMBER, "id", "session_id", "source_file", "first_message_at", "last_message_at"}
    | {"entry_count", "status", "summary", "files_written", "metadata"}
)
"""The columns that an attribute of the finding carries, or that are read here."""


def read_conversation(row: Record) -> tuple[ConversationFound, list[Flaw]]:
    """The conversation, and what is odd about its row."""
    number = whole(row[NUMBER])
    line, flaws = _row_number(number), list[Flaw]()
    fields = {key: json_value(row[key]) for key in row.keys() - _TOLD}
    files = _files(row.get("files_written"), fields, line, flaws)
    about = _metadata(row.get("metadata"), fields, line, flaws)
    if "id" in row and row["id"] != number:
        fields["id"] = json_value(row["id"])
    status, summary = text(row.get("status")), text(row.get("summary"))
    if status not in STATUSES:
        message = f"The status of conversation {number} is none that is known."
        flaws.append(_note("unknown-status", message, line))
    cwd = _text_of(about, "cwd")
    found = ConversationFound(
        key=conversation_key(number),
        session=text(row.get("session_id")),
        source=text(row.get("source_file")),
        title=_first_line(summary),
        first=instant(row.get("first_message_at")),
        last=instant(row.get("last_message_at")),
        entries=whole(row.get("entry_count")),
        status=status,
        summary=summary,
        project=_text_of(about, "project")
        or (PurePosixPath(cwd).name if cwd else None),
        cwd=cwd,
        files_written=files,
        line=line,
        fields=dict(sorted(fields.items())),
    )
    return found, flaws


def metadata_of(value: Scalar) -> Mapping[str, Json]:
    """What a row's metadata say; nothing where they are none."""
    parsed = _parsed(value)
    return parsed if isinstance(parsed, dict) else {}


def _files(
    value: Scalar, fields: dict[str, Json], line: int | None, flaws: list[Flaw]
) -> tuple[str, ...]:
    """The files that were written; what is no list of paths stays a field."""
    if value is None or value == "":
        return ()
    parsed = _parsed(value)
    if isinstance(parsed, list) and all(isinstance(path, str) for path in parsed):
        return tuple(str(path) for path in parsed)
    fields["files_written"] = json_value(value)
    message = "`files_written` is no JSON list of paths."
    flaws.append(_note("damaged-json", message, line))
    return ()


def _metadata(
    value: Scalar, fields: dict[str, Json], line: int | None, flaws: list[Flaw]
) -> Mapping[str, Json]:
    if value is None or value == "":
        return {}
    parsed = _parsed(value)
    if isinstance(parsed, dict):
        fields["metadata"] = parsed
        return parsed
    fields["metadata"] = json_value(value)
    flaws.append(_note("damaged-json", "`metadata` is no JSON object.", line))
    return {}


def _parsed(value: Scalar) -> Json:
    try:
        return cast("Json", load((text(value) or "").encode("utf-8", "replace")))
    except UnreadableError:
        return None


def _text_of(about: Mapping[str, Json], key: str) -> str | None:
    value = about.get(key)
    return value if isinstance(value, str) and value else None


def _first_line(summary: str | None) -> str | None:
    lines = (line.strip() for line in (summary or "").splitlines())
    return next((line for line in lines if line), None)


def _row_number(number: int) -> int | None:
    return number if number > 0 else None


def _note(code: str, message: str, line: int | None) -> Flaw:
    return Flaw(code=code, message=message, severity=Severity.NOTE, line=line)
