"""Real stores of three projects, read without loss."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.files.frontmatter import read_page
from store.findings import Findings, MemoryFound, Severity, Value
from store.formats.port import Refused
from tests.store.formats.notes_stores import corpus, read_all, refusals, scanned, sniffs

SIZES = {"koenvue": (13, 1), "slay": (2, 1), "memory-plugin": (414, 0)}


@pytest.fixture(params=SIZES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(name: str) -> Path:
    return corpus(name)


def pairs(store: Path) -> Iterator[tuple[Path, Findings]]:
    for path, findings in read_all(store).items():
        yield store / path, findings


def leaves(value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        for item in value.values():
            yield from leaves(item)


def told(memory: MemoryFound) -> list[str]:
    """Every text of the memory, without its body."""
    instants = (memory.created, memory.updated)
    texts = [memory.title, memory.id, memory.type, memory.description, *memory.tags]
    texts += [instant.text for instant in instants if instant]
    return [text for text in texts if text] + list(leaves(memory.fields))


def test_a_real_store_is_recognised_by_its_content(store: Path) -> None:
    assert sniffs(store)
    assert not any(sniffs(folder) for folder in store.iterdir() if folder.is_dir())


def test_every_file_is_a_memory_or_the_index(name: str, store: Path) -> None:
    found = list(read_all(store).values())

    memories = sum(len(findings.memories) for findings in found)
    documents = sum(len(findings.documents) for findings in found)
    assert (memories, documents) == SIZES[name]
    assert len(list(store.rglob("*.md"))) == memories + documents


def test_every_header_key_and_every_byte_of_the_body_is_kept(store: Path) -> None:
    for path, findings in pairs(store):
        raw = path.read_bytes()
        page = read_page(raw)
        for memory in findings.memories:
            assert raw.endswith(memory.body.encode()), path
            kept = told(memory)
            assert [x for x in leaves(page.fields) if x not in kept] == [], path
        for document in findings.documents:
            assert document.text.encode() == raw


def test_only_derived_files_are_refused(store: Path) -> None:
    assert set(refusals(store).values()) <= {"derived-file"}
    assert len(refusals(store)) == len(list(store.rglob("*.json")))
    assert not any(
        found.flaw.severity is Severity.ERROR
        for found in scanned(store).values()
        if isinstance(found, Refused)
    )


def test_invalid_yaml_is_recovered_and_flagged() -> None:
    flagged = {
        path.stem: findings
        for path, findings in pairs(corpus("koenvue"))
        if "invalid-yaml" in [flaw.code for flaw in findings.flaws]
    }

    assert list(flagged) == ["negative-result-verify-instrument"]
    (memory,) = flagged["negative-result-verify-instrument"].memories
    assert memory.title == "negative-result-verify-instrument"
    assert memory.description
    assert memory.type == "feedback"


def test_every_line_of_the_index_names_a_memory() -> None:
    store = corpus("koenvue")
    (document,) = read_all(store)["MEMORY.md"].documents

    assert len(document.mentions) == 13
    for mention in document.mentions:
        assert mention.note
        assert mention.target
        assert (store / mention.target.removeprefix("path:")).is_file()


def test_the_links_of_a_plugin_lead_to_memories() -> None:
    found = read_all(corpus("memory-plugin"))
    names = {n for f in found.values() for m in f.memories for n in m.names}

    ends = [claim.end for f in found.values() for claim in f.claims]

    assert len(ends) > 100
    resolved = [end for end in ends if end in names]
    assert len(resolved) / len(ends) > 0.9
