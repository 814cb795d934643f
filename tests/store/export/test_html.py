"""HTML pages: the content of a store is text and never markup."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from store.answers.conversations import Call
from store.export.pages import Called, Item, Page, pages
from store.export.writers import html
from store.library import Library
from tests.store.answers.messages.conftest import talks_of
from tests.store.export.test_markdown import items, texts

OURS = {
    *("html", "head", "meta", "title", "style", "body", "main", "article", "h1", "h2"),
    *("dl", "dt", "dd", "section", "p", "div", "time", "details", "summary", "pre"),
    *("code", "span", "ins", "del", "ol", "li"),
}
FROM_MARKDOWN = {
    *("h3", "h4", "h5", "h6", "ul", "em", "strong", "s", "a", "blockquote", "hr", "br"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {
    *("class", "lang", "charset", "name", "content", "http-equiv", "rel", "start"),
    *("href", "style", "title"),
}
HARMLESS = ("http:", "https:", "mailto:", "#", "/", ".", "?")
MARKUP = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![a](https://example.com/a.png)",
    "[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc/passwd)",
    '"><svg onload=alert(1)>',
    "</title></style></pre></details><iframe src=//x>",
    "<!-- ",
    "]]>",
    "&lt;b&gt; &#60;",
    "`</code><b>`",
    "```\n</pre><b>\n```",
    "| a | b |\n|---|---|\n| <b> | </td> |",
    "[a](https://x \"onclick='x'\")",
    '<https://x/"onmouseover="alert(1)>',
    "{{7*7}} ${x}",
)

said = texts | st.sampled_from(MARKUP)


class Read(HTMLParser):
    """The relevant parts of a page as a browser sees them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in {"meta", "br", "hr"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def assert_harmless(page: str) -> Read:
    read = Read(page)
    assert read.open == []
    assert read.tags <= OURS | FROM_MARKDOWN
    for name, value in read.attributes:
        assert name in ATTRIBUTES
        if name == "href":
            scheme, colon, _ = (value or "").partition(":")
            assert not colon or scheme.casefold() not in {
                *("javascript", "vbscript", "file", "data"),
            }
        if name == "style":
            assert value in {
                f"text-align:{side}" for side in ("left", "right", "center")
            }
    return read


def test_a_conversation_is_one_self_contained_page(library: Library) -> None:
    page = "".join(html(pages(library, talks_of(library), is_full=True), "Glazes"))
    read = assert_harmless(page)

    assert page.startswith("<!doctype html>")
    assert "default-src 'none'" in page
    assert "script" not in read.tags
    assert "prefers-color-scheme: dark" in page
    assert "Which *cone* <b>for</b> it?" in read.text
    assert "<strong>Cone 6.</strong>" in page
    assert "<del>-5</del>\n<ins>+6</ins>" in page
    assert "cone 6\n```\n</pre>" in read.text
    assert page.count("<details>") == 5


def test_without_results_only_their_beginnings_are_shown(
    library: Library,
) -> None:
    page = "".join(html(pages(library, talks_of(library), is_full=False), "Glazes"))
    read = assert_harmless(page)

    assert "cone 6\n```\n</pre>" in read.text
    assert "<ins>" not in page


@given(said, said, said)
def test_no_text_of_a_memory_becomes_markup(title: str, fact: str, text: str) -> None:
    lists = ((fact, (title, text)),)
    told = [
        Page("r", title, ((fact, text),), text, is_plain, lists)
        for is_plain in (False, True)
    ]

    assert_harmless("".join(html(told, title)))


@given(st.lists(items, max_size=5))
def test_no_text_of_a_conversation_becomes_markup(told: list[Item]) -> None:
    assert_harmless("".join(html([Page("r", "t", (), items=told)], "t")))


@given(said, said, said)
def test_no_text_of_a_call_becomes_markup(name: str, given_: str, answer: str) -> None:
    edit = Call("Edit", {"old_string": given_, "new_string": answer}, noted=answer)
    run = Call(name, {"command": given_}, answer, (34,), has_failed=True)
    told = [
        Called(name, given_, None, answer, is_cut=True, call=call)
        for call in (edit, run, None)
    ]

    assert_harmless("".join(html([Page("r", "t", (), items=told)], name)))


@given(said)
def test_typed_text_is_shown_as_it_was_typed(text: str) -> None:
    plain = "".join(one for one in text if one.isprintable())
    page = Page("r", "t", (), plain, is_plain=True)

    assert plain.strip() in Read("".join(html([page], "t"))).text
