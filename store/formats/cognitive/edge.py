"""An edge file: one link between two memories, told at length."""

import re

from store.files.beneath import Blob
from store.files.frontmatter import Page, read_page
from store.findings import Claim, Findings, Severity, Side
from store.formats.cognitive.header import Header
from store.formats.cognitive.vocabulary import RELATION_TYPES, id_key
from store.times import Instant

_NAMED_TYPE = re.compile(r"--([A-Z][A-Z_]*)--")


def read_edge(path: str, blob: Blob) -> Findings:
    """The claim that an edge file makes."""
    page = read_page(blob.raw, whole=blob.whole)
    header = Header(page)
    start, end = header.text("from_id"), header.text("to_id")
    if start is None or end is None:
        message = "The edge does not say which memories it links: it is not shown."
        key = "to_id" if start else "from_id"
        header.flaw(key, "edge-without-ends", message, Severity.ERROR)
        return Findings(flaws=tuple(header.flaws))
    claim = Claim(
        start=id_key(start),
        end=id_key(end),
        type=_type(path, header),
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


def _type(path: str, header: Header) -> str:
    in_name = _NAMED_TYPE.search(path)
    named = in_name[1] if in_name else None
    kind = header.text("type")
    if kind is None:
        header.flaw("type", "missing-type", "`type` is missing.")
        return named or "RELATED_TO"
    if kind not in RELATION_TYPES:
        message = f"The edge is of a type of its own, {kind:.40}."
        header.flaw("type", "unknown-relation", message, Severity.NOTE)
    if named is not None and named != kind:
        message = f"The edge is of type {kind:.40}, but its name says {named:.40}."
        header.flaw("type", "edge-name", message)
    return kind


def _created(header: Header) -> Instant | None:
    """When the edge was made; a text that tells no time stays a field as well."""
    created = header.instant("created", header.text("created"))
    if created is not None and created.micros is None:
        header.rest["created"] = created.text
    return created


def _first_paragraph(page: Page) -> str | None:
    return page.body.strip().replace("\r\n", "\n").partition("\n\n")[0].strip() or None
