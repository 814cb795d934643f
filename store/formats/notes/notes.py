"""Notes and MEMORY.md: header, text, links."""

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from msgspec.structs import replace

from store.errors import UnreadableError
from store.files.beneath import Blob, Root
from store.files.frontmatter import EMPTY_FILE, Page, read_page
from store.findings import (
    Claim,
    DocumentFound,
    Findings,
    Flaw,
    MemoryFound,
    Mention,
    Severity,
    Side,
    Value,
    name_key,
    not_read,
)
from store.formats import markdown_read
from store.formats.notes.format import Role
from store.formats.notes.projects import beside, is_of_a_loop
from store.formats.port import Source

# Take a memory's header apart without losing a key.


def variant(fields: Mapping[str, Value]) -> str:
    """The variant of a header: `V0` (none) … `V6`, or `other`."""
    if not fields:
        return "V0"
    metadata = fields.get("metadata")
    if isinstance(metadata, Mapping):
        newest_first = {"modified": "V6", "originSessionId": "V5", "node_type": "V4"}
        return next((v for key, v in newest_first.items() if key in metadata), "V3")
    if "name" not in fields:
        return "other"
    return "V2" if "originSessionId" in fields else "V1"


# The two marks that introduce the reason and the use of a feedback memory.

_MARK = re.compile(
    r"\*\*(?P<mark>Why|How[ \t]+to[ \t]+apply)(?::\*\*|\*\*[ \t]*:|\*\*)",
    re.IGNORECASE,
)
_BLANK_LINE = re.compile(r"\n[ \t\r]*(?:\n|$)")


def reasons(body: str, prose: str) -> dict[str, str]:
    """The texts after `**Why:**` and `**How to apply:**`, each up to a blank line.

    `prose` is the body with its code blanked out: marks are searched in it, and texts
    are cut from the body.
    """
    marks = list(_MARK.finditer(prose))
    found: dict[str, list[str]] = {}
    for mark, following in zip_longest(marks, marks[1:]):
        end = following.start() if following else len(body)
        blank = _BLANK_LINE.search(body, mark.end(), end)
        text = body[mark.end() : blank.start() if blank else end].strip()
        key = "why" if mark["mark"].casefold() == "why" else "how_to_apply"
        if text:
            found.setdefault(key, []).append(text)
    return {key: "\n\n".join(texts) for key, texts in found.items()}


# A memory: a Markdown file with or without a header.

DEFAULT_TYPE = "user"
"""The type that readers of this format assume if a header has none."""


def read_memory(path: str, page: Page) -> Findings:
    """Read one memory's file."""
    prose = markdown_read.without_code(page.body)
    claims, leading_out = markdown_read.claims_and_flaws(path, page, prose)
    memory, untyped = _memory(PurePosixPath(path), page, prose)
    return Findings(
        memories=(memory,),
        claims=claims,
        flaws=(*page.flaws, *untyped, *leading_out),
    )


def _memory(
    path: PurePosixPath, page: Page, prose: str
) -> tuple[MemoryFound, tuple[Flaw, ...]]:
    header = markdown_read.Fields(page.fields)
    name = header.text("name", "title")
    id_ = header.text("id")
    type_, untyped = _type(header, page)
    memory = MemoryFound(
        title=name or markdown_read.heading(prose) or path.stem,
        id=id_,
        type=type_,
        description=header.text("description"),
        tags=header.words("tags"),
        importance=header.number("importance"),
        confidence=header.number("confidence"),
        created=header.instant("created", "date"),
        updated=header.nested_instant("metadata", "modified")
        or header.instant("modified", "updated"),
        archived=markdown_read.ARCHIVE in path.parts[:-1],
        names=markdown_read.name_keys(path.stem, name, id_),
        session=_session(header, page),
        body=page.body,
        fields={**reasons(page.body, prose), **header.rest()},
    )
    return memory, untyped


def _session(header: markdown_read.Fields, page: Page) -> str | None:
    """The session that wrote it, at top level or below `metadata`."""
    session = page.fields.get("originSessionId")
    if isinstance(session, str) and session.strip():
        return session
    return header.nested("metadata", "originSessionId")


def _type(
    header: markdown_read.Fields, page: Page
) -> tuple[str | None, tuple[Flaw, ...]]:
    """The type, at top level or below `metadata`; None without a header."""
    type_ = header.text("type") or header.nested("metadata", "type")
    if type_ is not None or not page.has_header:
        return type_, ()
    message = f"The front matter has no type; “{DEFAULT_TYPE}” is assumed."
    return DEFAULT_TYPE, (
        Flaw(code="no-type", message=message, severity=Severity.NOTE),
    )


