"""A conversation is named by what its first prompt says."""

import pytest

from store.catalogue.conversations import title_of


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("Why is the DNS flaky?\nSince Monday.", "Why is the DNS flaky?"),
        (
            "Implement the following plan:\n\n# Move mails to a queue\n\nFirst …",
            "Move mails to a queue",
        ),
        ("Implement the following plan:", None),
        ("\n \n", None),
        (None, None),
    ],
)
def test_a_line_that_many_prompts_share_is_no_title(
    prompt: str | None, title: str | None
) -> None:
    assert title_of(prompt) == title
