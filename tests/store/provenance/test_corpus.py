"""For every file that real sessions wrote, blame finds the messages that wrote it.

The files are placed as on another machine, with the content that the sessions left. An
independent script reads the sessions again.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, cast

import pytest

from store.kinds.memories import Memory
from store.kinds.messages import Message
from store.library import Library, Page
from tests.project import ROOT
from tests.store.catalogue.stores import Shelf

CORPUS = ROOT.parent / "shared" / "corpus" / "claude"

pytestmark = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the corpus of real sessions is not beside the project"
)

PAGES = frozenset({"agents.md", "claude.md", "readme.md", "skill.md"})
"""Names by which a folder is told to be no store of memories."""


class Made(NamedTuple):
    """A call that succeeded."""

    at: str
    transcript: str
    line: int
    """The first line of the message that made it."""
    before: str | None
    after: str


def test_every_memory_belongs_to_the_messages_that_wrote_it(
    tmp_path: Path,
) -> None:
    made = apart(
        {path: calls for path, calls in calls_in(CORPUS).items() if is_note(path)}
    )
    assert len(made) >= 20
    assert any(path.endswith("requirements/review-01.md") for path in made)
    for path, calls in made.items():
        laid(tmp_path / "moved", path, calls[-1].after)
    shelf = Shelf(tmp_path / "catalogue.db", CORPUS, tmp_path / "moved")

    shelf.sync()

    with shelf.opened() as library:
        memories = {place_of(one, tmp_path): one for one in shelf.memories()}
        assert memories.keys() == made.keys()
        lines = {one.ref: (one.source, one.line) for one in messages(library)}
        for path, calls in made.items():
            blame = library.history.blame(memories[path].ref)
            told = [lines[ref] for ref in blame.written]
            assert told == each_once([(one.transcript, one.line) for one in calls])
            unknown = {
                line
                for one in blame.lines
                if one.by == "unknown"
                for line in one.text.split("\n")
            }
            assert unknown <= set(from_outside(calls))
            versions = library.history.versions(memories[path].ref)
            called = [one for one in versions if one.by == "call"]
            assert len(called) == len(calls)
            assert all(one.diff for one in called)
            assert {one.by for one in versions} <= {"call", "command"}


def each_once(told: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return list(dict.fromkeys(told))


def from_outside(calls: list[Made]) -> Iterator[str]:
    """The lines of the file at a call that no earlier call had written."""
    for earlier, call in zip([None, *calls], calls, strict=False):
        left = Counter(earlier.after.split("\n") if earlier else ())
        yield from Counter((call.before or "").split("\n")) - left
        yield ""


def messages(library: Library) -> list[Message]:
    found = library.lists.page("messages", Page())
    return [one for one in found if isinstance(one, Message)]


def is_note(path: str) -> bool:
    """Whether a file could be a memory."""
    name = PurePosixPath(path).name.casefold()
    return name.endswith(".md") and name not in PAGES


def apart(made: dict[str, list[Made]]) -> dict[str, list[Made]]:
    """The files whose folders contain none of the others deeper down."""
    folders = {str(PurePosixPath(path).parent) for path in made}
    outer = {one for one in folders if any(f"{one}/" in deep for deep in folders)}
    return {p: calls for p, calls in made.items() if p.rpartition("/")[0] not in outer}


def laid(machine: Path, path: str, text: str) -> None:
    """Put a file on another machine, as a memory listed in an index."""
    file = machine / path.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="")
    with (file.parent / "MEMORY.md").open("a", encoding="utf-8") as index:
        index.write(f"- [{file.stem}]({file.name}) — About it\n")


def place_of(memory: Memory, machine: Path) -> str:
    """The path of a memory's file when it was written."""
    return str(Path(memory.store, memory.path)).removeprefix(f"{machine}/moved")


def calls_in(folder: Path) -> dict[str, list[Made]]:
    """The successful calls that wrote files, by file."""
    found: dict[str, list[Made]] = defaultdict(list)
    seen: set[str] = set()
    for transcript in sorted(folder.glob("*/projects/**/*.jsonl")):
        for call, path, made in _calls(transcript):
            if call not in seen:
                seen.add(call)
                found[path].append(made)
    for calls in found.values():
        calls.sort(key=lambda one: one.at)
    return found


def _calls(transcript: Path) -> Iterator[tuple[str, str, Made]]:
    asked: dict[str, tuple[str, int, Any]] = {}
    began: dict[str, int] = {}
    inside = transcript.parts.index("projects") + 1
    place = "/".join(transcript.parts[inside:])
    for number, record in _records(transcript):
        message: Any = record.get("message") or {}
        for block in _blocks(message.get("content")):
            if block.get("type") == "tool_use":
                first = began.setdefault(message["id"], number)
                asked[block["id"]] = (record["timestamp"], first, block)
            elif block.get("type") == "tool_result" and not block.get("is_error"):
                at, line, call = asked.get(block["tool_use_id"], ("", 0, {}))
                told = record.get("toolUseResult") or _as_asked(call)
                after = _after(told)
                if after is not None and call:
                    before = told.get("originalFile")
                    made = Made(at, place, line, before, after)
                    yield block["tool_use_id"], told["filePath"], made
        if message.get("id"):
            began.setdefault(message["id"], number)


def _as_asked(call: Any) -> Any:  # noqa: ANN401  # as JSON has it
    """A rewrite by a sub-agent, of whose results its session has only text."""
    if call.get("name") != "Write":
        return None
    given = call["input"]
    return {**given, "filePath": given["file_path"], "structuredPatch": []}


def _blocks(content: Any) -> list[dict[str, Any]]:  # noqa: ANN401  # as JSON has it
    return cast("list[dict[str, Any]]", content) if isinstance(content, list) else []


def _records(transcript: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(transcript.read_bytes().split(b"\n"), 1):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        data = record.get("data")
        if record.get("type") == "progress" and isinstance(data, dict):
            record = cast("dict[str, Any]", data).get("message") or record
        yield number, record


def _after(told: Any) -> str | None:  # noqa: ANN401  # as JSON has it
    """The text after a call, if its result has one."""
    if not isinstance(told, dict) or "structuredPatch" not in told:
        return None
    answer = cast("dict[str, Any]", told)
    if "content" in answer:
        return str(answer["content"])
    count = -1 if answer["replaceAll"] else 1
    before = str(answer["originalFile"])
    return before.replace(answer["oldString"], answer["newString"], count)
