"""Raw bytes are searched: any possible match is let through."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.catalogue import unread as raw
from store.catalogue.unread import Sieve, needle
from store.files.beneath import Root
from store.resource import Deadline
from store.search.tree import All, Either, Fuzzy, Node, Not, Start, Text
from store.text import holds
from tests.store.catalogue.unread.queries import AT_LEISURE

LETTERS = st.text(
    st.sampled_from(
        'abKz09éÉñłŁøđĐæþŋßẞƀⱡ\u0131\u212aﬁ\uff21\U0001d400\u2460½™"\\/\n\t —日\x1b'
    ),
    min_size=1,
    max_size=20,
)

WRITTEN = st.sampled_from([str, json.dumps, partial(json.dumps, ensure_ascii=False)])
"""The ways in which a text stands in a file."""


def may_hold(
    folder: Path, content: bytes, tree: Node, *, seconds: float = AT_LEISURE
) -> bool | None:
    """Whether a file with this content may match."""
    (folder / "page").write_bytes(content)
    with Root(folder) as root, root.opened("page") as file:
        deadline = Deadline.after(seconds)
        return raw.may_hold(file, 0, "page", Sieve(tree), deadline)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("raw")


@given(LETTERS, LETTERS, st.data(), WRITTEN)
def test_a_text_in_a_file_is_never_missed(
    folder: Path,
    before: str,
    text: str,
    data: st.DataObject,
    write: Callable[[str], str],
) -> None:
    begin = data.draw(st.integers(0, len(text) - 1))
    typed = text[begin : data.draw(st.integers(begin + 1, len(text)))]
    said = f"{before}{text}."
    assert holds(said, typed)

    assert may_hold(folder, write(said).encode(), Text(typed))


@pytest.mark.parametrize("word", ["keepalive", "idléness"])
def test_a_word_across_two_blocks_is_found(
    folder: Path, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw, "_BLOCK", 64)
    for begin in range(140):
        content = b"." * begin + word.encode() + b"." * 99
        assert may_hold(folder, content, Text(word)), begin
        assert may_hold(folder, content, Text(word[:-1] + "q")) is False


@pytest.mark.parametrize(
    ("tree", "content", "may_be"),
    [
        (Text("redis"), b"About REDIS.", True),
        (Text("redis"), b"About sqlite.", False),
        (All((Text("redis"), Text("idle"))), b"redis", False),
        (All((Text("redis"), Text("idle"))), b"idle redis", True),
        (Either((Text("redis"), Text("idle"))), b"idle", True),
        (All((Text("redis"), Not(Text("idle")))), b"idle redis", True),
        (Not(Text("redis")), b"nothing", True),
        (Fuzzy("redsi"), b"nothing", True),
        (Start("Redis"), b"nothing", False),
        (Text("日本"), b"nothing", True),
        (Text("\N{LATIN SMALL LETTER E WITH ACUTE}t\\n"), b"xet", True),
        (Text("page"), b"nothing", True),
        (Text("redis"), b"SQLite format 3\0", True),
    ],
)
def test_undecidable_content_is_let_through(
    folder: Path, tree: Node, content: bytes, *, may_be: bool
) -> None:
    assert may_hold(folder, content, tree) is may_be


def test_when_time_is_up_nothing_is_reported(folder: Path) -> None:
    assert may_hold(folder, b"redis", Text("redis"), seconds=0) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("redis-keepalive", b"keepalive"),
        ("Crème brûlée", b"brulee"),
        ("a\\nbc", b"nbc"),
        ("…", b""),
        ("日本", b""),
    ],
)
def test_the_longest_plain_part_of_a_text_is_searched(text: str, wanted: bytes) -> None:
    assert needle(text) == wanted
