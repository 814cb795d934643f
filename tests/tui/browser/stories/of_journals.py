"""Stories of the journals: charts, sources of metrics, shell commands."""

import shlex

from store.kinds.journals import Measure
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


def drawn(visit: Visit) -> str:
    """The caption of the chart."""
    return visit.pane("lists")[0].partition("   ")[0].strip()


@story("chart-window", size=(120, 36))
async def a_day_a_week_or_all_there_is(visit: Visit) -> None:
    await visit.press("5")
    seen = [drawn(visit)]
    for _ in range(5):
        await visit.press("Z")
        seen.append(drawn(visit))
    assert seen == [
        "entries per day, last 90 d",
        "entries per 2 days, 10 Aug to 3 Jan",
        "entries per hour, 24 h to 4 Jan",
        "entries per day, 7 d to 4 Jan",
        "entries per day, 30 d to 4 Jan",
        "entries per day, last 90 d",
    ]


@story("chart-other")
async def how_many_or_how_long(visit: Visit) -> None:
    await visit.press("5")
    assert drawn(visit).startswith("entries per day")
    await visit.press("equals_sign")
    assert drawn(visit).startswith("duration of entries per day")
    await visit.press("9", "equals_sign")
    assert "No durations recorded." in visit.status


@story("follow-proof", size=(120, 36))
async def a_claim_leads_to_its_proof(visit: Visit) -> None:
    await visit.press("5")
    await visit.ask("kind:claim musl")
    assert "✓ REAL:tasks.jsonl#musl-build" in "\n".join(visit.pane("lists"))
    await visit.press("l")
    assert isinstance(visit.here, Measure)
    assert (visit.here.kind, visit.here.name) == ("task", "musl-build")

    await visit.press("H")
    await visit.ask("kind:claim alerts")
    assert "✗ how I felt in May" in "\n".join(visit.pane("lists"))
    await visit.press("right")
    assert "Nothing to open." in visit.status

    await visit.ask("kind:session")
    await visit.press("l")
    assert visit.browser.parts.lists.kind == "conversations"


@story("copy-line")
async def the_same_by_another_program(visit: Visit) -> None:
    await visit.press("5")
    await visit.ask("kind:task name:audit")
    await visit.press("y", "j")
    program, *_, journal = shlex.split(visit.copied)
    assert program == "jq"
    assert journal.endswith("/time-metrics/tasks.jsonl")
    assert 'test("audit"; "i")' in visit.copied

    await visit.press("9")
    await visit.ask("class:user")
    await visit.press("y", "j")
    assert "jq without event_class:user" in visit.status

    await visit.press("0")
    await visit.ask("race")
    await visit.press("y", "j")
    assert visit.copied.startswith("sqlite3 -readonly ")
