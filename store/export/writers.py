"""Write pages as Markdown or as one HTML file."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from store.clean import clean
from store.export.pages import Called, Divider, Item, Note, Page, Thought, Words

# The style of exported pages: light and dark, any screen width, and print.

STYLE = """
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #1d2330; --soft: #5b6472;
  --line: #dcd8cd; --well: #f1eee6; --you: #8a6100; --agent: #0b66a8; --good: #1b7a35;
  --bad: #b3202c; }
@media (prefers-color-scheme: dark) { :root { --paper: #10151d; --ink: #dfe4ec;
  --soft: #8d97a6; --line: #2a3342; --well: #1a212c; --you: #ffd060; --agent: #7cc4ff;
  --good: #6ed48a; --bad: #ff6e78; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.2rem 6rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .6rem; }
h2 { font-size: .95rem; color: var(--soft); margin: 2.4rem 0 .8rem;
  border-top: 1px solid var(--line); padding-top: .6rem; }
article + article { margin-top: 4rem; border-top: 3px double var(--line);
  padding-top: 2rem; }
a { color: var(--agent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0;
  color: var(--soft); font-size: .85rem; }
dt, dd { margin: 0; }
pre, code { font: .86em/1.5 ui-monospace, Menlo, Consolas, monospace; }
pre { background: var(--well); padding: .7rem .9rem; border-radius: .4rem;
  overflow-x: auto; white-space: pre-wrap; tab-size: 4; }
code { background: var(--well); padding: .1em .3em; border-radius: .25rem; }
pre code { background: none; padding: 0; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line);
  color: var(--soft); }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line);
  padding: .25rem .6rem; text-align: left; }
.words { margin: 1.4rem 0 .6rem; }
.who { font-weight: 650; font-size: .85rem; margin: 0 0 .2rem; }
.who time { color: var(--soft); font-weight: 400; margin-left: .5rem; }
.you > .who { color: var(--you); } .agent > .who { color: var(--agent); }
.you > .said { white-space: pre-wrap; border-left: 3px solid var(--you);
  padding-left: .9rem; }
details { margin: .15rem 0; font-size: .88rem; color: var(--soft); }
summary { cursor: pointer; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; }
details > :not(summary) { margin-left: 1.1rem; }
.good { color: var(--good); } .bad { color: var(--bad); }
ins { color: var(--good); text-decoration: none; }
del { color: var(--bad); text-decoration: none; }
.between { color: var(--soft); font-size: .8rem; margin: 1rem 0; }
@media print { details > summary { list-style: none; } }
"""
"""The style sheet; it loads nothing from elsewhere."""


# Pages as Markdown. Text from records keeps its markup but cannot break out of its
# block.

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TICKS = re.compile(r"`+")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_OUTCOMES = {True: "✗", False: "✓", None: "·"}
_LONGEST = 300
"""Characters of a call's subject that are shown on its line."""


def markdown(pages: Iterable[Page]) -> Iterator[str]:
    """All pages, one after the other."""
    for number, page in enumerate(pages):
        if number:
            yield "\n---\n\n"
        yield from _page(page)


def message_as_markdown(items: Iterable[Item]) -> str:
    """The Markdown of some messages."""
    return "".join(f"{told}\n\n" for item in items for told in _item(item)).strip()


def _page(page: Page) -> Iterator[str]:
    yield f"# {_inline(page.title)}\n\n"
    for name, value in page.facts:
        yield f"- **{_inline(name)}**: {_inline(value)}\n"
    if page.facts:
        yield "\n"
    if page.text.strip():
        told = _fenced(page.text) if page.is_plain else _closed(page.text)
        yield f"{told}\n"
    for name, lines in page.lists:
        yield f"\n## {name}\n\n"
        yield from (f"{at}. {_inline(line)}\n" for at, line in enumerate(lines, 1))
    for item in page.items:
        for told in _item(item):
            yield f"\n{told}\n"


