"""Memories as they will be some days later, and those that fade within a week."""

from store.library import Page
from tests.store.catalogue.stores import Shelf, cognitive, memory, write


def test_what_changes_its_stage_comes_first(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for number, importance in ((1, "0.3"), (2, "0.98"), (3, "0.42")):
        text = memory(number, importance=importance, type="fix")
        write(store, f"graph/fixes/{number}.md", text)
    shelf.sync()

    with shelf.opened() as library:
        soon = library.lists.forecast(3, Page())
        later = library.lists.forecast(30, Page())
        pages = [library.lists.forecast(3, Page(limit=1, offset=n)) for n in range(4)]
        (due,) = library.review.due(["fading-soon"])

    first, *rest = [(one.title, one.changes_on) for one in soon]
    assert first == ("Memory 3", "2026-03-03")
    assert sorted(rest) == [("Memory 1", None), ("Memory 2", None)]
    assert [one for page in pages for one in page] == soon
    assert (soon[0].stage, soon[0].stage_then) == ("fading", "dormant")
    assert [one.changes_on for one in later][1] == "2026-03-31"
    assert due.memory.title == "Memory 3"
