"""Generated cognitive memories in every style of such files."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from hypothesis import strategies as st

from store.formats.cognitive.format import FOLDERS, NULLS, RELATION_TYPES


@dataclass(frozen=True)
class MadeRelation:
    target: str
    type: str
    direction: str
    strength: float | None
    context: str | None
    edge_id: str | None


@dataclass(frozen=True)
class MadeMemory:
    path: str
    id: str
    type: str
    title: str
    tags: tuple[str, ...]
    importance: float
    confidence: float | None
    created: str
    updated: str
    steps: tuple[str, ...]
    preconditions: tuple[str, ...]
    postconditions: tuple[str, ...]
    relations: tuple[MadeRelation, ...]
    more: tuple[tuple[str, str], ...]
    body: str
    text: str
    """The file, in one of the styles that such files are written in."""


LINES = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), min_size=1
).filter(lambda text: text.strip() not in NULLS)
WORDS = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789-"), min_size=1)
TAGS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), min_size=1
).filter(lambda text: text.strip())
RATIOS = st.floats(0, 1).map(lambda number: round(number, 3))
TIMES = st.datetimes().map(lambda moment: moment.isoformat() + "+00:00")
BODIES = st.lists(
    st.text(
        st.characters(
            exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="[`~"
        )
    )
).map("\n".join)

_EDGE = attrgetter("target", "type", "direction")
"""What no two relations of one memory share."""


def double_quoted(text: str) -> str:
    def escaped(character: str) -> str:
        if character in '"\\':
            return "\\" + character
        if character.isprintable():
            return character
        return f"\\U{ord(character):08x}"

    return '"' + "".join(map(escaped, text)) + '"'


def quotings(text: str) -> list[str]:
    """Every way of writing a text as a scalar."""
    ways = [double_quoted(text)]
    if text.isprintable():
        ways.append("'" + text.replace("'", "''") + "'")
    if re.fullmatch(r"[a-z][a-z0-9-]*", text) and text not in NULLS:
        ways.append(text)
    return ways


def _list(draw: st.DrawFn, key: str, items: Sequence[str], indent: str) -> str:
    written = [draw(st.sampled_from(quotings(item))) for item in items]
    if draw(st.booleans()):
        return f"{key}: [{', '.join(written)}]"
    return "\n".join([f"{key}:", *(f"{indent}- {item}" for item in written)])


def _relations(draw: st.DrawFn, relations: Sequence[MadeRelation]) -> str:
    lines = ["relations:"]
    for relation in relations:
        pairs = [
            f"{key}: {value if key == 'strength' else double_quoted(value)}"
            for key, value in vars(relation).items()
            if value is not None
        ]
        first, *others = draw(st.permutations(pairs))
        lines += [f"  - {first}", *(f"    {pair}" for pair in others)]
    return "\n".join(lines)


@st.composite
def relations(draw: st.DrawFn, targets: Sequence[str]) -> MadeRelation:
    return MadeRelation(
        target=draw(st.sampled_from(targets)),
        type=draw(st.sampled_from(sorted(RELATION_TYPES))),
        direction=draw(st.sampled_from(["outgoing", "incoming"])),
        strength=draw(st.none() | RATIOS),
        context=draw(st.none() | LINES),
        edge_id=draw(st.none() | st.uuids().map(str)),
    )


@st.composite
def memories(draw: st.DrawFn, identifier: str, targets: Sequence[str]) -> MadeMemory:
    kind = draw(st.sampled_from(sorted(FOLDERS)))
    folder = draw(st.sampled_from([f"graph/{FOLDERS[kind]}", "vault"]))
    pair = st.tuples(WORDS.map("x-".__add__), LINES)
    made = {
        "id": identifier,
        "type": kind,
        "title": draw(LINES),
        "importance": draw(RATIOS),
        "confidence": draw(st.none() | RATIOS),
        "created": draw(TIMES),
        "updated": draw(TIMES),
    }
    lists = {
        key: tuple(draw(st.lists(texts, max_size=3)))
        for key, texts in {
            "tags": TAGS,
            "steps": LINES,
            "preconditions": LINES,
            "postconditions": LINES,
        }.items()
    }
    linked = tuple(draw(st.lists(relations(targets), max_size=3, unique_by=_EDGE)))
    more = tuple(draw(st.lists(pair, max_size=2, unique_by=lambda item: item[0])))
    body = draw(BODIES)
    blocks = [
        f"{key}: {draw(st.sampled_from(quotings(value)))}"
        if isinstance(value, str)
        else f"{key}: {value}"
        for key, value in (*made.items(), *more)
        if value is not None
    ]
    indent = draw(st.sampled_from(["", "  "]))
    blocks += [_list(draw, key, items, indent) for key, items in lists.items() if items]
    blocks += [_relations(draw, linked)] if linked else []
    text = "\n".join(["---", *draw(st.permutations(blocks)), "---", body])
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return MadeMemory(
        path=f"{folder}/{draw(WORDS)}-{identifier[:6]}.md",
        **made,  # type: ignore[arg-type] - the drawn values are those of the fields
        **lists,
        relations=linked,
        more=more,
        body=body.replace("\n", newline),
        text=text.replace("\n", newline),
    )


@st.composite
def stores(draw: st.DrawFn) -> list[MadeMemory]:
    """Some memories with relations among them."""
    found = draw(
        st.lists(st.uuids(), min_size=1, max_size=4, unique_by=lambda u: u.hex[:6])
    )
    identifiers = [str(identifier) for identifier in found]
    return [draw(memories(identifier, identifiers)) for identifier in identifiers]