def _item(item: Item) -> Iterator[str]:
    """An item of a conversation, block by block."""
    match item:
        case Divider():
            told = _inline(item.text)
            yield f"## {told}" if item.is_day else f"*{told}*"
        case Words():
            yield f"### {item.speaker} {_inline(item.at)}".rstrip()
            yield _closed(item.text)
        case Thought():
            yield _quoted(f"*thinking*\n\n{_closed(item.text)}")
        case Note():
            yield _quoted(f"*{_inline(item.kind)}*\n\n{_fenced(item.text)}")
        case Called():
            yield from _called(item)


def _called(item: Called) -> Iterator[str]:
    """A call on one line; if shown in full, also its input and answer."""
    about = f" {_code(item.about[:_LONGEST])}" if item.about else ""
    yield f"- {_OUTCOMES[item.has_failed]} **{_inline(item.name)}**{about}"
    call = item.call
    if call is None:
        return
    if call.diff:
        yield _indented(_fenced(call.diff, "diff"))
    elif call.text and call.text != item.about:
        yield _indented(_fenced(call.text))
    answer = "\n".join(filter(None, call.outputs))
    if answer and not (call.diff and not item.has_failed):
        yield _indented(_fenced(answer))
    for size in call.pictures:
        yield _indented(f"*picture, {size} bytes*")


def shown(text: str) -> str:
    """A text with marks for invisible characters; tabs are unchanged."""
    parts = text.replace("\r\n", "\n").split("\t")
    return "\t".join(clean(part, multiline=True) for part in parts)


def _inline(text: str) -> str:
    """A text on one line, with Markdown escaped."""
    return _SPECIAL.sub(r"\\\1", clean(" ".join(text.split())))


def _code(text: str) -> str:
    """A text as inline code."""
    told = clean(" ".join(text.split()))
    ticks = "`" * (max(map(len, _TICKS.findall(told)), default=0) + 1)
    pad = " " if told.startswith("`") or told.endswith("`") else ""
    return f"{ticks}{pad}{told}{pad}{ticks}"


def _fenced(text: str, language: str = "") -> str:
    """A text as a code block, whatever it contains."""
    told = shown(text).strip("\n")
    ticks = "`" * max(max(map(len, _TICKS.findall(told)), default=0) + 1, 3)
    return f"{ticks}{language}\n{told}\n{ticks}"


def _closed(text: str) -> str:
    """Markdown from a record, with every fence closed."""
    told = shown(text).strip("\n")
    fence = ""
    for line in told.split("\n"):
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line[found.end() :].strip():
            fence = ""
    return f"{told}\n{fence}" if fence else told


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _indented(text: str) -> str:
    """A block that belongs to the list item before it."""
    return "\n".join(f"  {line}".rstrip() for line in text.split("\n"))


