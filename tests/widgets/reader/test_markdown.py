"""Markdown is laid out without loss, in any width, of any size."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.widgets.hostile import TEXTS, unfit
from tests.widgets.reader.texts import laid, markdown, said, targets, toned
from widgets.page import Markdown
from widgets.text import Look, Target

PAGE = """\
# Fixed timeouts

Added `keepalive=True` to the
connection, which was **quite *long* ago** lost.

## How to apply
- use the shared factory, never a bare one
  - [x] done
  - [ ] open
1. first
2. second

> quoted
> text

```python
client = redis.Redis(
    host=HOST)
```

| what | how much | where |
|---|--:|:-:|
| cells `here` | 3 | table |

---
<b>HTML</b> is text &amp; nothing else\\*
"""

SHOWN = """\
Fixed timeouts
Added keepalive=True to the connection,
which was quite long ago lost.

How to apply
• use the shared factory, never a bare
  one
  ☑ done
  ☐ open

1. first
2. second

▎ quoted text

  client = redis.Redis(
      host=HOST)

what       │ how much │ where
───────────┼──────────┼──────
cells here │        3 │ table

────────────────────────────────────────

<b>HTML</b> is text & nothing else*"""

pieces = st.sampled_from(
    [
        *"#*_`~[]()>|-+!\\<&\n\n\n  1.",
        "```\n",
        "- ",
        "    ",
        "[[a]]",
        "界",
        "\x1b",
        "word ",
        "|-|\n",
    ]
)
pages = st.one_of(st.lists(pieces, max_size=60).map("".join), st.text(max_size=80))


def test_a_page_is_laid_out() -> None:
    assert markdown(PAGE) == SHOWN


def test_words_have_the_tones_of_their_meaning() -> None:
    lines = laid(Markdown(PAGE), 80)

    assert "".join(toned(lines, "heading")) == "Fixed timeoutsHow to apply"
    assert [line.text for line in lines if line.is_heading] == [
        "Fixed timeouts",
        "How to apply",
    ]
    assert "".join(toned(lines, "strong")) == "quite long ago"
    assert toned(lines, "italic") == ["long"]
    assert "keepalive=True" in toned(lines, "code")
    assert toned(lines, "bullet") == ["• ", "☑ ", "☐ ", "1. ", "2. "]


def test_a_hard_line_break_is_kept() -> None:
    assert markdown("one  \ntwo\\\nthree\nfour") == "one\ntwo\nthree four"


def test_links_know_their_targets() -> None:
    text = "See [the *docs*](a/b.md), [[redis|the note]], [[other]] and ![a](b.png)."

    assert targets(laid(Markdown(text), 80)) == [
        *[(part, Target("link", "a/b.md")) for part in ("the", " ", "docs")],
        *[(part, Target("wiki", "redis")) for part in ("the", " ", "note")],
        ("other", Target("wiki", "other")),
        *[(part, Target("image", "b.png")) for part in ("[image:", " ", "a]")],
    ]


def test_dangerous_addresses_are_not_links() -> None:
    text = "[x](javascript:alert(1)) [y](data:text/html,z) [@click=app.quit]z[/]"

    assert targets(laid(Markdown(text), 80)) == []
    assert markdown(text, 80) == text


def test_a_link_is_one_object_even_across_lines() -> None:
    lines = laid(Markdown("[one two three four five](x)"), 9)

    assert len(lines) > 2
    assert len({id(target) for _, target in targets(lines)}) == 1


def test_deep_lists_keep_their_text() -> None:
    for depth in (12, 200):
        deep = "".join(f"{'  ' * level}- item{level}\n" for level in range(depth))
        quotes = "\n\n".join(">" * level + f" quote{level}" for level in range(depth))
        shown = markdown(f"{deep}\n\n{quotes}", 30)
        for level in range(depth):
            assert f"item{level}" in shown
            assert f"quote{level}" in shown


def test_an_empty_item_has_its_bullet() -> None:
    assert said(Markdown("- \n- a")) == ["•", "• a"]


def test_tables_are_as_narrow_as_necessary() -> None:
    table = "|a|b|c|\n|-|-|-|\n|one two three four|x|a word or two|\n|only|\n"

    assert markdown(table, 26) == (
        "a          │ b │ c\n"
        "───────────┼───┼──────────\n"
        "one two    │ x │ a word or\n"
        "three four │   │ two\n"
        "only       │   │"
    )
    assert all(line.endswith("…") for line in said(Markdown(table), 10)[2:3])


@given(pages, st.integers(1, 60))
def test_any_page_fits_its_width(text: str, width: int) -> None:
    for line in laid(Markdown(text), width):
        widest = max((cell_len(run.text) for run in line.runs), default=0)
        assert cell_len(line.text) <= max(width, 12) or widest <= 2
        assert unfit([line.text]) == set()


@given(st.text(st.sampled_from("abc 界\n"), max_size=200), st.integers(2, 40))
def test_prose_loses_no_letter(text: str, width: int) -> None:
    shown = "".join(line.text for line in laid(Markdown(text.strip()), width))

    assert shown.replace(" ", "") == "".join(text.split())


def test_hostile_texts_are_only_text() -> None:
    for text in TEXTS:
        lines = Markdown(f"{text}\n\n- {text}\n\n`{text}`").lines(Look(60))
        first = [line for _, line in zip(range(300), lines, strict=False)]
        assert unfit(line.text for line in first) == set()
        assert all(cell_len(line.text) <= 60 for line in first)


def test_only_the_visible_part_of_a_long_page_is_parsed() -> None:
    lines = Markdown("A paragraph of words.\n\n" * 1_000_000).lines(Look(60))

    assert [next(lines).text for _ in range(3)] == [
        "A paragraph of words.",
        "",
        "A paragraph of words.",
    ]


def test_long_code_continues_over_chunks() -> None:
    code = "".join(f"line {number}\n" for number in range(10_000))
    lines = laid(Markdown(f"```\n{code}```\n\nafter"), 60)

    shown = [line.text.strip() for line in lines if line.margin]
    assert [one for one in shown if one] == code.splitlines()
    assert lines[-1].text == "after"


def test_code_is_highlighted_when_there_is_time() -> None:
    code = "```python\nimport os  # why\n```\n\n```unheard-of\nx\n```"
    plain = laid(Markdown(code), 60)
    zoomed = list(Markdown(code).lines(Look(60, (), is_zoomed=True)))

    assert [line.text for line in plain] == [line.text for line in zoomed]
    assert toned(plain, "code_keyword") == []
    assert toned(zoomed, "code_keyword") == ["import"]
    assert "".join(toned(zoomed, "code_comment")) == "# why"
