import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.derive.events import Seen, classify, said

RULES = (
    ("permission_denied", r"(?i)permission\s+denied|access\s+denied"),
    (
        "user_correction",
        (
            r"(?i)\b(again|stop\s+doing|don'?t\s+(do|repeat)|you'?re\s+wrong|broken"
            r"|wrong\s+(again|once\s+more))\b|опять|ошибся|не\s+делай"
        ),
    ),
    ("worktree_error", r"(?i)worktree.*(error|denied|fail)"),
    ("cargo_workspace", r"(?i)cargo.*workspace|workspace.*cargo"),
    ("retry_loop", r"(?i)retry|retrying|attempt\s+\d+|try\s+again"),
)
"""The rules as the kit has them, in its order."""

WORDS = [
    *("permission", "Access", "denied", "again", "stop", "doing", "don't", "dont"),
    *("repeat", "do", "you're", "youre", "wrong", "once", "more", "BROKEN", "опять"),
    *("Ошибся", "не", "делай", "worktree", "error", "FAIL", "cargo", "workspace"),
    *("retry", "attempt", "17", "try", " ", "  ", "\n", "\t", ".", "_", "x"),
]


def by_the_rules(text: str) -> str | None:
    return next((name for name, rule in RULES if re.search(rule, text)), None)


@given(st.lists(st.sampled_from(WORDS), max_size=12).map("".join))
@example("worktree\nerror")
@example("error in worktree, then\nworktree x FAIL")
@example("the cargo\nworkspace")
@example("workspace and Cargo")
@example("Try  again")
@example("nothing against it")
def test_words_are_classed_by_the_first_rule_that_matches(text: str) -> None:
    assert said(text) == by_the_rules(text)


@pytest.mark.parametrize(
    "text",
    [
        "worktree " * 20_000,
        "cargo\n" * 50_000,
        "don't " + " " * 60_000,
        "система " * 9999,
    ],
    ids=["words", "lines", "blanks", "cyrillic"],
)
def test_long_texts_of_prefixes_match_nothing(text: str) -> None:
    assert said(text) is None


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Seen("assistant", tool="Read"), "tool_use:Read"),
        (Seen("tool_use", tool="Bash"), "tool_use:Bash"),
        (Seen("user", tool="Bash"), "tool_result"),
        (Seen("user", is_error=True), "tool_error"),
        (Seen("user", tool="Bash", is_error=True, text="denied"), "tool_error:Bash"),
        (Seen("user", tool="Bash", text="Access denied."), "permission_denied"),
        (Seen("system"), "system"),
        (Seen("other"), "other"),
        (Seen("user", is_error=True, own="my_class"), "my_class"),
        (Seen("user", own=""), ""),
    ],
)
def test_the_class_of_an_event(event: Seen, told: str) -> None:
    assert classify(event) == told


def test_corrections_need_a_person() -> None:
    event = Seen("user", text="Do it again, the retry failed.")

    assert classify(event) == "user_correction"
    assert classify(event, corrections=False) == "retry_loop"