# Pages as one HTML file: no network, no scripts, and no markup from records.
#
# Everything from a store is escaped here, or rendered by a Markdown parser with HTML
# disabled; a policy in the head forbids the rest.

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
"""
_FOOT = "</main>\n</body>\n</html>\n"

_HTML_OUTCOMES = {
    True: '<span class="bad">✗</span>',
    False: '<span class="good">✓</span>',
    None: "·",
}
_DEEPEST = 20
"""The deepest nesting of blocks that is rendered; deeper ones stay source text."""


def html(pages: Iterable[Page], title: str) -> Iterator[str]:
    """All pages in one document."""
    yield _HEAD.format(policy=_POLICY, title=_text(title), style=STYLE)
    for page in pages:
        yield from _page_html(page)
    yield _FOOT


def _page_html(page: Page) -> Iterator[str]:
    yield f"<article>\n<h1>{_text(page.title)}</h1>\n"
    if page.facts:
        yield "<dl>\n"
        for name, value in page.facts:
            yield f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>\n"
        yield "</dl>\n"
    if page.text.strip():
        yield _pre(page.text) if page.is_plain else rendered(page.text)
    for name, lines in page.lists:
        items = "".join(f"<li>{_text(line)}</li>" for line in lines)
        yield f"<h2>{_text(name)}</h2>\n<ol>{items}</ol>\n"
    for item in page.items:
        yield _item_html(item)
    yield "</article>\n"


def _item_html(item: Item) -> str:
    """An item of a conversation."""
    match item:
        case Divider():
            tag = "h2" if item.is_day else "p"
            kind = "" if item.is_day else ' class="between"'
            return f"<{tag}{kind}>{_text(item.text)}</{tag}>\n"
        case Words():
            return _words(item)
        case Thought():
            return _folded("thinking", rendered(item.text))
        case Note():
            return _folded(_text(item.kind), _pre(item.text))
        case Called():
            return _called_html(item)


def _words(item: Words) -> str:
    is_typed = item.speaker == "you"
    told = _text(item.text.strip("\n")) if is_typed else rendered(item.text)
    who = f"{_text(item.speaker)}<time>{_text(item.at)}</time>"
    kind = "you" if is_typed else "agent"
    return (
        f'<section class="words {kind}">\n<p class="who">{who}</p>\n'
        f'<div class="said">{told}</div>\n</section>\n'
    )


def _called_html(item: Called) -> str:
    """A call, with its details folded beneath."""
    about = f" <code>{_text(item.about)}</code>" if item.about else ""
    head = f"{_HTML_OUTCOMES[item.has_failed]} {_text(item.name)}{about}"
    return _folded(head, "".join(_beneath(item)))


def _beneath(item: Called) -> Iterator[str]:
    call = item.call
    if call is None:
        yield _pre(item.answer) if item.answer else "<p>No output recorded.</p>\n"
        if item.is_cut:
            yield "<p>Output truncated.</p>\n"
        return
    if call.diff:
        yield f"<pre>{''.join(map(_changed, shown(call.diff).split(chr(10))))}</pre>\n"
    elif call.text:
        yield _pre(call.text)
    answer = "\n".join(filter(None, call.outputs))
    if answer and not (call.diff and not item.has_failed):
        yield _pre(answer)
    for size in call.pictures:
        yield f"<p>picture, {size} bytes</p>\n"


def _changed(line: str) -> str:
    """A line of a diff."""
    tag = {"+": "ins", "-": "del"}.get(line[:1])
    told = _text(line)
    return f"<{tag}>{told}</{tag}>\n" if tag else f"{told}\n"


def _folded(head: str, body: str) -> str:
    return f"<details><summary>{head}</summary>\n{body}</details>\n"


def _pre(text: str) -> str:
    return f"<pre>{_text(text.strip(chr(10)))}</pre>\n"


def _text(text: str) -> str:
    """A text with markup escaped."""
    return escape(shown(text))


def rendered(text: str) -> str:
    """Markdown from a record: HTML is escaped, and images are shown by name."""
    told = shown(text)
    parser = _parser()
    tokens = parser.parse(told)
    if any(token.level >= _DEEPEST - 1 for token in tokens):
        return _pre(text)
    return str(parser.renderer.render(tokens, parser.options, {}))


@cache
def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST})
    made.enable(["table", "strikethrough"])
    made.add_render_rule("image", _image)
    made.add_render_rule("link_open", _link)
    return made


def _image(
    _self: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: Any,  # noqa: ANN401  # as the parser calls rules
    _environment: Any,  # noqa: ANN401  # the same
) -> str:
    """Show the name of an image instead of loading it."""
    return f"[image: {escape(tokens[index].content)}]"


def _link(
    _self: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: Any,  # noqa: ANN401  # the same
    _environment: Any,  # noqa: ANN401  # the same
) -> str:
    """A link, which does not send a referrer."""
    target = escape(str(tokens[index].attrGet("href") or ""))
    return f'<a href="{target}" rel="noopener noreferrer">'
