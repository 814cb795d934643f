"""Memory files and edge files: header, text, relations."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from store.files.beneath import Blob
from store.files.frontmatter import Page, read_page
from store.findings import (
    Claim,
    Findings,
    Flaw,
    Flaws,
    MemoryFound,
    Severity,
    Side,
    Value,
    name_key,
    short_key,
)
from store.formats.cognitive.format import (
    DEFAULT_CONFIDENCE,
    FOLDERS,
    NULLS,
    RELATION_TYPES,
    id_key,
    is_misplaced,
    is_pinned,
    is_uuid,
    stem_of,
)
from store.formats.markdown_read import fenced
from store.times import Instant, parse

# Read header fields one by one; anything unexpected becomes a flaw.


class Header:
    """Takes known fields out of a page's header; `rest` holds the others."""

    __slots__ = ("_lines", "_page", "flaws", "rest")

    def __init__(self, page: Page) -> None:
        self._page = page
        self._lines: dict[str, int | None] = {}
        self.rest = dict(page.fields)
        self.flaws = Flaws(page.flaws)

    @property
    def tells(self) -> bool:
        """Whether the header is complete enough to report missing fields."""
        errors = (flaw.severity is Severity.ERROR for flaw in self._page.flaws)
        return self._page.has_header and not any(errors)

    def flaw(
        self, key: str, code: str, message: str, severity: Severity = Severity.WARNING
    ) -> None:
        """Add a flaw for a field."""
        if key not in self._lines:
            self._lines[key] = self._page.line_of(key)
        self.flaws.note(code, message, severity, self._lines[key])

    def text(self, key: str) -> str | None:
        """A field with a single text."""
        value = self.rest.pop(key, None)
        if value is None or isinstance(value, str):
            return None if value in NULLS else value
        self.rest[key] = value
        self.flaw(key, f"bad-{key}", f"`{key}` must be a single text.")
        return None

    def required(self, key: str) -> str | None:
        """A text that every memory should have."""
        known = key in self.rest
        value = self.text(key)
        if value is None and not (known and key in self.rest) and self.tells:
            self.flaw(key, f"missing-{key}", f"Missing `{key}`.")
        return value

    def ratio(self, key: str, value: str | None) -> float | None:
        """A text as a number from 0 to 1; an invalid one stays in `rest`."""
        if value is None:
            return None
        number = ratio(value)
        if number is None:
            self.rest[key] = value
            message = f"`{key}` must be a number from 0 to 1."
            self.flaw(key, f"bad-{key}", message)
        return number

    def instant(self, key: str, value: str | None) -> Instant | None:
        """A text as a time, preserved as written."""
        if value is None:
            return None
        instant = parse(value)
        if instant.micros is None:
            self.flaw(key, "bad-time", f"Invalid time in `{key}`.")
        return instant

    def texts(self, key: str, *, commas: bool = False) -> tuple[str, ...]:
        """A list of texts; a single text becomes a list, optionally split at commas."""
        value = self.rest.pop(key, None)
        if value is None or value == "":
            return ()
        if isinstance(value, str):
            return self._alone(key, value, commas=commas)
        items = value if isinstance(value, list) else [value]
        texts = [_as_text(item) for item in items]
        if None in texts or items is not value:
            self.rest[key] = value
            self.flaw(key, f"bad-{key}", f"`{key}` must be a list of texts.")
        return tuple(text for text in texts if text)

    def _alone(self, key: str, value: str, *, commas: bool) -> tuple[str, ...]:
        if value in NULLS:
            return ()
        self.flaw(key, f"bad-{key}", f"`{key}` must be a list, not a single text.")
        parts = value.split(",") if commas else [value]
        return tuple(part.strip() for part in parts if part.strip())

    def maps(self, key: str) -> list[Mapping[str, Value]]:
        """A list of maps; anything else stays in `rest`."""
        value = self.rest.pop(key, None)
        if value is None or (isinstance(value, str) and value in NULLS):
            return []
        items = value if isinstance(value, list) else [value]
        maps = [item for item in items if isinstance(item, Mapping)]
        if len(maps) < len(items) or items is not value:
            self.rest[key] = value
            message = f"`{key}` must be a list of maps."
            self.flaw(key, f"bad-{key}", message)
        return maps


def ratio(value: Value | None) -> float | None:
    """A number from 0 to 1, or None for anything else."""
    try:
        number = float(cast("str", value))
    except (TypeError, ValueError):
        return None
    return number if 0.0 <= number <= 1.0 else None


def _as_text(item: Value) -> str | None:
    """A list item; text with a colon that YAML read as a map is put together again."""
    if isinstance(item, str):
        return item
    if isinstance(item, Mapping) and len(item) == 1:
        ((key, value),) = item.items()
        if isinstance(value, str):
            return f"{key}: {value}"
    return None


# `[[Wikilinks]]` in a body, as claims about edges.

