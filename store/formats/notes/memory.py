"""A memory: a markdown file, with a header or without one."""

import re
from pathlib import PurePosixPath

from store.files.frontmatter import Page
from store.findings import Findings, Flaw, MemoryFound, Severity, name_key
from store.formats.notes.claims import claims_and_flaws
from store.formats.notes.header import Header
from store.formats.notes.prose import without_code
from store.formats.notes.reasons import reasons

DEFAULT_TYPE = "user"
"""What readers of this format take a memory for whose header names no type."""

ARCHIVE = "archive"
"""The folder for memories that were put away."""

_HEADING = re.compile(r"^#[ \t]++([^\n]*\S)", re.MULTILINE)


def read_memory(path: str, page: Page) -> Findings:
    """What one memory's file says."""
    prose = without_code(page.body)
    claims, leading_out = claims_and_flaws(path, page, prose)
    memory, untyped = _memory(PurePosixPath(path), page, prose)
    return Findings(
        memories=(memory,),
        claims=claims,
        flaws=(*page.flaws, *untyped, *leading_out),
    )


def heading(prose: str) -> str | None:
    """The first heading of the first rank."""
    found = _HEADING.search(prose)
    if not found:
        return None
    title = found[1].rstrip("#")
    return title.rstrip() if title.endswith((" ", "\t")) else found[1]


def _memory(
    path: PurePosixPath, page: Page, prose: str
) -> tuple[MemoryFound, tuple[Flaw, ...]]:
    header = Header(page.fields)
    name = header.text("name", "title")
    id_ = header.text("id")
    type_, untyped = _type(header, page)
    memory = MemoryFound(
        title=name or heading(prose) or path.stem,
        id=id_,
        type=type_,
        description=header.text("description"),
        tags=header.words("tags"),
        importance=header.number("importance"),
        confidence=header.number("confidence"),
        created=header.instant("created", "date"),
        updated=header.nested_instant("metadata", "modified")
        or header.instant("modified", "updated"),
        archived=ARCHIVE in path.parts[:-1],
        names=_names(path.stem, name, id_),
        session=_session(header, page),
        body=page.body,
        fields={**reasons(page.body, prose), **header.rest()},
    )
    return memory, untyped


def _session(header: Header, page: Page) -> str | None:
    """The session that wrote it, at the top or below `metadata`."""
    session = page.fields.get("originSessionId")
    if isinstance(session, str) and session.strip():
        return session
    return header.nested("metadata", "originSessionId")


def _type(header: Header, page: Page) -> tuple[str | None, tuple[Flaw, ...]]:
    """The type, at the top or below `metadata`; without a header there is none."""
    type_ = header.text("type") or header.nested("metadata", "type")
    if type_ is not None or not page.has_header:
        return type_, ()
    message = f"The header names no type; readers take it for “{DEFAULT_TYPE}”."
    return DEFAULT_TYPE, (
        Flaw(code="no-type", message=message, severity=Severity.NOTE),
    )


def _names(*names: str | None) -> tuple[str, ...]:
    """The keys that it may be called by, each once."""
    return tuple(dict.fromkeys(name_key(name) for name in names if name))
