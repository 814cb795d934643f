import json
from pathlib import Path

import pytest

from store.findings import Severity
from store.formats.cognitive.derived import HEAD, read_embeddings
from tests.store.formats.cognitive_stores import EMBEDDINGS, blob, codes, facts, read


def test_embeddings_are_described() -> None:
    findings = read_embeddings("_embeddings.json", blob(EMBEDDINGS))
    assert facts(findings) == {
        "model": "nomic-embed-text",
        "updated": "2026-02-13T12:00:00+00:00",
        "vectors": "2",
        "dimensions": "768",
        "bytes": str(len(json.dumps(EMBEDDINGS))),
    }
    assert codes(findings) == []


@pytest.mark.parametrize("indent", [None, 1])
def test_large_embeddings_are_described_by_their_beginning(
    tmp_path: Path, indent: int | None
) -> None:
    vectors = {f"{n:032x}": [0.123456789] * 1536 for n in range(40)}
    value = {"model": "text-embedding-3-small", "entries": vectors}
    text = json.dumps(value, indent=indent)
    assert len(text) > 4 * HEAD
    findings = read(tmp_path, "_embeddings.json", text)
    assert facts(findings)["vectors"] == "about 40"
    assert facts(findings)["dimensions"] == "1536"
    assert codes(findings) == []


def test_vectors_of_the_wrong_length_are_reported() -> None:
    value = {"model": "nomic-embed-text:latest", "entries": {"a": [0.5] * 1536}}
    findings = read_embeddings("e", blob(value))
    assert [(f.code, f.severity) for f in findings.flaws] == [
        ("dimensions", Severity.NOTE)
    ]


@pytest.mark.parametrize("raw", [b"", b"[]", b'{"model": "m", "entries": {"a": [1.0'])
def test_damaged_embeddings_are_an_error(raw: bytes) -> None:
    assert codes(read_embeddings("e", blob(raw))) == ["damaged-json"]