_CODE_OR_LINK = re.compile(r"`[^`]++`|\[\[(?!\s)([^\[\]]++)\]\]")
"""Inline code, in which links do not count, or a link with its name."""


class Wikilink(NamedTuple):
    """A name in brackets, and its position."""

    line: int
    """Its line, from 0."""
    start: int
    end: int
    name: str
    shown: str


def linked(body: str) -> Iterator[Wikilink]:
    """Every name in brackets, except in code."""
    if "[[" not in body:
        return
    lines = body.split("\n")
    code = fenced(lines)
    offset = 0
    for number, line in enumerate(lines):
        if "[[" in line and number not in code:
            for found in _CODE_OR_LINK.finditer(line):
                name, _, label = (found[1] or "").partition("|")
                name = name.strip()
                if name:
                    start, end = (offset + place for place in found.span())
                    yield Wikilink(number, start, end, name, label.strip() or name)
        offset += len(line) + 1


def read_wikilinks(own: str, body: str, first_line: int) -> list[Claim]:
    """A claim for each linked name, at the first line with the link."""
    claims: dict[str, Claim] = {}
    for link in linked(body):
        end = name_key(link.name)
        if end not in claims:
            claims[end] = Claim(
                start=own,
                end=end,
                type="link",
                side=Side.WIKILINK,
                end_title=link.name,
                line=first_line + link.line,
            )
    return list(claims.values())


# A memory's own list of relations, as claims about edges.

KEY = "relations"

_SIDES = {"outgoing": Side.OUTGOING, "incoming": Side.INCOMING}


def read_relations(
    own: str, relations: list[Mapping[str, Value]], header: Header, line: int | None
) -> list[Claim]:
    """A claim for each relation with a target; flaws are added to the header."""
    read = (_read(own, relation, header, line) for relation in relations)
    claims = [claim for claim in read if claim]
    _note_doubles(claims, header)
    return claims


def _note_doubles(claims: list[Claim], header: Header) -> None:
    """Add a flaw for duplicate relations on the same side."""
    seen: set[tuple[str, str, str, Side]] = set()
    for claim in claims:
        told = (claim.start, claim.end, claim.type, claim.side)
        if told in seen:
            other = claim.end if claim.side is Side.OUTGOING else claim.start
            message = (
                f"Duplicate {claim.side} relation {claim.type:.40} to "
                f"{other.removeprefix('id:'):.80}; counted once."
            )
            header.flaw(KEY, "duplicate-relation", message, Severity.NOTE)
        seen.add(told)


def _read(
    own: str, relation: Mapping[str, Value], header: Header, line: int | None
) -> Claim | None:
    target = text_in(relation, "target")
    if target is None:
        header.flaw(KEY, "relation-without-target", "A relation has no target.")
        return None
    side = _side(relation, target, header)
    other = id_key(target)
    return Claim(
        start=own if side is Side.OUTGOING else other,
        end=other if side is Side.OUTGOING else own,
        type=_type(relation, target, header),
        side=side,
        edge_id=text_in(relation, "edge_id"),
        strength=_strength(relation, target, header),
        context=text_in(relation, "context"),
        line=line,
    )


def text_in(relation: Mapping[str, Value], key: str) -> str | None:
    """A text of a relation; None if it is missing or null."""
    value = relation.get(key)
    return value if isinstance(value, str) and value not in NULLS else None


def _side(relation: Mapping[str, Value], target: str, header: Header) -> Side:
    direction = text_in(relation, "direction") or ""
    side = _SIDES.get(direction.strip().lower())
    if side is None:
        message = f"The relation to {target:.80} must be outgoing or incoming."
        header.flaw(KEY, "bad-direction", message)
    return side or Side.OUTGOING


def _type(relation: Mapping[str, Value], target: str, header: Header) -> str:
    kind = text_in(relation, "type")
    if kind is None:
        message = f"The relation to {target:.80} has no type."
        header.flaw(KEY, "relation-without-type", message)
        return "RELATED_TO"
    if kind not in RELATION_TYPES:
        message = f"The relation to {target:.80} has a custom type, {kind:.40}."
        header.flaw(KEY, "unknown-relation", message, Severity.NOTE)
    return kind


def _strength(
    relation: Mapping[str, Value], target: str, header: Header
) -> float | None:
    value = relation.get("strength")
    if value is None or (isinstance(value, str) and value in NULLS):
        return None
    number = ratio(value)
    if number is None:
        message = (
            f"Invalid strength of the relation to {target:.80}: not a number from 0 "
            "to 1."
        )
        header.flaw(KEY, "bad-strength", message)
    return number


# A memory file: its header, its text, and the edges in both.

ARCHIVED_IMPORTANCE = "archived_importance"
"""The key that stores the importance of an archived memory."""

MERGED_FROM = "merged_from"
"""The key with the ids of memories merged into this one.

It lets links in daily logs, which are never rewritten, still find it.
"""


