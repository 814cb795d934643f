"""What title lines and tabs say: the order in words, and no count before reading."""

import pytest

from tui.browser.bars import READ_ONLY, tabs
from tui.browser.lists import sorted_by
from tui.browser.worker import RELEVANCE
from widgets.bars import Items
from widgets.sheet import text_of
from widgets.table import Sorting


@pytest.mark.parametrize(
    ("kind", "name", "usual", "reverse"),
    [
        ("memories", "updated", "newest first", "oldest first"),
        ("memories", "created", "newest first by created", "oldest first by created"),
        ("memories", "title", "by title", "by title, Z to A"),
        ("memories", "confidence", "highest confidence first", None),
        ("memories", "links_in", None, "lowest links in first"),
        ("memories", RELEVANCE, "best match first", "worst match first"),
        ("edges", "created", "newest first", "oldest first"),
        ("problems", "severity", "worst first", "mildest first"),
        ("documents", "path", "by path", "by path, Z to A"),
    ],
)
def test_an_order_is_told_in_words(
    kind: str, name: str, usual: str | None, reverse: str | None
) -> None:
    told = [sorted_by(kind, name, is_reversed=turned).words for turned in (False, True)]
    assert usual in {None, told[0]}
    assert reverse in {None, told[1]}


@pytest.mark.parametrize(
    ("kind", "name", "is_ascending"),
    [("memories", "strength", False), ("documents", "path", True)],
)
def test_an_arrow_tells_whether_the_smallest_is_first(
    kind: str,
    name: str,
    is_ascending: bool,  # noqa: FBT001  # a parameter of the test
) -> None:
    for turned in (False, True):
        found = sorted_by(kind, name, is_reversed=turned)
        assert found == Sorting(name, is_ascending is not turned, found.words)


def row(items: Items) -> str:
    """The tabs in full."""
    return "".join(text_of(item.forms[0]) for item in items.left)


def test_tabs_tell_no_count_before_anything_is_counted() -> None:
    assert "0" not in row(tabs({}, "memories", "", READ_ONLY))
    assert "Memories 0" in row(tabs({"memories": 0}, "memories", "", READ_ONLY))
    assert "Journals 4" in row(tabs({"agents": 4}, "memories", "", READ_ONLY))
