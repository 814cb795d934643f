"""Any content of a journal is read the same however it was appended."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.findings import START, Findings
from store.formats.port import Source
from tests.store.formats.kei_stores import (
    AGENT_EVENTS,
    CLAIMS,
    SESSIONS,
    TASKS,
    TRACE,
    assistant,
    call,
    opened,
    result,
    said,
    together,
    user,
)

PATHS = (TRACE, SESSIONS, TASKS, CLAIMS, AGENT_EVENTS)

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        *("type", "kind", "ts", "timestamp", "message", "tool", "is_error", "uuid"),
        *("event_class", "file_path", "id", "name", "start_epoch", "duration_s"),
        *("event", "pointer", "metric", "agent_id", "outcome", "source", "sessionId"),
    ]
)
KINDS = st.sampled_from(
    ["task", "start", "stop", "session", "claim", "user", "tool_use"]
)
ODD = st.dictionaries(KEYS, VALUES | KINDS, max_size=6)
TIMES = st.sampled_from([None, "2026-04-30T18:27:10Z", "2026-04-30T18:28:10Z", "soon"])
REAL = st.one_of(
    st.builds(
        user, st.sampled_from(["Hi", "again", [said("x")], [result("no")]]), TIMES
    ),
    st.builds(assistant, st.just(said("y")), st.just(call("Bash")), at=TIMES),
    st.just(user([result("no", is_error=True)])),
    st.just({"type": "summary", "leafUuid": "x"}),
    st.just({"ts": 5, "kind": "tool_use", "tool": "Bash"}),
    st.fixed_dictionaries({"kind": KINDS, "name": st.just("x"), "id": st.just("1")}),
)
LINES = st.one_of(
    ODD.map(lambda value: json.dumps(value).encode()),
    REAL.map(lambda value: json.dumps(value).encode()),
    st.binary(max_size=12),
    st.sampled_from([b"", b"{}", b"{}{}", b"[]", b'{"a"', b"\xef\xbb\xbf{}", b"{} x"]),
)
FILES = st.tuples(
    st.lists(LINES, max_size=8), st.sampled_from([b"\n", b"\r\n"]), st.booleans()
).map(lambda parts: parts[1].join(parts[0]) + (parts[1] if parts[2] else b""))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("generated") / "store"
    for path in PATHS:
        (store / path).parent.mkdir(parents=True, exist_ok=True)
    return store


def read_growing(store: Path, path: str, *states: bytes) -> Findings:
    """The findings of a file that is read each time it grew."""
    parts: list[Findings] = []
    mark = START
    for raw in states:
        (store / path).write_bytes(raw)
        with opened(store) as kei:
            source = next(
                s for s in kei.scan() if isinstance(s, Source) and s.path == path
            )
            parts.append(kei.read(source, mark))
            mark = parts[-1].mark
    (store / path).unlink()
    return together(*parts)


@given(raw=FILES, path=st.sampled_from(PATHS))
def test_any_bytes_give_findings(folder: Path, raw: bytes, path: str) -> None:
    found = read_growing(folder, path, raw)

    assert all(flaw.code and flaw.message for flaw in found.flaws)
    for event in found.events:
        assert event.event_class
        assert event.line >= 1


@given(raw=FILES, cuts=st.lists(st.integers(0, 400), max_size=4))
@example(b'{"type":"user"}{"type":"user"}\n', [15])
@example(b'{"type":"user"} \n\n{"type":"user"}', [15, 16, 17])
@example(b'{"type":"x"}\n{"type":"user","timestamp":"2026-04-30T18:27:10Z"}\n', [13])
@example(b'{"ts":5}\n{"ts":null}\n{"type":"a"} x\n', [9, 33])
@example(b"\xef\xbb\xbf{}\r\n{}", [1, 5, 6])
def test_a_growing_trace_is_read_the_same_as_a_complete_one(
    folder: Path, raw: bytes, cuts: list[int]
) -> None:
    states = [raw[:cut] for cut in sorted(cuts)] + [raw]

    assert read_growing(folder, TRACE, *states) == read_growing(folder, TRACE, raw)


@given(raw=FILES, cuts=st.lists(st.integers(0, 400), max_size=4))
def test_a_growing_journal_is_read_the_same_as_a_complete_one(
    folder: Path, raw: bytes, cuts: list[int]
) -> None:
    states = [raw[:cut] for cut in sorted(cuts)] + [raw]

    whole = read_growing(folder, SESSIONS, raw)
    grown = read_growing(folder, SESSIONS, *states)
    assert repr(grown) == repr(whole)  # a NaN is not even equal to itself


@given(before=FILES, after=FILES)
def test_a_replaced_file_is_read_again_unless_it_only_grew(
    folder: Path, before: bytes, after: bytes
) -> None:
    if not after.startswith(before.rstrip(b"\r\n \t")):
        found = read_growing(folder, TRACE, before, after)
        assert found == read_growing(folder, TRACE, after)
