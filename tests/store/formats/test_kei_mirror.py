import os
from pathlib import Path

import pytest

from store.formats.port import Source
from tests.store.formats.kei_stores import (
    AGENT_EVENTS,
    SESSIONS,
    TASKS,
    TRACE,
    jsonl,
    read_all,
    scanned,
    user,
    write,
)

SESSION = {"kind": "session", "id": "s", "duration_s": 5}
OTHER = {"kind": "session", "id": "t", "duration_s": 6}


def test_a_copy_that_is_a_prefix_of_its_original_adds_nothing(
    tmp_path: Path,
) -> None:
    lines = [user("one"), user("two"), user("three")]
    write(tmp_path, TRACE, jsonl(*lines))
    write(tmp_path, f"sync-repo/{TRACE}", jsonl(*lines[:2]))
    found = read_all(tmp_path)

    copy = found[f"sync-repo/{TRACE}"]
    assert len(found[TRACE].events) == 3
    assert (copy.events, copy.messages, copy.sessions, copy.flaws) == ((), (), (), ())


def test_a_copy_without_an_original_is_read_in_full(tmp_path: Path) -> None:
    write(tmp_path, f"sync-repo/{TRACE}", jsonl(user("one")))
    (event,) = read_all(tmp_path)[f"sync-repo/{TRACE}"].events

    assert event.session == Path(TRACE).stem
    source = scanned(tmp_path)[f"sync-repo/{TRACE}"]
    assert isinstance(source, Source)
    assert (source.role, source.grows) == ("trace", True)


def test_lines_that_only_the_copy_has_are_shown(tmp_path: Path) -> None:
    write(tmp_path, TRACE, jsonl(user("one")))
    write(tmp_path, f"sync-repo/{TRACE}", jsonl(user("one"), user("lost since")))
    (event,) = read_all(tmp_path)[f"sync-repo/{TRACE}"].events

    assert (event.message, event.line) == ("lost since", 2)


@pytest.mark.parametrize("path", [SESSIONS, TASKS])
def test_journals_are_not_duplicated(tmp_path: Path, path: str) -> None:
    write(tmp_path, path, jsonl(SESSION))
    write(tmp_path, f"sync-repo/{path}", jsonl(SESSION, OTHER))
    found = read_all(tmp_path)

    assert [m.id for m in found[path].measures] == ["s"]
    assert [m.id for m in found[f"sync-repo/{path}"].measures] == ["t"]


def test_the_journal_of_agents_is_not_duplicated(tmp_path: Path) -> None:
    write(tmp_path, AGENT_EVENTS, jsonl({"event": "tool_use"}))
    write(tmp_path, f"sync-repo/{AGENT_EVENTS}", jsonl({"event": "tool_use"}))

    assert read_all(tmp_path)[f"sync-repo/{AGENT_EVENTS}"].events == ()


def test_a_copy_changes_with_its_original(tmp_path: Path) -> None:
    copy = f"sync-repo/{SESSIONS}"
    write(tmp_path, copy, jsonl(OTHER))
    seen = [scanned(tmp_path)[copy]]
    write(tmp_path, SESSIONS, jsonl(SESSION))
    seen.append(scanned(tmp_path)[copy])
    write(tmp_path, SESSIONS, jsonl(SESSION, OTHER))
    os.utime(tmp_path / SESSIONS, ns=(1, 1))
    seen.append(scanned(tmp_path)[copy])

    assert len(set(seen)) == 3
