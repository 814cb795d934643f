"""The vectors of a cognitive store."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import RefusedError, UnreadableError
from store.formats.cognitive.format import FORMAT
from store.formats.port import Vectors
from tests.store.formats.cognitive_stores import (
    DROPS,
    TIMEOUTS,
    make_small_store,
    write,
)
from tests.store.formats.sample import SampleFormat


def vectors(root: Path, value: object = None) -> Vectors | None:
    """The vectors of a store whose file has this value or exactly these bytes."""
    if value is not None:
        raw = value if isinstance(value, bytes) else json.dumps(value).encode()
        write(root, "_embeddings.json", raw)
    with FORMAT.open(root) as store:
        return store.vectors()


def test_every_memory_has_its_vector(tmp_path: Path) -> None:
    make_small_store(tmp_path)

    found = vectors(tmp_path)

    assert found is not None
    assert found.model == "nomic-embed-text"
    assert found.dimensions == 768
    assert found.unusable == 0
    assert {key: list(vector) for key, vector in found.by_key.items()} == {
        f"id:{TIMEOUTS}": [0.25] * 768,
        f"id:{DROPS}": [-0.5] * 768,
    }


def test_a_store_may_have_none(tmp_path: Path) -> None:
    assert vectors(tmp_path) is None
    sample = SampleFormat({tmp_path: {}})
    with sample.open(tmp_path) as store:
        assert store.vectors() is None


def test_invalid_vectors_are_counted_and_left_out(tmp_path: Path) -> None:
    bad: list[object] = [
        [1, 2, 3],
        [0, 0],
        [1, None],
        [1, "2"],
        {},
        None,
        [],
        [1e99, 1],
        [10**400, 1],
    ]
    entries = {"A": [1, 2], "b": [3.5, -4], **{f"x{n}": v for n, v in enumerate(bad)}}

    found = vectors(tmp_path, {"model": 3, "entries": entries})

    assert found is not None
    assert found.model is None
    assert found.by_key.keys() == {"id:a", "id:b"}
    assert found.dimensions == 2
    assert found.unusable == len(bad)


def test_a_file_without_vectors_has_no_dimensions(tmp_path: Path) -> None:
    found = vectors(tmp_path, {"model": "m", "entries": {}})

    assert found == Vectors("m", {}, path="_embeddings.json")
    assert Vectors("m", {}).dimensions == 0


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (b"", "_embeddings.json is damaged: The file is empty."),
        (b"[]", "_embeddings.json is damaged: The file must contain a map."),
        (b'{"entries": {"a": [1', "_embeddings.json is damaged: Invalid JSON"),
        ({"entries": []}, "_embeddings.json has no `entries` map."),
        ({}, "_embeddings.json has no `entries` map."),
    ],
)
def test_a_damaged_file_is_reported(
    tmp_path: Path, value: object, sentence: str
) -> None:
    with pytest.raises(UnreadableError) as raised:
        vectors(tmp_path, value)

    assert str(raised.value).startswith(sentence)


def test_a_file_that_is_too_large_is_reported(tmp_path: Path) -> None:
    with (tmp_path / "_embeddings.json").open("wb") as file:
        file.truncate(129 * 1024 * 1024)

    with pytest.raises(UnreadableError, match=r"^_embeddings.json is larger than 128"):
        vectors(tmp_path)


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path, "outside.json", '{"entries": {}}')
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "_embeddings.json").symlink_to(outside)

    with pytest.raises(RefusedError):
        vectors(tmp_path / "store")


@given(st.binary(max_size=80))
def test_no_bytes_crash_the_program(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    root = tmp_path_factory.mktemp("store")
    text = b'{"entries": {"a": [' + raw + b"]}}"
    try:
        found = vectors(root, text)
    except UnreadableError as error:
        said = str(error)
    else:
        assert found is not None
        said = f"_embeddings.json has {len(found.by_key) + found.unusable} entries."

    assert said.startswith(("_embeddings.json has ", "_embeddings.json is damaged: "))
