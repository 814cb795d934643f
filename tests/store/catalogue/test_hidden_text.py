"""Invisible text and secrets are findings; other text is not."""

import pytest

from store.search.tree import Named
from tests.store.catalogue.stores import Shelf, memory, write

HIDDEN = ["ig\u200bnore", "user\u202egnp.exe", "hello\U000e0069\U000e0067", "\u3164"]


@pytest.mark.parametrize(
    ("where", "hidden"),
    [
        *(("title", hidden) for hidden in HIDDEN),
        *(("body", hidden) for hidden in (*HIDDEN, "a\u001b[2Jb")),
    ],
)
def test_hidden_characters_are_reported(shelf: Shelf, where: str, hidden: str) -> None:
    store = shelf.places[0] / "a"
    text = memory(1, title=hidden) if where == "title" else memory(1, body=hidden)
    write(store, "graph/fixes/one.md", text)
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("hidden-text", "note")
    assert problem.ref == shelf.memories()[0].ref


def test_a_secret_is_reported_and_not_shown(shelf: Shelf) -> None:
    body = "the key is AKIAFAKEFAKEFAKEFAKE"
    write(shelf.places[0] / "a", "graph/fixes/one.md", memory(1, body=body))
    write(shelf.places[0] / "a", "graph/fixes/two.md", memory(2))
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("secret", "warning")
    assert "an AWS access key" in problem.message
    assert "FAKE" not in problem.message
    with shelf.opened() as library:
        assert library.lists.count("memories", Named("is", ("secret",))) == 1


@pytest.mark.parametrize(
    "plain",
    ["naïve café", "日本語の検索", "👩‍👩‍👧 ❤️", "می‌خواهم", "tab\there\r\n"],
)
def test_ordinary_text_is_not_reported(shelf: Shelf, plain: str) -> None:
    write(shelf.places[0] / "a", "graph/fixes/one.md", memory(1, body=plain))
    shelf.sync()

    assert shelf.problems() == []
