"""Stories of the current record: hits, tabs, similar records, copies."""

from pathlib import Path

from store.kinds.memories import Memory
from store.library import Record
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("next-hit", "previous-hit")
async def from_hit_to_hit(visit: Visit) -> None:
    await visit.press("n")
    assert "No search active. Press / to search." in visit.status

    await visit.ask("restic")
    await visit.press("n")
    assert visit.reader.hit
    first, known = visit.reader.hit
    assert (first, known > 1) == (1, True)
    await visit.press("n")
    assert visit.reader.hit == (2, known)
    assert f"hit 2 of {known}" in visit.status
    await visit.press("N", "N")
    assert visit.reader.hit == (known, known)


@story("more-like-this")
async def memories_like_this_one(visit: Visit) -> None:
    before = visit.here
    await visit.press("asterisk")
    assert "similar memories" in visit.text

    await visit.press("enter")
    assert isinstance(visit.here, Memory)
    assert visit.here != before
    await visit.press("H")
    assert visit.here == before

    await visit.press("2", "asterisk")
    assert "Only memories can be compared." in visit.status


@story("next-tab", "previous-tab")
async def the_sides_of_a_record(visit: Visit) -> None:
    seen: list[str] = []
    for _ in range(7):
        seen.append(visit.reader.tab)
        await visit.press("right_square_bracket")
    assert seen == ["read", "links", "related", "facts", "raw", "history", "blame"]
    assert visit.reader.tab == "read"

    await visit.press("left_square_bracket")
    assert "origin unknown" in "\n".join(visit.pane("reader"))
    await visit.press("left_square_bracket")
    assert "No history found" in "\n".join(visit.pane("reader"))
    await visit.press("left_square_bracket")
    assert "---" in "\n".join(visit.pane("reader"))

    await visit.press("4", "enter")
    assert visit.scope == "transcript", "each kind has its own tab"
    await visit.press("1")
    assert visit.reader.tab == "raw"


@story("show-file")
async def the_file_in_a_pager(visit: Visit) -> None:
    await visit.press("o")

    # nothing can be suspended here, so the file is named instead
    assert Path(visit.browser.parts.status.message).is_file()
    assert visit.browser.parts.status.message == path_of(visit.here)
    await visit.press("0", "o")
    assert "is outside its store" in visit.status


@story(
    "copy-ref",
    "copy-title",
    "copy-path",
    "copy-body",
    "copy-markdown",
    "copy-link",
    "copy-query",
)
async def whatever_is_wanted_of_it(visit: Visit) -> None:
    await visit.press("y")
    assert "t Copy title" in "\n".join(visit.pane("strip"))
    await visit.press("escape", "y", "q")
    assert "No search active. Press / to search." in visit.status

    await visit.ask("the")
    memory = visit.here
    assert isinstance(memory, Memory)
    told = {key: await _copied(visit, key) for key in "itplqbm"}
    assert told.pop("b") in Path(path_of(memory)).read_text(encoding="utf-8")
    assert told.pop("m").startswith(f"# {memory.title}\n\n")
    assert told == {
        "i": memory.ref,
        "t": memory.title,
        "p": path_of(memory),
        "l": f"[[{memory.title}]]",
        "q": "the",
    }
    assert "Copied (also saved to" in visit.browser.parts.status.message


@story("copy-selected")
async def what_was_selected_with_the_mouse(visit: Visit) -> None:
    reader = visit.reader.text.sheet.region
    await visit.pilot.mouse_down(offset=(reader.x + 1, reader.y + 5))
    await visit.pilot.hover(offset=(reader.x + 20, reader.y + 5))
    await visit.pilot.mouse_up(offset=(reader.x + 20, reader.y + 5))
    await visit.settle()
    selected = visit.reader.text.sheet.selected_text()
    assert "yy copy selection" in visit.status

    assert selected
    assert await _copied(visit, "y") == selected


def path_of(record: Record) -> str:
    """The path of a record's file."""
    return str(Path(record.store, getattr(record, "path", "")))


async def _copied(visit: Visit, key: str) -> str:
    """The text that a key of the chord copies."""
    await visit.press("y", key)
    return visit.copied
