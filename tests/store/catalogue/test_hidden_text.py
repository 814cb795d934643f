"""Text that people do not see is a finding; ordinary text in any language is none."""

import pytest

from tests.store.catalogue.stores import Shelf, memory, write

HIDDEN = ["ig\u200bnore", "user\u202egnp.exe", "hello\U000e0069\U000e0067", "\u3164"]


@pytest.mark.parametrize(
    ("where", "hidden"),
    [
        *(("title", hidden) for hidden in HIDDEN),
        *(("body", hidden) for hidden in (*HIDDEN, "a\u001b[2Jb")),
    ],
)
def test_hidden_characters_are_noted(shelf: Shelf, where: str, hidden: str) -> None:
    store = shelf.places[0] / "a"
    text = memory(1, title=hidden) if where == "title" else memory(1, body=hidden)
    write(store, "graph/fixes/one.md", text)
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("hidden-text", "note")
    assert problem.ref == shelf.memories()[0].ref


@pytest.mark.parametrize(
    "plain",
    ["naïve café", "日本語の検索", "👩‍👩‍👧 ❤️", "می‌خواهم", "tab\there\r\n"],
)
def test_ordinary_text_is_not(shelf: Shelf, plain: str) -> None:
    write(shelf.places[0] / "a", "graph/fixes/one.md", memory(1, body=plain))
    shelf.sync()

    assert shelf.problems() == []
