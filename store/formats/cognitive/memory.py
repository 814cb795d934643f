"""A memory file: its header, its text, and the edges that both tell of."""

from store.files.beneath import Blob
from store.files.frontmatter import read_page
from store.findings import Claim, Findings, Flaw, MemoryFound, Severity, name_key
from store.formats.cognitive.header import Header
from store.formats.cognitive.layout import is_misplaced, is_pinned, stem_of
from store.formats.cognitive.relations import KEY as RELATIONS
from store.formats.cognitive.relations import read_relations
from store.formats.cognitive.vocabulary import (
    DEFAULT_CONFIDENCE,
    FOLDERS,
    id_key,
    is_uuid,
)
from store.formats.cognitive.wikilinks import read_wikilinks


def read_memory(path: str, blob: Blob) -> Findings:
    """Everything that one memory file says."""
    page = read_page(blob.raw, whole=blob.whole)
    header = Header(page)
    if not page.has_header and not page.flaws:
        header.flaws.append(_NO_HEADER)
    memory = _memory(path, header, page.body)
    own = id_key(memory.id) if memory.id else f"path:{path}"
    claims: list[Claim] = []
    if memory.relations:
        line = page.line_of(RELATIONS)
        claims = read_relations(own, list(memory.relations), header, line)
    if "[[" in page.body:
        claims += read_wikilinks(own, page.body, page.body_line)
    return Findings(memories=(memory,), claims=tuple(claims), flaws=tuple(header.flaws))


_NO_HEADER = Flaw(
    code="no-header",
    message="The file has no header: its name is taken for its title.",
)


def _memory(path: str, header: Header, body: str) -> MemoryFound:
    identifier, kind = _identifier(header), _kind(path, header)
    stem = stem_of(path)
    title = header.required("title") or stem
    names = (name_key(title), name_key(stem)) if title != stem else (name_key(stem),)
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
        fades=True,
        names=names,
        body=body,
        steps=header.texts("steps"),
        preconditions=header.texts("preconditions"),
        postconditions=header.texts("postconditions"),
        relations=tuple(header.maps(RELATIONS)),
        fields=header.rest,
    )


def _identifier(header: Header) -> str | None:
    identifier = header.required("id")
    if identifier is not None and not is_uuid(identifier):
        header.flaw("id", "bad-id", "`id` is no UUID.")
    return identifier


def _kind(path: str, header: Header) -> str | None:
    kind = header.required("type")
    if kind is None:
        return None
    if kind not in FOLDERS:
        message = f"`type` is {kind:.40}, which is none of the known types."
        header.flaw("type", "unknown-type", message, Severity.NOTE)
    elif is_misplaced(path, kind):
        message = f"A memory of type {kind} belongs into graph/{FOLDERS[kind]}/."
        header.flaw("type", "type-folder", message)
    return kind


def _confidence(header: Header) -> float | None:
    value = header.text("confidence")
    if value is None and "confidence" not in header.rest:
        return DEFAULT_CONFIDENCE
    return header.ratio("confidence", value)
