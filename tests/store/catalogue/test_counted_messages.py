"""Every message belongs to a conversation, and every counted message can be shown."""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.demo import write as write_demo
from store.formats.register import FORMATS
from store.kinds.conversations import Conversation, ConversationInFull
from store.kinds.messages import Message
from tests.examples import examples
from tests.project import ROOT
from tests.store.catalogue.stores import Shelf, write
from tests.store.formats import claudia_stores
from tests.store.formats.transcripts_generated import transcripts
from tests.store.formats.transcripts_stores import SESSION, SLUG

CORPUS = ROOT.parent / "shared" / "corpus"
TOOL = ROOT.parent / "shared" / "tools" / "hostile.py"


def broken(shelf: Shelf) -> list[str]:
    """Every message without a conversation, every count that cannot be shown."""
    messages, conversations = shelf.messages(), shelf.conversations()
    held: defaultdict[str | None, list[Message]] = defaultdict(list)
    for message in messages:
        held[message.conversation].append(message)
    listed = {conversation.ref for conversation in conversations}
    listed |= {copy.ref for one in conversations for copy in one.copies}
    found = [
        f"{message.source}:{message.line} belongs to {message.conversation}"
        for message in messages
        if message.conversation not in listed
    ]
    for conversation in conversations:
        found += _miscounted(shelf, conversation, held[conversation.ref])
    for store in shelf.stores():
        shown = sum(message.store == store.path for message in messages)
        if store.messages != shown:
            found.append(f"{store.path}: {store.messages} messages, {shown} shown")
    return found


def _miscounted(
    shelf: Shelf, conversation: Conversation, messages: list[Message]
) -> Iterator[str]:
    """Records that a conversation counts and does not show."""
    ref = conversation.ref
    opened = shelf.show(ref)
    assert isinstance(opened, ConversationInFull)
    refs = sorted(message.ref for message in messages)
    if sorted(message.ref for message in opened.transcript) != refs:
        yield f"{ref} opens with {len(opened.transcript)} of {len(refs)} messages"
    with shelf.opened() as library:
        if len(library.conversations.order(ref).numbers) != len(refs):
            yield f"{ref} is read with other messages than are listed"
    counted = {
        "messages": len(messages),
        "prompts": sum(message.kind == "prompt" for message in messages),
        "tools": sum(len(message.tools) for message in messages),
    }
    for name, shown in counted.items():
        if getattr(conversation, name) != shown:
            yield f"{ref} counts {getattr(conversation, name)} {name}, shows {shown}"
    failed = opened.failed or ()
    if bool(conversation.tool_errors) != bool(failed) or not set(failed) <= set(refs):
        yield f"{ref} counts {conversation.tool_errors} errors, shows {len(failed)}"


def real() -> list[Path]:
    """Every store of the corpus, and every folder of fixtures."""
    places = ("claude/*", "series/*", "memory/*", "fixtures/*", "other-agents/*")
    return sorted(found for place in places for found in CORPUS.glob(place))


@pytest.mark.skipif(not real(), reason="the corpus is not beside the project")
@pytest.mark.parametrize("place", real(), ids=lambda place: place.name)
def test_in_real_stores(tmp_path: Path, place: Path) -> None:
    shelf = Shelf(tmp_path / "catalogue.db", place)
    shelf.sync()

    assert broken(shelf) == []


def test_in_the_sample_stores_of_every_format(tmp_path: Path) -> None:
    places = write_demo(tmp_path / "demo", datetime(2026, 3, 29, 14, 30, tzinfo=UTC))
    shelf = Shelf(tmp_path / "catalogue.db", *places)
    shelf.sync()

    sniffed = {form.name for form in FORMATS} - {"pages", "instructions"}
    assert {one.format for one in shelf.stores()} == sniffed
    assert len(shelf.conversations()) > len(places)
    assert broken(shelf) == []


@pytest.mark.skipif(not TOOL.is_file(), reason="the tool is not beside the project")
def test_in_hostile_stores(tmp_path: Path) -> None:
    kinds = ("--only", "transcript,sqlite,jsonl,canary")
    make = [sys.executable, TOOL, "make", tmp_path / "hostile", *kinds]
    subprocess.run(make, check=True, capture_output=True)
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "hostile")
    shelf.sync()

    assert shelf.messages()
    assert broken(shelf) == []


@given(
    transcripts(), st.sampled_from([0, 1, 700]), st.sampled_from(["projects", "kei"])
)
@examples(30)
def test_in_generated_transcripts(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes, piece: int, kind: str
) -> None:
    folder = tmp_path_factory.mktemp("generated")
    if kind == "kei":
        write(folder, "kei/time-metrics/tasks.jsonl", b"")
        write(folder, f"kei/traces/{SESSION}.jsonl", raw)
    else:
        write(folder, f"projects/{SLUG}/{SESSION}.jsonl", raw)
    shelf = Shelf(folder / "cache/catalogue.db", folder)
    with pytest.MonkeyPatch.context() as patch:
        if piece:
            patch.setattr("store.formats.growing.PIECE", piece)
        shelf.sync()

    assert shelf.messages()
    assert broken(shelf) == []


minutes = st.integers(0, 300).map(lambda minute: minute * 60)


@given(
    st.lists(st.tuples(minutes, st.sampled_from("ab")), min_size=1, max_size=8),
    st.lists(st.tuples(minutes, minutes, st.sampled_from("ab")), max_size=4),
    st.sampled_from([1, 3, 5_000]),
)
@examples(20)
def test_in_generated_databases(
    tmp_path_factory: pytest.TempPathFactory,
    entries: list[tuple[int, str]],
    spans: list[tuple[int, int, str]],
    piece: int,
) -> None:
    folder = tmp_path_factory.mktemp("generated")
    with claudia_stores.database(folder / "anima") as made:
        for second, file in entries:
            made.entry(instant(second), f"At {second}", source_file=f"-k/{file}.jsonl")
        for first, last, file in spans:
            ends = (instant(first), instant(first + last))
            made.conversation(*ends, source_file=f"-k/{file}.jsonl", status="skipped")
    shelf = Shelf(folder / "cache/catalogue.db", folder / "anima")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("store.formats.claudia.pieces.PIECE", piece)
        shelf.sync()

    assert len(shelf.messages()) == len(entries)
    assert broken(shelf) == []


def instant(second: int) -> str:
    hours, rest = divmod(second, 3600)
    return f"2026-02-20T{hours:02}:{rest // 60:02}:{rest % 60:02}.000Z"
