"""_embeddings.json: known by its beginning, for vectors are tens of megabytes."""

import re

from store.files.beneath import Blob
from store.findings import DocumentFound, Findings, Flaw, Severity, Value

HEAD = 128 * 1024
"""How much of the file is read: room for the head and the largest vector."""

DIMENSIONS = {"nomic-embed-text": 768, "text-embedding-3-small": 1536}
"""How long the vectors of each known model are."""

_TEXT = rb'"%s"\s*:\s*"((?:[^"\\]|\\.)*)"'
_MODEL = re.compile(_TEXT % b"model")
_UPDATED = re.compile(_TEXT % b"updated")
_VECTOR = re.compile(rb'"[^"]*"\s*:\s*\[([^\[\]"{}]*)\]\s*,?\s*')


def read_embeddings(path: str, blob: Blob) -> Findings:
    """The model, and how many vectors of which length, without reading them."""
    if not blob.raw.lstrip().startswith(b"{"):
        message = "The file ought to hold a map."
        flaw = Flaw(code="damaged-json", message=message, severity=Severity.ERROR)
        return Findings(flaws=(flaw,))
    model, updated = (_text(name.search(blob.raw)) for name in (_MODEL, _UPDATED))
    first = _VECTOR.search(blob.raw)
    length = _length(first[1]) if first else None
    told = {
        "model": model,
        "updated": updated,
        "vectors": _count(blob, first),
        "dimensions": None if length is None else str(length),
        "bytes": str(blob.stamp.size),
    }
    facts: dict[str, Value] = {k: fact for k, fact in told.items() if fact is not None}
    document = DocumentFound(title=path, role="document", text="", facts=facts)
    return Findings(documents=(document,), flaws=_flaws(blob, model, length))


def _text(found: re.Match[bytes] | None) -> str | None:
    return found[1].decode(errors="replace") if found else None


def _length(vector: bytes) -> int:
    return vector.count(b",") + 1 if vector.strip() else 0


def _count(blob: Blob, first: re.Match[bytes] | None) -> str | None:
    """How many vectors there are; estimated by the first where the file is long."""
    if blob.whole:
        return str(sum(1 for _ in _VECTOR.finditer(blob.raw)))
    if first is None:
        return None
    return f"about {blob.stamp.size // (first.end() - first.start())}"


def _flaws(blob: Blob, model: str | None, length: int | None) -> tuple[Flaw, ...]:
    flaws: list[Flaw] = []
    expected = DIMENSIONS.get((model or "").partition(":")[0], length)
    if length is not None and length != expected:
        message = f"Vectors of {model} have {expected} dimensions, these have {length}."
        flaws.append(Flaw(code="dimensions", message=message, severity=Severity.NOTE))
    if blob.whole and not blob.raw.rstrip().endswith(b"}"):
        message = "The file ends in the middle."
        flaws.append(
            Flaw(code="damaged-json", message=message, severity=Severity.ERROR)
        )
    return tuple(flaws)