# Pages beside the memories: a session's own memory, a day's log.

ENOUGH_TOKENS = 10_000
"""From this size on, a session's memory replaces a summary at compaction …"""

ENOUGH_MESSAGES = 5
"""… if at least this many messages contain text …"""

MOST_TOKENS = 40_000
"""… and up to here."""

BYTES_A_TOKEN = 4
"""The usual estimate."""


def read_session_memory(path: str, page: Page) -> Findings:
    """The memory of one session, separate from those that outlive it."""
    session = PurePosixPath(path).parent.name
    tokens = len(page.body.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN
    facts: dict[str, Value] = {
        "session": session,
        "tokens": str(tokens),
        "enough_tokens": str(ENOUGH_TOKENS),
        "enough_messages": str(ENOUGH_MESSAGES),
        "most_tokens": str(MOST_TOKENS),
        "at_compaction": _judged(tokens),
    }
    return _document(path, page, "session-memory", facts)


def read_daily_log(path: str, page: Page) -> Findings:
    """The log of one day, before any of it became a memory."""
    return _document(path, page, "daily-log", {"day": PurePosixPath(path).stem})


def _judged(tokens: int) -> str:
    if tokens < ENOUGH_TOKENS:
        return "too short"
    return "used" if tokens <= MOST_TOKENS else "too long"


def _document(
    path: str, page: Page, category: str, facts: dict[str, Value]
) -> Findings:
    file = PurePosixPath(path)
    name = file.parent.name if category == "session-memory" else file.stem
    if page.fields:
        facts["header"] = page.fields
    document = DocumentFound(
        title=markdown_read.heading(markdown_read.without_code(page.body)) or name,
        role="document",
        text=page.body,
        category=category,
        facts=facts,
    )
    return Findings(documents=(document,), flaws=page.flaws)


# How much of the index agents load, and how much they never see.

LINE_LIMIT = 200
"""Lines of the index that agents load."""

BYTE_LIMIT = 25_000
"""Bytes of it that agents load; whichever limit is reached first applies."""


def gauge(blob: Blob) -> dict[str, str]:
    """The size of the index compared with the limits."""
    facts = {
        "lines": str(_lines(blob)),
        "line_limit": str(LINE_LIMIT),
        "bytes": str(blob.stamp.size),
        "byte_limit": str(BYTE_LIMIT),
    }
    cut = cut_at(blob.raw)
    return facts | {"cut_at": str(cut)} if cut else facts


def cut_at(raw: bytes) -> int | None:
    """The first line of an index that agents don't load; None if they load all."""
    size = 0
    for number, line in enumerate(raw.splitlines(keepends=True), 1):
        size += len(line)
        if number > LINE_LIMIT or size > BYTE_LIMIT:
            return number
    return None


def over_limit(blob: Blob) -> Iterator[Flaw]:
    """A flaw with the excess, if the index is too long."""
    lines, size = _lines(blob) - LINE_LIMIT, blob.stamp.size - BYTE_LIMIT
    over = [f"{lines:,} line{'s' * (lines > 1)}"] if lines > 0 else []
    over += [f"{size:,} byte{'s' * (size > 1)}"] if size > 0 else []
    if over:
        message = (
            f"The index is {' and '.join(over)} too long; agents load only the first"
            f" {LINE_LIMIT} lines or {BYTE_LIMIT:,} bytes."
        )
        yield Flaw(code="index-over-limit", message=message)


def _lines(blob: Blob) -> int:
    unfinished = bool(blob.raw) and not blob.raw.endswith(b"\n")
    return blob.raw.count(b"\n") + unfinished


# MEMORY.md: the page that agents load first, with a line for each memory.

_LONGEST_NOTE = 2_000
"""Characters of a line stored with its link; the document has the whole line."""

_BULLET = re.compile(r"[ \t]*[-*+][ \t]+")
_SEPARATOR = re.compile(r"[ \t]*(?:[—–-]+|:)[ \t]*")


def read_index(store: Path, path: str, blob: Blob, page: Page) -> Findings:
    """Read the index, including the part that an agent never sees."""
    prose = markdown_read.without_code(page.body)
    lines = zip(page.body.split("\n"), prose.split("\n"), strict=True)
    mentions = [
        Mention(
            target=target,
            link=link.target,
            label=link.label,
            note=_note(line, link),
            line=number,
        )
        for number, (line, plain) in enumerate(lines, page.body_line)
        for target, link in _links(path.rpartition("/")[0], plain)
    ]
    facts: dict[str, Value] = {
        **gauge(blob),
        "written": "generated" if is_generated(page.body) else "by hand",
    }
    if page.fields:
        facts["header"] = page.fields
    document = DocumentFound(
        title=markdown_read.heading(prose) or "MEMORY",
        role="memory-index",
        text=page.body,
        facts=facts | beside(store),
        mentions=tuple(mentions),
    )
    may_be_empty = is_of_a_loop(store)
    flaws = [flaw for flaw in page.flaws if not may_be_empty or flaw != EMPTY_FILE]
    flaws += over_limit(blob)
    message = "A link in the index points outside the store; not followed."
    outward = dict.fromkeys(one.line for one in mentions if one.target is None)
    flaws += (Flaw(code="link-leads-out", message=message, line=n) for n in outward)
    return Findings(documents=(document,), flaws=tuple(flaws))


def is_generated(text: str) -> bool:
    """Whether the index consists only of generated lines, sorted by file."""
    files = [generated_for(line) for line in text.split("\n") if line]
    found = [file for file in files if file]
    return found == sorted(found) and len(found) == len(files)


def generated_for(line: str) -> str | None:
    """The file of a line generated by the rule `- [name](file) — description`."""
    link, dash, _ = line.partition(".md) — ")
    _, bracket, file = link.rpartition("](")
    is_one = line.startswith("- [") and dash and bracket
    return f"{file}.md" if is_one else None


def _links(folder: str, plain: str) -> Iterator[tuple[str | None, markdown_read.Link]]:
    """The links of a line to memories, and to where they may be outside the store.

    Web addresses, other files of the store and folders outside of it do not count.
    """
    for link in markdown_read.links(plain):
        target = markdown_read.inside(folder, link.target)
        may_be_a_note = not link.target.rstrip().endswith("/")
        if link.path and (link.names_a_note if target else may_be_a_note):
            yield f"path:{target}" if target else None, link
    for link in markdown_read.wikilinks(plain):
        yield markdown_read.called(link.target), link


def _note(line: str, link: markdown_read.Link) -> str | None:
    """The text after the link of a list item; in other lines, the whole line."""
    bullet = _BULLET.match(line)
    if bullet and bullet.end() == link.start:
        rest = line[link.end : link.end + _LONGEST_NOTE]
        separator = _SEPARATOR.match(rest)
        return rest[separator.end() if separator else 0 :].strip() or None
    text = line[:_LONGEST_NOTE].strip()
    return text if len(text) > link.end - link.start else None


# Sections of a MEMORY.md without notes beside it: each is a memory.

USUAL_LEVEL = 2
"""The heading level of a section, if a file has none yet."""

_HEADING = re.compile(
    r"^ {0,3}(?P<marks>#{1,6})[ \t]++(?P<title>[^\n]*\S)", re.MULTILINE
)
_MARKS = re.compile(r"^[\s>*+#-]+|[*_`]+")
_WORD = re.compile(r"\w+")
_LONGEST_TITLE = 80


class Section(NamedTuple):
    """A part of a text from one heading to the next."""

    id: str
    """Its unique id in the store: `MEMORY.md#text-of-its-heading`."""
    title: str
    level: int
    """The level of its heading; 0 without a heading."""
    line: int
    """Its first line, from 0."""
    start: int
    """The offset of its start."""
    body: int
    """The offset of its text, after the heading."""
    stop: int
    """The end of its text; only blank lines follow."""
    end: int
    """The start of the next section."""


def level_of(text: str) -> int:
    """The heading level that divides a text."""
    ranks = {
        len(found["marks"])
        for found in _HEADING.finditer(markdown_read.without_code(text))
    }
    return min((rank for rank in ranks if rank > 1), default=min(ranks, default=0))


def sections(path: str, text: str) -> list[Section]:
    """The sections of a text that have text of their own, in order.

    A section that only lists notes is part of the index, and a title alone is not a
    memory.
    """
    prose = markdown_read.without_code(text)
    level = level_of(text)
    heads = [one for one in _HEADING.finditer(prose) if len(one["marks"]) <= level]
    starts = [head.start() for head in heads]
    found = list(zip([None, *heads], [0, *starts], [*starts, len(text)], strict=True))
    taken: set[str] = set()
    memories: list[Section] = []
    for head, start, end in found:
        section = _section(path, text, (start, end), head)
        section = section._replace(id=_free(section.id, taken))
        taken.add(section.id)
        if _is_memory(section, text, prose, level):
            memories.append(section)
    return memories


def read_sections(path: str, page: Page, findings: Findings) -> Findings:
    """Read an index that holds the memories itself.

    Links in its sections to other places are already among the mentions of the index.
    """
    prose = markdown_read.without_code(page.body)
    memories: list[MemoryFound] = []
    claims: list[Claim] = []
    found = sections(path, page.body)
    names = {name_key(section.title) for section in found}
    for section in found:
        first = page.body_line + section.line
        memories.append(_memory_of(path, page.body, prose, section, first))
        linked = _claims_of(section, prose, first)
        claims += (claim for claim in linked if claim.end in names)
    return replace(findings, memories=tuple(memories), claims=tuple(claims))


def _section(
    path: str, text: str, span: tuple[int, int], head: re.Match[str] | None
) -> Section:
    start, end = span
    body = start
    if head is not None:
        body = text.find("\n", head.end(), end) + 1 or end
    stop = max(body, start + len(text[start:end].rstrip()))
    stop = text.find("\n", stop, end) + 1 or end
    title = _title_of(text[body:stop]) if head is None else _without_marks(head)
    anchor = "" if head is None else "-".join(_WORD.findall(title.casefold()))
    id_ = path if head is None else f"{path}#{anchor}"
    level = 0 if head is None else len(head["marks"])
    line = text.count("\n", 0, start)
    return Section(id_, title, level, line, start, body, stop, end)


def _without_marks(head: re.Match[str]) -> str:
    """A heading without closing marks."""
    title = head["title"].rstrip("#")
    return title.rstrip() if title.endswith((" ", "\t")) else head["title"]


def _title_of(text: str) -> str:
    """The title of a text without a heading: its first line."""
    lines = (_MARKS.sub("", line).strip() for line in text.split("\n"))
    return next(filter(None, lines), "")[:_LONGEST_TITLE]


def _free(id_: str, taken: set[str]) -> str:
    """The id, with a number appended if an earlier section has it."""
    number, found = 0, id_
    while found in taken:
        number += 1
        found = f"{id_}-{number}"
    return found


def _is_memory(section: Section, text: str, prose: str, level: int) -> bool:
    lines = text[section.body : section.stop].split("\n")
    plain = prose[section.body : section.stop].split("\n")
    are_listed = [
        _lists_a_note(line)
        for written, line in zip(lines, plain, strict=True)
        if written.strip() and not _HEADING.match(line)
    ]
    if not any(written.strip() for written in lines):
        return section.level == level >= USUAL_LEVEL
    return not all(are_listed)


def _lists_a_note(line: str) -> bool:
    """Whether a line is an index item, which links to a note."""
    return bool(_BULLET.match(line)) and any(
        link.names_a_note for link in markdown_read.links(line)
    )


def _memory_of(
    path: str, text: str, prose: str, section: Section, line: int
) -> MemoryFound:
    body = text[section.body : section.stop].lstrip("\r\n")
    start = section.stop - len(body)
    return MemoryFound(
        title=section.title,
        id=section.id,
        archived=markdown_read.ARCHIVE in PurePosixPath(path).parts[:-1],
        names=(name_key(section.title),),
        line=line,
        body=body,
        fields=reasons(body, prose[start : section.stop]),
    )


def _claims_of(section: Section, prose: str, line: int) -> Iterator[Claim]:
    """A claim for each memory that a section refers to by name."""
    part = prose[section.start : section.stop]
    seen: set[str] = set()
    for link, place in markdown_read.placed(markdown_read.wikilinks(part), part, line):
        key = markdown_read.called(link.target)
        if key not in seen:
            seen.add(key)
            yield Claim(
                start=f"id:{section.id.casefold()}",
                end=key,
                type="link",
                side=Side.WIKILINK,
                end_title=link.label,
                line=place,
            )


# A source by its role.


def read_source(root: Root, source: Source) -> Findings:
    """Read one file of a store; never raises for bad content."""
    try:
        blob = root.read(source.path)
    except UnreadableError as error:
        return Findings(flaws=(not_read(error),))
    page = read_page(blob.raw, whole=blob.whole)
    match source.role:
        case Role.INDEX:
            return read_index(root.path, source.path, blob, page)
        case Role.SECTIONS:
            index = read_index(root.path, source.path, blob, page)
            return read_sections(source.path, page, index)
        case Role.SESSION:
            return read_session_memory(source.path, page)
        case Role.LOG:
            return read_daily_log(source.path, page)
        case _:
            return read_memory(source.path, page)
