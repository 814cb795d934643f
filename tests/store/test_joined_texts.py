"""Several texts become one, without what is already there."""

from hypothesis import given
from hypothesis import strategies as st

from store.text import joined
from tui.browser.popups.changes import differing_parts

SHORT = "No check in Python can."
LONG = f"{SHORT} Tests have to open two connections."


def test_a_text_that_another_contains_is_left_out() -> None:
    assert joined([SHORT, LONG]) == LONG
    assert joined([LONG, SHORT]) == LONG
    assert joined([SHORT, f"{SHORT}\n"]) == SHORT


def test_a_text_is_kept_if_it_only_looks_contained() -> None:
    assert joined(["Use tabs", "Never: Use tabs"]) == "Use tabs\n\nNever: Use tabs"
    assert joined(["No", "Nobody"]) == "No\n\nNobody"


def test_equal_paragraphs_are_written_once() -> None:
    assert joined(["One.\n\nTwo.", "Two.\n\nThree."]) == "One.\n\nTwo.\n\nThree."
    assert joined(["One.\n\nTwo.\n\nThree.", "Three.\n\nOne."]).count("One.") == 1


def test_nothing_is_taken_from_below_a_heading_or_from_code() -> None:
    ruled = ["Yes.\n\nNo.", "## Tabs?\n\nYes."]
    fenced = ["a = 1\n\nb = 2", "```\na = 1\n\nc = 3\n```"]

    assert joined(ruled) == "\n\n".join(ruled)
    assert joined(fenced) == "\n\n".join(fenced)


@given(st.lists(st.text("ab#` \n"), max_size=4))
def test_every_line_is_still_there(texts: list[str]) -> None:
    told = {line.strip() for line in joined(texts).splitlines()}

    for text in texts:
        for line in filter(None, map(str.strip, text.splitlines())):
            assert line in told or any(one.startswith(line) for one in told)


def test_what_differs_is_shown_from_its_first_word() -> None:
    assert differing_parts([SHORT, LONG]) == [
        "… (ends here)",
        "… Tests have to open two connections.",
    ]
    assert differing_parts(["It cools fast.", "It cools far."]) == ["… fast.", "… far."]
    assert differing_parts(["One.", "Two."]) == ["One.", "Two."]
