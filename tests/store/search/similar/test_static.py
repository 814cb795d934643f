"""Vectors from a model2vec model in a folder."""

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.meaning import NoAnswerError
from store.search.providers import model_in, words_of

PIECES = ("[UNK]", "lamp", "##s", "bulb", "light", ",", "山", "cafe")
ROWS = [(9, 9), (1, 0), (0, 1), (2, 1), (1, 3), (0, 5), (4, 0), (0, -1)]

Tables = Mapping[str, tuple[str, Sequence[Sequence[float]]]]


def model(folder: Path, tables: Tables | None = None, **vocabulary: object) -> Path:
    """A model with a few pieces of words."""
    folder.mkdir()
    vocab = {piece: number for number, piece in enumerate(PIECES)}
    told = {"type": "WordPiece", "vocab": vocab, **vocabulary}
    (folder / "tokenizer.json").write_text(json.dumps({"model": told}), "utf-8")
    head: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, (kind, rows) in (tables or {"embeddings": ("F32", ROWS)}).items():
        form = {"F16": "e", "F32": "f", "F64": "d", "I64": "q"}[kind]
        raw = b"".join(struct.pack(f"<{len(row)}{form}", *row) for row in rows)
        shape = [len(rows), len(rows[0])] if len(rows[0]) > 1 else [len(rows)]
        offsets = [len(body), len(body) + len(raw)]
        head[name] = {"dtype": kind, "shape": shape, "data_offsets": offsets}
        body += raw
    text = json.dumps(head).encode()
    raw = struct.pack("<Q", len(text)) + text + body
    (folder / "model.safetensors").write_bytes(raw)
    return folder


def test_a_text_is_the_mean_of_its_pieces(tmp_path: Path) -> None:
    plain = model_in(str(model(tmp_path / "m")))

    assert plain.vector("Lamps") == [1, 1]
    assert plain.vector("lamp, light") == [1 + 0 + 1, 0 + 5 + 3]
    assert plain.vector("café unknown") == plain.vector("CAFE")
    assert plain.vector("山山") == [8, 0]


def test_pieces_may_have_weights_and_share_rows(tmp_path: Path) -> None:
    tables: Tables = {
        "embeddings": ("F16", ROWS[:4]),
        "weights": ("F64", [[1], [0.5], [1], [1], [1], [1], [1], [1]]),
        "mapping": ("I64", [[0], [1], [2], [3], [3], [2], [1], [0]]),
    }
    shared = model_in(str(model(tmp_path / "m", tables)))

    assert shared.vector("lamp bulb") == [0.5 + 2, 1]
    assert shared.vector("light") == shared.vector("bulb")


def test_words_that_are_unknown_have_no_vector(tmp_path: Path) -> None:
    plain = model_in(str(model(tmp_path / "m")))

    with pytest.raises(NoAnswerError, match=r"m knows none of the words"):
        plain.vector("zebra 123")


@pytest.mark.parametrize("name", ["", "potion-base-8M", "/nowhere/at/all"])
def test_nothing_is_downloaded(name: str) -> None:
    with pytest.raises(NoAnswerError, match=r"must name the folder .* is downloaded"):
        model_in(name)


def test_what_is_no_such_model_is_reported(tmp_path: Path) -> None:
    other = model(tmp_path / "other", type="Unigram")
    empty = model(tmp_path / "empty")
    (empty / "model.safetensors").unlink()
    short = model(tmp_path / "short")
    raw = (short / "model.safetensors").read_bytes()
    (short / "model.safetensors").write_bytes(raw[:-1])

    with pytest.raises(NoAnswerError, match=r"vocabulary \(its vocabulary is Unigram"):
        model_in(str(other))
    with pytest.raises(
        NoAnswerError, match=r"Can't read .*model\.safetensors: No such"
    ):
        model_in(str(empty))
    with pytest.raises(NoAnswerError, match=r"\(it is cut short\)"):
        model_in(str(short))


@given(raw=st.binary(max_size=200))
def test_any_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    folder = model(tmp_path_factory.mktemp("any") / "m")
    (folder / "model.safetensors").write_bytes(raw)

    with pytest.raises(NoAnswerError):
        model_in(str(folder))


@given(text=st.text())
def test_words_are_separated_and_without_accents(text: str) -> None:
    words = words_of(text)

    assert all(word.split() == [word] for word in words)
    assert words_of(" ".join(words)) == words
    assert words_of("Élan vital: a→b") == ["elan", "vital", ":", "a→b"]
