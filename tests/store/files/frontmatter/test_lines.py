"""The line reader recovers the meaning of headers that are invalid YAML."""

from hypothesis import given
from hypothesis import strategies as st

from store.files.frontmatter_yaml import read_lines

BROKEN = """\
title: Deploy: the short way
tags: [major-domo, "a, b", 'it''s',]
type: procedure   # as it was
quoted: "say \\"hi\\"\\n"  # aside
summary: |
  first: line

    indented
folded: goes on
  and on
metadata:
  node_type: memory
  inner:
    deep: yes
steps:
- "Run: tests"
- Build: the image
  then: push
- plain text
relations:
  - target: abc
    context: because: reasons
  - target: def
# a comment
  
title: second
last:
"""  # noqa: W293 - a line of spaces, as editors leave them


def test_everything_with_a_name_is_recovered() -> None:
    fields, flaws = read_lines(BROKEN)

    assert fields == {
        "title": "Deploy: the short way",
        "tags": ["major-domo", "a, b", "it's"],
        "type": "procedure",
        "quoted": 'say "hi"\n',
        "summary": "first: line\n\n  indented",
        "folded": "goes on and on",
        "metadata": {"node_type": "memory", "inner": {"deep": "yes"}},
        "steps": ["Run: tests", {"Build": "the image", "then": "push"}, "plain text"],
        "relations": [
            {"target": "abc", "context": "because: reasons"},
            {"target": "def"},
        ],
        "last": "",
    }
    assert [(flaw.code, flaw.line) for flaw in flaws] == [("duplicate-key", 27)]


def test_crlf_makes_no_difference() -> None:
    assert read_lines(BROKEN.replace("\n", "\r\n")) == read_lines(BROKEN)


def test_endless_nesting_becomes_text() -> None:
    fields, _ = read_lines("".join(" " * i + "a:\n" for i in range(200)))

    depth, value = 0, fields
    while isinstance(value := value["a"], dict):
        depth += 1

    assert depth == 8
    assert value == " ".join(["a:"] * 191)


@given(st.text("ab:- \t\n'\"[]{}|>#\\u,\r"))
def test_any_text_is_read_to_its_end(text: str) -> None:
    fields, _ = read_lines(f"{text}\nend: here\n")

    assert "here" in str(fields) or "end" in text
