"""A unified diff can be applied, however the texts differ."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.texts import difference

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n")
_UNENDED = "\\ No newline at end of file\n"

TEXTS = st.lists(st.sampled_from("abcdef") | st.text("xyz\r\v", max_size=3)).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines), "\n".join([*lines, ""])])
)


def applied(before: str, diff: str) -> str:
    """The text with the diff applied; it must fit."""
    old = [f"{line}\n" for line in before.split("\n")]
    old[-1] = old[-1][:-1]
    lines = diff.split("\n")[2:-1]
    new: list[str] = []
    at = 0
    sign = ""
    for line in (f"{line}\n" for line in lines):
        last, sign = sign, line[0]
        hunk = _HUNK.fullmatch(line)
        if hunk:
            start = int(hunk[1]) - (hunk[2] != "0")
            new += old[at:start]
            at = start
        elif line == _UNENDED:
            new += [new.pop().removesuffix("\n")] if last != "-" else []
        elif sign == "+":
            new.append(line[1:])
        else:
            assert old[at].removesuffix("\n") == line[1:].removesuffix("\n")
            if sign == " ":
                new.append(old[at])
            at += 1
    return "".join(new + old[at:])


@given(TEXTS, TEXTS)
def test_a_diff_turns_the_old_text_into_the_new(before: str, after: str) -> None:
    assert applied(before, difference("x", before, after)) == after


@given(TEXTS)
def test_the_same_text_has_no_diff(text: str) -> None:
    assert difference("x", text, text) == ""


def test_context_is_shown_around_changes() -> None:
    before = "".join(f"{number}\n" for number in range(20))
    after = before.replace("9\n10\n", "9\nten\n")
    assert difference("index.json", before, after) == (
        "--- a/index.json\n+++ b/index.json\n"
        "@@ -8,7 +8,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n"
    )


@pytest.mark.parametrize(
    ("before", "after", "diff"),
    [
        (None, "a\n", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n"),
        ("a\n", None, "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"),
        (
            "a",
            "a\n",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
        ),
    ],
)
def test_a_file_may_be_new_or_deleted_or_lack_a_final_newline(
    before: str | None, after: str | None, diff: str
) -> None:
    assert difference("x", before, after) == diff


def test_long_texts_without_unique_lines_are_replaced_whole() -> None:
    before, after = "a\nb\n" * 5000, "b\nb\na\n" * 5000
    assert applied(before, difference("x", before, after)) == after


def test_long_texts_are_compared_between_their_unique_lines() -> None:
    before = [line for number in range(5000) for line in ("{\n", f"{number}\n", "}\n")]
    after = before.copy()
    after[7501] = "new\n"
    diff = difference("x", "".join(before), "".join(after))
    assert [line for line in diff.split("\n") if line[:1] in {"+", "-"}] == [
        "--- a/x",
        "+++ b/x",
        "-2500",
        "+new",
    ]
