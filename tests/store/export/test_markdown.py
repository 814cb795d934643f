"""Conversations and memories as readable Markdown."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from store.export.pages import Called, Divider, Item, Note, Page, Thought, Words, pages
from store.export.writers import markdown, message_as_markdown
from store.library import Library
from tests.store.answers.messages.conftest import talks_of
from tests.store.test_clean import is_forbidden

texts = st.text(max_size=60) | st.sampled_from(
    [
        *("```", "~~~~\nx", "`a``b`", "# Heading", "</pre><script>", "- [x] a", "a|b"),
        *("\x1b[2J\x9b\u202e", "\ud800", "[a](javascript:x)", "    code", "> quote"),
    ]
)
items: st.SearchStrategy[Item] = st.one_of(
    st.builds(Words, st.sampled_from(["you", "agent"]), texts, texts),
    st.builds(Thought, texts),
    st.builds(Note, texts, texts),
    st.builds(Divider, texts, st.booleans()),
    st.builds(Called, texts, texts, st.none() | st.booleans(), texts, st.booleans()),
)


def written(library: Library, *, is_full: bool) -> str:
    return "".join(markdown(pages(library, talks_of(library), is_full=is_full)))


def test_a_conversation_reads_as_it_was_held(library: Library) -> None:
    told = written(library, is_full=False)
    _, _, talk = told.partition("## 2026-03-01")

    assert talk == (
        "\n\n### you 10:00\n\nWhich *cone* <b>for</b> it?\n\n# No heading\n"
        "\n> *thinking*\n>\n> Six, surely.\n"
        "\n- ✓ **Bash** `` cat `which cone` ``\n"
        "\n- ✓ **Edit** `/c`\n"
        "\n*17 min*\n"
        "\n### agent 10:16\n\n**Cone 6.**\n\n```sh\nfire --cone 6\n```\n"
        "\n*compacted*\n"
        "\n> *summary*\n>\n> ```\n> It was about glazes.\n> ```\n"
        "\n> *interrupt*\n>\n> ```\n> [Request interrupted by user]\n> ```\n"
    )


def test_the_full_export_has_arguments_and_results_of_tools(library: Library) -> None:
    told = written(library, is_full=True)

    assert "\n  ````\n  cone 6\n  ```\n  </pre>\n  ````\n" in told
    assert "\n  ```diff\n  @@ -3,1 +3,1 @@\n  -5\n  +6\n  ```\n" in told


def test_a_page_has_its_title_its_facts_and_its_text() -> None:
    page = Page(
        "memory:1",
        "A *title*\nof two lines",
        (("tags", "a, b_c"),),
        "Text with a fence\n\n~~~\nnever closed",
        lists=(("Steps", ("first", "second")),),
    )

    assert "".join(markdown([page, page])).split("\n---\n\n")[0] == (
        "# A \\*title\\* of two lines\n\n- **tags**: a, b\\_c\n\n"
        "Text with a fence\n\n~~~\nnever closed\n~~~\n"
        "\n## Steps\n\n1. first\n2. second\n"
    )


@given(st.lists(items, max_size=5))
def test_no_text_acts_on_a_terminal(told: list[Item]) -> None:
    text = "".join(markdown([Page("r", "t", (), items=told)]))

    assert not [one for one in text if is_forbidden(one) and one not in "\t\n"]


@given(st.lists(items, max_size=4))
def test_messages_are_separate_whatever_their_text(
    told: list[Item],
) -> None:
    last = Divider("2026-03-01", is_day=True)
    text = "".join(markdown([Page("r", "t", (), items=[*told, last])]))
    tokens = MarkdownIt("commonmark", {"html": False}).parse(text)

    headings = [
        after.content
        for token, after in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0
    ]
    assert headings[-1] == "2026-03-01"


@given(texts)
def test_a_single_message_is_the_same_as_in_the_page(text: str) -> None:
    item = Words("you", "10:00", text)

    assert message_as_markdown([item]) in "".join(
        markdown([Page("r", "t", (), items=[item])])
    )
