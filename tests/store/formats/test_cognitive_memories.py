from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given

from store.findings import Claim, MemoryFound, Side, name_key
from store.formats.cognitive.format import FOLDERS
from store.formats.port import Source
from tests.store.formats.cognitive_generated import MadeMemory, stores
from tests.store.formats.cognitive_stores import (
    STEPS,
    TIMEOUTS,
    TIMEOUTS_PATH,
    codes,
    memory_text,
    read,
    scanned,
    write,
)


def found(root: Path, text: str | bytes, path: str = TIMEOUTS_PATH) -> MemoryFound:
    (memory,) = read(root, path, text).memories
    return memory


def claimed(made: MadeMemory) -> list[tuple[object, ...]]:
    """The claims of a generated memory's relations."""
    own = f"id:{made.id}"
    return [
        (
            own if relation.direction == "outgoing" else f"id:{relation.target}",
            f"id:{relation.target}" if relation.direction == "outgoing" else own,
            relation.type,
            Side(relation.direction),
            relation.strength,
            relation.context,
            relation.edge_id,
        )
        for relation in made.relations
    ]


def told(claims: Iterable[Claim]) -> list[tuple[object, ...]]:
    return [
        (c.start, c.end, c.type, c.side, c.strength, c.context, c.edge_id)
        for c in claims
    ]


@given(stores())
def test_a_generated_store_is_read_as_it_was_generated(
    tmp_path_factory: pytest.TempPathFactory, made: list[MadeMemory]
) -> None:
    root = tmp_path_factory.mktemp("store")
    for memory in made:
        write(root, memory.path, memory.text)
    assert set(scanned(root)) == {memory.path for memory in made}
    for memory in made:
        findings = read(root, memory.path)
        (seen,) = findings.memories
        assert seen.created
        assert seen.updated
        assert seen == MemoryFound(
            title=memory.title,
            id=memory.id,
            type=memory.type,
            tags=memory.tags,
            importance=memory.importance,
            confidence=0.8 if memory.confidence is None else memory.confidence,
            created=seen.created,
            updated=seen.updated,
            pinned=memory.path.startswith("vault/"),
            fades=True,
            names=seen.names,
            body=memory.body,
            fields=dict(memory.more),
            relations=seen.relations,
            steps=memory.steps,
            preconditions=memory.preconditions,
            postconditions=memory.postconditions,
        )
        assert (seen.created.text, seen.updated.text) == (
            memory.created,
            memory.updated,
        )
        assert name_key(memory.title) in seen.names
        assert told(findings.claims) == claimed(memory)
        assert codes(findings) == []


@pytest.mark.parametrize(("kind", "folder"), FOLDERS.items())
def test_each_type_has_its_folder(tmp_path: Path, kind: str, folder: str) -> None:
    text = memory_text(kind=kind)
    findings = read(tmp_path, f"graph/{folder}/a-a1b2c3.md", text)
    assert findings.memories[0].type == kind
    assert codes(findings) == []


def test_a_memory_in_the_folder_of_another_type_is_reported(tmp_path: Path) -> None:
    findings = read(tmp_path, "graph/fixes/a-a1b2c3.md", memory_text())
    assert codes(findings) == ["type-folder"]
    assert findings.flaws[0].line == 3


def test_an_unknown_type_is_kept_and_reported(tmp_path: Path) -> None:
    text = memory_text(kind="recipe")
    findings = read(tmp_path, "graph/recipes/a-a1b2c3.md", text)
    assert findings.memories[0].type == "recipe"
    assert codes(findings) == ["unknown-type"]


def test_memories_in_the_vault_are_pinned_whatever_their_type(tmp_path: Path) -> None:
    findings = read(tmp_path, "vault/a-a1b2c3.md", memory_text())
    assert findings.memories[0].pinned
    assert codes(findings) == []


def test_a_memory_may_be_one_folder_deeper(tmp_path: Path) -> None:
    findings = read(tmp_path, "graph/solutions/redis/a-a1b2c3.md", memory_text())
    assert findings.memories[0].id == TIMEOUTS
    assert codes(findings) == []


def test_a_memory_without_confidence_gets_the_default(tmp_path: Path) -> None:
    text = memory_text().replace("confidence: 0.9\n", "")
    assert found(tmp_path, text).confidence == 0.8
    assert found(tmp_path, memory_text()).confidence == 0.9


@pytest.mark.parametrize("junk", ["high", "1.5", "-0.1", ".nan", "nan", "inf", "[1]"])
def test_an_invalid_importance_is_reported_and_kept(tmp_path: Path, junk: str) -> None:
    text = memory_text().replace("importance: 0.8", f"importance: {junk}")
    findings = read(tmp_path, TIMEOUTS_PATH, text)
    (memory,) = findings.memories
    assert memory.importance is None
    assert memory.fields["importance"] == (["1"] if junk == "[1]" else junk)
    assert codes(findings) == ["bad-importance"]
    assert findings.flaws[0].line == 6


def test_an_invalid_confidence_is_reported(tmp_path: Path) -> None:
    text = memory_text().replace("confidence: 0.9", "confidence: sure")
    findings = read(tmp_path, TIMEOUTS_PATH, text)
    assert findings.memories[0].confidence is None
    assert codes(findings) == ["bad-confidence"]


