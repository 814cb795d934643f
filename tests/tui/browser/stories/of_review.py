"""Stories of reviews: memories gone through one by one."""

import re

from tests.store.catalogue.stores import memory, write
from tests.tui.browser.stories.of_changes import root
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("fix-in-review", changes=True)
async def what_is_wrong_with_a_reviewed_memory_is_fixed_by_a_key(visit: Visit) -> None:
    await visit.press("1", "g", "r", "enter")
    assert "x fix" in " ".join(visit.pane("hints"))
    await visit.press("x")
    assert "Nothing here can be fixed automatically." in visit.status
    await visit.press("q")
    damaged = memory(90).replace("---\n", "---\nnote: 'open\n", 1)
    write(root(visit), "graph/fixes/memory-90.md", damaged)
    visit.browser.parts.session.library.sync()
    await visit.press("g", "r", "enter")
    here = visit.here.ref
    await visit.press("p")
    assert "Problem not fixed · pinned" in visit.status
    assert visit.here.ref == here
    await visit.pilot.resize_terminal(80, 24)
    await visit.settle()
    assert "has problems" in visit.status
    assert "q end" in visit.screen[-1]
    assert "q close" not in visit.screen[-1]
    told = " ".join(" ".join(visit.pane("reader")).split())
    assert "⚠ Invalid YAML front matter: a quote is never closed" in told
    await visit.press("q")
    assert "0 kept, 1 changed" in visit.status


@story("review", "keep", "later", "back-in-review", "end-review", changes=True)
async def memories_are_gone_through(visit: Visit) -> None:
    await visit.press("j")
    before = visit.here
    await visit.press("g", "r")
    (everything,) = (row for row in visit.text.splitlines() if "everything" in row)
    due = len(visit.browser.parts.session.library.review.due())
    assert re.search(rf"all queues in turn +{due} │", everything)
    await visit.type("orphans")
    await visit.press("enter")
    assert "review" in visit.status
    assert "no links" in visit.status
    first = visit.here.ref

    await visit.press("full_stop")
    assert visit.here.ref != first
    await visit.press("b")
    assert visit.here.ref == first
    await visit.press("space")
    assert visit.here.ref != first
    await visit.press("p")
    (due,) = re.findall(r"3/(\d+)", visit.status)
    await visit.press("escape")
    assert f"review: 1 kept, 1 changed, {int(due) - 2} left" in visit.status
    assert visit.here.ref == before.ref
    assert visit.browser.parts.lists.trail.behind == 0

    await visit.press("g", "r")
    await visit.type("orphans")
    await visit.press("enter")
    assert visit.here.ref != first
