"""Stories of conversations saved before their agent deletes them."""

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.vaulted import kept, told_of, went_to
from tests.tui.browser.stories.visit import Visit


@story("rescue", changes=True)
async def what_is_removed_next_is_rescued(visit: Visit) -> None:
    transcript = await went_to(visit, "bowls")
    before = transcript.read_bytes()

    await visit.press("X")
    assert "2026-03-03  Why do the bowls crack?" in visit.text
    assert "mugs" not in visit.text
    await visit.press("escape")
    assert kept(visit) == []

    await visit.press("X", "enter")
    assert "pinned “Why do the bowls crack?”" in visit.status
    assert kept(visit) == ["first"]
    assert transcript.read_bytes() == before
    assert "  pinned " in told_of(visit, "bowls")
    await visit.press("X")
    assert "Nothing unpinned expires within 7 days." in visit.status
    await visit.press("u")
    assert "undone: pin “Why do the bowls crack?” · ^r redo" in visit.status
    assert kept(visit) == []
    await visit.press("ctrl+r")
    assert kept(visit) == ["first"]