def read_memory(path: str, blob: Blob) -> Findings:
    """Read one memory file."""
    page = read_page(blob.raw, whole=blob.whole)
    header = Header(page)
    if not page.has_header and not page.flaws:
        header.flaws.append(_NO_HEADER)
    memory = _memory(path, header, page.body)
    own = id_key(memory.id) if memory.id else f"path:{path}"
    claims: list[Claim] = []
    if memory.relations:
        line = page.line_of(KEY)
        claims = read_relations(own, list(memory.relations), header, line)
    claims += read_wikilinks(own, page.body, page.body_line)
    return Findings(memories=(memory,), claims=tuple(claims), flaws=tuple(header.flaws))


_NO_HEADER = Flaw(
    code="no-header",
    message="No front matter; the file name is used as the title.",
)


def _memory(path: str, header: Header, body: str) -> MemoryFound:
    identifier, kind = _identifier(header), _kind(path, header)
    stem = stem_of(path)
    title = header.required("title") or stem
    merged = texts_of(header.rest.get(MERGED_FROM))
    names = (name_key(title), name_key(stem), *map(short_key, merged))
    importance = header.ratio("importance", header.required("importance"))
    confidence = _confidence(header)
    created = header.instant("created", header.required("created"))
    updated = header.instant("updated", header.required("updated"))
    return MemoryFound(
        title=title,
        id=identifier,
        type=kind,
        tags=header.texts("tags", commas=True),
        importance=importance,
        confidence=confidence,
        created=created,
        updated=updated,
        pinned=is_pinned(path),
        archived=isinstance(header.rest.get(ARCHIVED_IMPORTANCE), str),
        fades=True,
        names=tuple(dict.fromkeys(names)),
        body=body,
        steps=header.texts("steps"),
        preconditions=header.texts("preconditions"),
        postconditions=header.texts("postconditions"),
        relations=tuple(header.maps(KEY)),
        fields=header.rest,
    )


def texts_of(value: Value | None) -> list[str]:
    """The texts of a list, or a single text."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str) and item]


def _identifier(header: Header) -> str | None:
    identifier = header.required("id")
    if identifier is not None and not is_uuid(identifier):
        header.flaw("id", "bad-id", "`id` isn't a UUID.")
    return identifier


def _kind(path: str, header: Header) -> str | None:
    kind = header.required("type")
    if kind is None:
        return None
    if kind not in FOLDERS:
        message = f"Unknown `type` {kind:.40}."
        header.flaw("type", "unknown-type", message, Severity.NOTE)
    elif is_misplaced(path, kind):
        message = f"A memory of type {kind} should be in graph/{FOLDERS[kind]}/."
        header.flaw("type", "type-folder", message)
    return kind


def _confidence(header: Header) -> float | None:
    value = header.text("confidence")
    if value is None and "confidence" not in header.rest:
        return DEFAULT_CONFIDENCE
    return header.ratio("confidence", value)


# An edge file: one link between two memories, in detail.

_NAMED_TYPE = re.compile(r"--([A-Z][A-Z_]*)--")


def read_edge(path: str, blob: Blob) -> Findings:
    """The claim of an edge file."""
    page = read_page(blob.raw, whole=blob.whole)
    header = Header(page)
    start, end = header.text("from_id"), header.text("to_id")
    if start is None or end is None:
        message = "The edge doesn't name both of its memories."
        key = "to_id" if start else "from_id"
        header.flaw(key, "edge-without-ends", message, Severity.ERROR)
        return Findings(flaws=tuple(header.flaws))
    claim = Claim(
        start=id_key(start),
        end=id_key(end),
        type=_type_edge(path, header),
        side=Side.FILE,
        edge_id=header.text("id"),
        strength=header.ratio("strength", header.text("strength")),
        context=_first_paragraph(page),
        created=_created(header),
        start_title=header.text("from_title"),
        end_title=header.text("to_title"),
        body=page.body,
        fields=header.rest,
    )
    return Findings(claims=(claim,), flaws=tuple(header.flaws))


def _type_edge(path: str, header: Header) -> str:
    in_name = _NAMED_TYPE.search(path)
    named = in_name[1] if in_name else None
    kind = header.text("type")
    if kind is None:
        header.flaw("type", "missing-type", "Missing `type`.")
        return named or "RELATED_TO"
    if kind not in RELATION_TYPES:
        message = f"The edge has a custom type, {kind:.40}."
        header.flaw("type", "unknown-relation", message, Severity.NOTE)
    if named is not None and named != kind:
        message = f"The edge has type {kind:.40}, but its file name says {named:.40}."
        header.flaw("type", "edge-name", message)
    return kind


def _created(header: Header) -> Instant | None:
    """When the edge was created; text that is not a valid time stays in `rest`."""
    created = header.instant("created", header.text("created"))
    if created is not None and created.micros is None:
        header.rest["created"] = created.text
    return created


def _first_paragraph(page: Page) -> str | None:
    return page.body.strip().replace("\r\n", "\n").partition("\n\n")[0].strip() or None
