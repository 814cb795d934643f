"""Anything that a writer of this format may have left is read without loss."""

import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given
from hypothesis import strategies as st

from store.files.frontmatter import read_page
from store.formats.markdown_read import without_code
from store.formats.notes.notes import read_memory, variant
from tests.store.formats.notes_stores import codes, memory_of, read_all

PRINTABLE = st.characters(categories=["L", "N", "P", "S", "Zs"])
WORDS = st.text(PRINTABLE, max_size=60).map(lambda text: f"a{text.strip()}")
LINES = st.text(PRINTABLE | st.just("\t"), max_size=80)
PIECES = st.sampled_from(
    ["```", "~~~~", "`", "``", "[[a]]", "[a](b.md)", "[", "](", "**Why:**", "\n", " "]
)
MARKDOWN = st.lists(PIECES | LINES, max_size=30).map("".join)


@dataclass(frozen=True)
class Written:
    """A memory file and the values its writer put into it."""

    shape: str
    quoting: str
    name: str
    description: str
    body: str
    newline: str = "\n"
    blank_line: bool = True

    @property
    def header(self) -> list[str]:
        yaml = {"plain": str, "double": self._double, "single": self._single}
        quote = yaml[self.quoting]
        metadata = {
            "V3": ["type"],
            "V4": ["node_type", "type"],
            "V5": ["node_type", "type", "originSessionId"],
            "V6": ["node_type", "type", "originSessionId", "modified"],
        }.get(self.shape)
        lines = [f"name: {quote(self.name)}", f"description: {quote(self.description)}"]
        if metadata:
            return [
                *lines,
                "metadata: ",
                *(f"  {key}: {key}-value" for key in metadata),
            ]
        top = ["type"] if self.shape == "V1" else ["type", "originSessionId"]
        return lines + [f"{key}: {key}-value" for key in top]

    @property
    def raw(self) -> bytes:
        if self.shape == "V0":
            return self.text_below.encode()
        lines = ["---", *self.header, "---", *([""] if self.blank_line else []), ""]
        return (self.newline.join(lines) + self.text_below).encode()

    @property
    def text_below(self) -> str:
        return self.body.replace("\n", self.newline)

    @staticmethod
    def _double(text: str) -> str:
        return json.dumps(text, ensure_ascii=False)

    @staticmethod
    def _single(text: str) -> str:
        return "'" + text.replace("'", "''") + "'"


MEMORIES = st.builds(
    Written,
    shape=st.sampled_from([f"V{number}" for number in range(7)]),
    quoting=st.sampled_from(["plain", "double", "single"]),
    name=WORDS,
    description=WORDS,
    body=st.lists(LINES, max_size=6)
    .map("\n".join)
    .filter(lambda body: not body.startswith("---")),
    newline=st.sampled_from(["\n", "\r\n"]),
    blank_line=st.booleans(),
)


@given(MEMORIES)
@example(Written("V1", "plain", "a", "a: b: c # d", "text"))
@example(Written("V6", "double", 'a "b"', "a\u3000b", "", "\r\n", blank_line=False))
def test_a_memory_is_read_as_it_was_written(written: Written) -> None:
    page = read_page(written.raw)

    memory = memory_of(read_memory("file.md", page))

    blank = written.newline if written.shape != "V0" and written.blank_line else ""
    assert memory.body == blank + written.text_below
    assert variant(page.fields) == written.shape
    if written.shape != "V0":
        assert memory.title == written.name
        assert memory.description == written.description
        assert memory.type == "type-value"


@given(st.lists(MEMORIES, min_size=1, max_size=5))
def test_a_store_is_read_completely(memories: list[Written]) -> None:
    with TemporaryDirectory() as folder:
        for number, written in enumerate(memories):
            (Path(folder) / f"{number}.md").write_bytes(written.raw)

        found = read_all(Path(folder))

    assert len(found) == len(memories)
    for number, written in enumerate(memories):
        findings = found[f"{number}.md"]
        assert memory_of(findings).body.endswith(written.text_below)
        plain = written.quoting == "plain" and written.shape != "V0"
        assert plain or not set(codes(findings)) - {"empty-file"}


@given(st.binary(max_size=400), st.sampled_from(["a.md", "MEMORY.md", "logs/a.md"]))
@example(b"---\nlinks: {a: [b]}\ntags: {}\nmetadata: [x]\ntype: []\n---\n", "a.md")
@example(b"---\n? [a]\n: b\n---\n", "MEMORY.md")
def test_no_bytes_are_too_strange_to_be_read(raw: bytes, path: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / path
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(raw)

        findings = read_all(Path(folder))[path]

    assert len(findings.memories) + len(findings.documents) == 1


@given(MARKDOWN)
@example("`` ` `` `a` ```` b")
def test_blanking_code_moves_nothing(text: str) -> None:
    prose = without_code(text)

    assert len(prose) == len(text)
    kept = [(a, b) for a, b in zip(prose, text, strict=True) if a != " "]
    assert all(a == b for a, b in kept)
    assert prose.count("\n") == text.count("\n")
    assert without_code(prose) == prose or {"`", "~"} & set(prose)