@pytest.mark.parametrize("key", ["id", "type", "title", "importance", "created"])
def test_a_missing_required_field_is_reported(tmp_path: Path, key: str) -> None:
    lines = memory_text().splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith(f"{key}:"))
    assert codes(read(tmp_path, TIMEOUTS_PATH, text)) == [f"missing-{key}"]


def test_a_memory_without_a_title_is_named_after_its_file(tmp_path: Path) -> None:
    text = memory_text().replace('title: "Fixed Redis', '#title: "Fixed Redis')
    memory = found(tmp_path, text)
    assert memory.title == "fixed-redis-connection-timeouts-a1b2c3"
    assert memory.names == ("name:fixed-redis-connection-timeouts-a1b2c3",)


def test_a_page_without_a_header_is_a_memory(tmp_path: Path) -> None:
    findings = read(tmp_path, TIMEOUTS_PATH, "Only text.\n")
    (memory,) = findings.memories
    assert memory.title == "fixed-redis-connection-timeouts-a1b2c3"
    assert memory.body == "Only text.\n"
    assert codes(findings) == ["no-header"]


def test_a_broken_header_still_gives_its_fields(tmp_path: Path) -> None:
    text = memory_text().replace("tags: [redis, timeout]", "tags: [redis, timeout")
    findings = read(tmp_path, TIMEOUTS_PATH, text)
    (memory,) = findings.memories
    assert memory.title == "Fixed Redis connection timeouts"
    assert memory.id == TIMEOUTS
    assert "invalid-yaml" in codes(findings)


def test_an_id_that_is_not_a_uuid_is_kept_and_reported(tmp_path: Path) -> None:
    findings = read(tmp_path, TIMEOUTS_PATH, memory_text("0123"))
    assert findings.memories[0].id == "0123"
    assert codes(findings) == ["bad-id"]


def test_an_invalid_time_is_kept_unchanged(tmp_path: Path) -> None:
    text = memory_text().replace("2025-12-06T16:25:58+00:00", "last Tuesday")
    findings = read(tmp_path, TIMEOUTS_PATH, text)
    created = findings.memories[0].created
    assert created
    assert (created.text, created.micros) == ("last Tuesday", None)
    assert codes(findings) == ["bad-time"]


@pytest.mark.parametrize(
    ("written", "tags", "noted"),
    [
        ("tags: [yes, 1.0, 'null']", ("yes", "1.0", "null"), []),
        ("tags:\n  - redis\n  - timeout", ("redis", "timeout"), []),
        ("tags: []", (), []),
        ("tags:", (), []),
        ("tags: null", (), []),
        ("tags: redis, timeout", ("redis", "timeout"), ["bad-tags"]),
        ("tags: redis", ("redis",), ["bad-tags"]),
        ("tags: [redis, [a, b], '']", ("redis",), ["bad-tags"]),
        ("tags: {a: b, c: d}", (), ["bad-tags"]),
    ],
)
def test_tags_in_every_form(
    tmp_path: Path, written: str, tags: tuple[str, ...], noted: list[str]
) -> None:
    text = memory_text().replace("tags: [redis, timeout]", written)
    findings = read(tmp_path, TIMEOUTS_PATH, text)
    assert findings.memories[0].tags == tags
    assert codes(findings) == noted


def test_a_procedure_has_steps_and_conditions(tmp_path: Path) -> None:
    text = memory_text(kind="procedure", more=STEPS)
    memory = found(tmp_path, text, "graph/procedures/deploy-a1b2c3.md")
    assert memory.steps == ("Run tests", "Push to registry")
    assert memory.preconditions == ("On main branch",)
    assert memory.postconditions == ("Service healthy",)


def test_a_step_with_a_colon_is_not_a_map(tmp_path: Path) -> None:
    more = "steps:\n  - Run tests: all of them\n  - Deploy\n"
    assert found(tmp_path, memory_text(more=more)).steps == (
        "Run tests: all of them",
        "Deploy",
    )


def test_unknown_fields_are_kept(tmp_path: Path) -> None:
    memory = found(tmp_path, memory_text(more="source:\n  session: [1, x]\n"))
    assert memory.fields == {"source": {"session": ["1", "x"]}}


def test_the_suffix_of_a_name_may_be_upper_case(tmp_path: Path) -> None:
    assert found(tmp_path, memory_text(), "graph/solutions/A.MD").id == TIMEOUTS


def test_a_name_that_is_not_text_is_still_a_title(tmp_path: Path) -> None:
    (tmp_path / "graph/fixes").mkdir(parents=True)
    path = "graph/fixes/caf\udce9.md"
    assert found(tmp_path, "text", path).title == "caf\N{REPLACEMENT CHARACTER}"


def test_a_link_within_the_store_is_read_as_its_target(tmp_path: Path) -> None:
    write(tmp_path, TIMEOUTS_PATH, memory_text())
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/kept.md").symlink_to(f"../{TIMEOUTS_PATH}")
    link, file = (scanned(tmp_path)[path] for path in ("vault/kept.md", TIMEOUTS_PATH))
    assert isinstance(link, Source)
    assert isinstance(file, Source)
    assert link.stamp == file.stamp
    assert read(tmp_path, "vault/kept.md").memories[0].pinned
