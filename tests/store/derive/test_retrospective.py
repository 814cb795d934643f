from store.derive.conversations import look_back
from store.findings import EventFound
from store.times import parse


def event(
    kind: str,
    at: float | None,
    tool: str | None = None,
    file_path: str | None = None,
    *,
    is_error: bool = False,
) -> EventFound:
    return EventFound(
        kind=kind,
        line=1,
        at=None if at is None else parse(at),
        tool=tool,
        file_path=file_path,
        is_error=is_error,
    )


def test_a_session_in_numbers() -> None:
    found = look_back(
        [
            event("user", 1_700_000_000),
            event("assistant", 1_700_000_010, tool="Read", file_path="/a"),
            event("user", 1_700_000_011, tool="Read", is_error=True),
            event("tool_use", 1_700_000_020, tool="Edit", file_path="/a"),
            event("summary", None),
            event("assistant", 1_700_000_090.5, tool="Edit", file_path="/b"),
        ]
    )

    assert (found.events, found.calls, found.errors) == (6, 3, 1)
    assert found.seconds == 90.5
    assert found.top_tools == [("Edit", 2), ("Read", 1)]
    assert found.top_files == [("/a", 2), ("/b", 1)]


def test_an_empty_session_has_no_facts() -> None:
    assert look_back([]).seconds is None


def test_only_the_first_are_named() -> None:
    calls = (
        event("assistant", 1, tool=f"T{n}", file_path=f"/{n:02}") for n in range(12)
    )
    found = look_back(calls)

    assert len(found.top_tools) == 5
    assert [path for path, _ in found.top_files] == [f"/{n:02}" for n in range(10)]
