"""Documents of many writers: any order, quoting, list style and newline."""

import re
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from store.files.frontmatter_yaml import plain_is_safe, quote
from store.findings import Value

Fields = dict[str, Value]

KEYS = st.from_regex(re.compile(r"[a-z_][a-z0-9_-]{0,8}", re.ASCII), fullmatch=True)
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"]), max_size=12
) | st.sampled_from(
    [
        "",
        "yes",
        "0.8",
        "a: b",
        "c # d",
        "it's",
        '"',
        "2025-12-06T16:25:58+00:00",
        "레디스",
        "💥",
    ]
)
LISTS = st.lists(TEXTS, max_size=4).map(list[Value])
FLAT = st.dictionaries(KEYS, TEXTS, min_size=1, max_size=4).map(dict[str, Value])
VALUES: SearchStrategy[Value] = st.one_of(
    TEXTS, LISTS, FLAT, st.lists(FLAT, min_size=1, max_size=3).map(list[Value])
)
FIELDS: SearchStrategy[Fields] = st.dictionaries(KEYS, VALUES, min_size=1, max_size=6)
BODIES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"))


@dataclass(frozen=True)
class Document:
    """A file, and its content."""

    raw: bytes
    fields: Fields
    body: str


@st.composite
def scalars(draw: DrawFn, text: str) -> str:
    """One text in any of its notations."""
    forms = [quote(text)]
    if plain_is_safe(text):
        forms.append(text)
    if text.isprintable():
        forms.append("'" + text.replace("'", "''") + "'")
    return draw(st.sampled_from(forms))


@st.composite
def entries(draw: DrawFn, key: str, value: Value) -> list[str]:
    """The lines of one key."""
    if isinstance(value, str):
        return [f"{key}: {draw(scalars(value))}"]
    if not isinstance(value, list):
        inner = [line for item in value.items() for line in draw(entries(*item))]
        return [
            f"{key}:" + draw(st.sampled_from(["", " "])),
            *(f"  {x}" for x in inner),
        ]
    if all(isinstance(item, str) for item in value) and (
        not value or draw(st.booleans())
    ):
        items = [draw(scalars(str(item))) for item in value]
        return [f"{key}: [" + draw(st.sampled_from([", ", ","])).join(items) + "]"]
    shift = draw(st.sampled_from(["", "  "]))
    lines = [f"{key}:"]
    for item in value:
        if isinstance(item, str):
            lines.append(f"{shift}- {draw(scalars(item))}")
        elif not isinstance(item, list):
            inner = [line for pair in item.items() for line in draw(entries(*pair))]
            lines.append(f"{shift}- {inner[0]}")
            lines.extend(f"{shift}  {line}" for line in inner[1:])
    return lines


@st.composite
def documents(draw: DrawFn) -> Document:
    """A whole file."""
    fields = draw(FIELDS)
    lines = [line for item in fields.items() for line in draw(entries(*item))]
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    fence = draw(st.sampled_from(["---", "--- ", "..."]))
    body = draw(BODIES | st.just(""))
    last = draw(st.sampled_from(["", newline])) if not body else newline
    text = mark + newline.join(["---", *lines, fence]) + last + body
    return Document(text.encode(), fields, body)
