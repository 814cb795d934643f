"""Calls in full: arguments and results of any form."""

from hypothesis import given
from hypothesis import strategies as st

from store.answers.conversations import Call, call_of
from store.findings import Json

USE: dict[str, Json] = {
    "type": "tool_use",
    "id": "t1",
    "name": "Edit",
    "input": {"file_path": "/a.py", "old_string": "one\ntwo", "new_string": "one\n2"},
}
RESULT: dict[str, Json] = {"type": "tool_result", "tool_use_id": "t1"}

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *(
                        "type",
                        "id",
                        "name",
                        "input",
                        "content",
                        "text",
                        "file",
                        "edits",
                    ),
                    *("old_string", "new_string", "structuredPatch", "lines", "stdout"),
                    *(
                        "oldStart",
                        "newStart",
                        "oldLines",
                        "newLines",
                        "file_path",
                        "bytes",
                    ),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
blocks = st.lists(
    st.dictionaries(st.sampled_from(["type", "id"]), anything), max_size=3
)


def noted(value: Json) -> dict[str, Json]:
    return {"type": "toolUseResult", "value": value}


def test_an_edit_is_described_by_its_change() -> None:
    assert call_of([USE], "t1").diff == (
        "--- a/\n+++ b/\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    )


def test_a_noted_patch_knows_the_line_numbers() -> None:
    hunk: Json = {
        "oldStart": 40,
        "oldLines": 1,
        "newStart": 41,
        "newLines": 1,
        "lines": ["-two", "+2"],
    }
    call = call_of([USE], "t1", [RESULT, noted({"structuredPatch": [hunk]})])

    assert call.diff == "@@ -40,1 +41,1 @@\n-two\n+2\n"
    assert (call.file, call.line) == ("/a.py", 41)


def test_a_written_file_is_all_new() -> None:
    given_: dict[str, Json] = {"file_path": "/a", "content": "one\ntwo"}
    call = Call("Write", given_)

    assert call.diff.endswith("@@ -0,0 +1,2 @@\n+one\n+two\n")
    assert call.text == "one\ntwo"


def test_several_edits_are_shown_one_after_the_other() -> None:
    edits: Json = [
        {"old_string": "a", "new_string": "b"},
        {"old_string": "c", "new_string": "d"},
    ]
    diff = Call("MultiEdit", {"file_path": "/a", "edits": edits}).diff

    assert diff.index("-a") < diff.index("+b") < diff.index("-c") < diff.index("+d")


def test_the_more_complete_of_two_accounts_is_shown() -> None:
    short = Call("Bash", answer="one…", noted={"stdout": "one\ntwo", "stderr": "oh"})
    long = Call("Bash", answer="one\ntwo\nthree", noted={"stdout": "one"})

    assert short.outputs == ("one\ntwo", "oh")
    assert long.outputs == ("one\ntwo\nthree", "")


def test_an_error_missing_in_a_longer_answer_is_shown_too() -> None:
    without = Call("Bash", answer="one\ntwo\nthree", noted={"stderr": "oh\n"})
    with_it = Call("Bash", answer="one\ntwo\noh", noted={"stderr": "oh\n"})

    assert without.outputs == ("one\ntwo\nthree", "oh\n")
    assert with_it.outputs == ("one\ntwo\noh", "")


def test_pictures_are_described_by_their_size() -> None:
    content: Json = [
        {"type": "text", "text": "Seen."},
        {"type": "image", "media_type": "image/png", "bytes": 34_000},
    ]
    call = call_of([USE], "t1", [{**RESULT, "content": content}])

    assert (call.answer, call.pictures) == ("Seen.", (34_000,))


def test_the_started_agent_is_known() -> None:
    assert call_of([USE], "t1", [noted({"agentId": "a12"})]).agent == "a12"


@given(blocks, blocks, anything)
def test_any_call_can_be_described(
    parts: list[dict[str, Json]], answer: list[dict[str, Json]], value: Json
) -> None:
    for call in (
        call_of(parts, "t1", answer),
        call_of([{**USE, "input": value}], "t1", [{**RESULT, "content": value}]),
        call_of([USE], "t1", [RESULT, noted(value)]),
    ):
        told = (call.name, call.command, call.diff, call.text, call.answer)
        assert all(isinstance(one, str) for one in (*told, *call.outputs))
        assert call.file is None or isinstance(call.file, str)
        assert call.line is None or call.line > 0
        assert call.agent is None or call.agent
