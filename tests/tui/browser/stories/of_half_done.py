"""Stories of a change that another program interfered with."""

from pathlib import Path

from store.edits.engine import Engine
from store.library import Library
from store.machine import Places
from store.records.intents import Relate
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit

PATHS = ("graph/fixes/memory-3.md", "graph/fixes/memory-4.md")


def come_between(library: Library, places: Places | None) -> Path:
    """Link two memories, and let another program write one of them meanwhile.

    Returns their store.
    """
    assert places is not None
    ends = library.plans.changeable(["00000003", "00000004"])
    store = Path(ends[0].store)
    before = (store / PATHS[1]).read_text(encoding="utf-8")
    library.changes.apply(
        library.plans.plan(Relate(type="SOLVES"), ends), is_permitted=True
    )
    journal = places.state / "changes" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]))
    (store / PATHS[1]).write_text(before)
    theirs = before.replace("00000004", "00000003").replace("Body 4.", "Theirs.")
    (store / PATHS[0]).write_text(theirs)
    with Engine(places, lambda: 1) as engine:
        engine.recover()
    library.sync()
    return store


@story("resolve", "answer-dismiss", changes=True)
async def a_half_done_change_is_left_as_it_is(visit: Visit) -> None:
    store = come_between(
        visit.browser.parts.session.library, visit.browser.parts.session.kept.places
    )
    await visit.browser.parts.journal.count()
    await visit.press("colon")
    await visit.type("resolve")
    await visit.press("enter")
    assert "half done" in visit.text

    await visit.press("4")

    assert "dismissed: link" in visit.status
    assert "Theirs." in (store / PATHS[0]).read_text(encoding="utf-8")
