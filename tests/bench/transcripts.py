"""Generated transcripts of Claude Code, identical on every machine, and their shape."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from math import log
from pathlib import Path
from random import Random
from uuid import UUID

import orjson
from msgspec import Struct, field

from store.findings import Json
from store.transcript.blocks import Record, content_of, inner, text
from tests.bench.stores import VOCABULARY, WORDS

# Sizes of files, kinds of lines, shares of their bytes and the growth of the vocabulary
# follow measurements of hundreds of real ones; `shape_of` measures a folder.

_MEDIAN, _SPREAD, _LONGEST = 200_000, 1.2, 4_000_000
"""The sizes of transcripts in bytes, distributed by a log-normal law."""

_PROJECTS = 12
_BEGIN = datetime(2026, 1, 5, 8, tzinfo=UTC)
_EDIT_EVERY = 7
_IMAGE_EVERY = 90
_PAUSE_EVERY = 40
_ATTACHED = 0.1
"""The share of turns with an attachment."""
_NAMED = 0.1
"""The share of texts that contain a unique name, such as a commit."""
_NAMES, _NAME_EVERY = 60, 12
"""The names that only one transcript has, and how many words there are for one name."""

_COMMON = list(accumulate((rank + 2) ** -1.5 for rank in range(len(VOCABULARY))))
"""Cumulative frequencies of words, which fall faster than in the text of memories."""

Line = dict[str, object]


def make_transcripts(folder: Path, size: int, each: int | None = None) -> int:
    """Write transcripts of a total size in bytes; returns the number of files.

    Their sizes vary as usual, unless the size of each is given.
    """
    files = 0
    while size > 0:
        slug = f"-home-someone-code-project-{files % _PROJECTS}"
        talk = _Talk(files)
        path = folder / slug / f"{talk.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            written = 0
            for line in talk.lines():
                written += out.write(orjson.dumps(line) + b"\n")
                if written >= min(each or talk.size, size):
                    break
        size -= written
        files += 1
    return files


class _Talk:
    """A session that continues for as long as lines are read."""

    def __init__(self, number: int) -> None:
        self._random = Random(number)  # noqa: S311  # reproducible, not secret
        self.session = self._uuid()
        size = self._random.lognormvariate(log(_MEDIAN), _SPREAD)
        self.size = min(int(size), _LONGEST)
        self._names = [self._name() for _ in range(_NAMES)]
        self._cwd = f"/home/someone/code/project-{number % _PROJECTS}"
        self._now = _BEGIN + timedelta(hours=number)
        self._parent: str | None = None
        self._pages = [self._words(1300) for _ in range(8)]

    def lines(self) -> Iterator[Line]:
        """The lines, turn by turn."""
        turn = 0
        while True:
            turn += 1
            pause = 4000 if turn % _PAUSE_EVERY == 0 else 40
            self._now += timedelta(seconds=pause)
            yield self._snapshot()
            yield self._said("user", {"role": "user", "content": self._text(60)})
            if self._random.random() < _ATTACHED:
                reminder = {"type": "task_reminder", "content": self._text(80)}
                yield self._line("attachment", attachment=reminder)
            for step in range(self._random.randint(3, 9)):
                yield from self._step(turn * 10 + step)
            yield from self._reply([{"type": "text", "text": self._text(90)}])
            yield self._line("system", subtype="turn_duration", durationMs=41_000)

    def _step(self, number: int) -> Iterator[Line]:
        """A thought, a call, progress, and the result."""
        call = f"toolu_{self._random.getrandbits(96):024x}"
        name, given, result = self._call(number)
        thought = {
            "type": "thinking",
            "thinking": self._text(50),
            "signature": self._noise(420),
        }
        use = {"type": "tool_use", "id": call, "name": name, "input": given}
        yield from self._reply([thought, use])
        for _ in range(self._random.choice((0, 1, 1, 3))):
            data = {"type": "bash_progress", "output": self._text(110), "elapsed": 3}
            yield self._line("progress", data=data, parentToolUseID=call)
        block = {"type": "tool_result", "tool_use_id": call, "content": result[0]}
        content: list[object] = [block]
        if number % _IMAGE_EVERY == 0:
            picture = {"type": "base64", "media_type": "image/png"}
            picture["data"] = self._noise(60_000)
            content.append({"type": "image", "source": picture})
        message = {"role": "user", "content": content}
        yield self._said("user", message, toolUseResult=result[1])

    def _call(self, number: int) -> tuple[str, Line, tuple[str, Line]]:
        """A tool with its arguments and its result, as text and as data."""
        page = self._random.choice(self._pages)
        if number % _EDIT_EVERY == 0:
            path = f"{self._cwd}/src/{self._random.choice(WORDS)}.py"
            told: Line = {"filePath": path, "originalFile": page * 2}
            given: Line = {"file_path": path, "old_string": page[:200]}
            return "Edit", {**given, "new_string": page[200:420]}, (page[:400], told)
        output = page[: self._random.choice((150, 600, 1500, 9000))]
        run: Line = {
            "stdout": output,
            "stderr": "",
            "interrupted": False,
            "isImage": False,
        }
        return "Bash", {"command": f"make {self._text(6)}"}, (output, run)

    def _reply(self, blocks: Sequence[Mapping[str, object]]) -> Iterator[Line]:
        """A message of the model: one line per block, each with the usage."""
        name = f"msg_{self._random.getrandbits(96):024x}"
        usage = {
            "input_tokens": 4,
            "cache_creation_input_tokens": self._random.randint(100, 4000),
            "cache_read_input_tokens": self._random.randint(10_000, 90_000),
            "output_tokens": self._random.randint(10, 900),
            "service_tier": "standard",
        }
        for block in blocks:
            message = {
                "model": "claude-opus-4-5-20251101",
                "id": name,
                "type": "message",
                "role": "assistant",
                "content": [block],
                "stop_reason": None,
                "usage": usage,
            }
            yield self._said("assistant", message, requestId=f"req_{name}")

    def _said(self, kind: str, message: Mapping[str, object], **more: object) -> Line:
        return self._line(kind, message=message, **more)

    def _line(self, kind: str, **more: object) -> Line:
        """A line with the common fields."""
        self._now += timedelta(milliseconds=self._random.randint(200, 5000))
        uuid = self._uuid()
        line: Line = {
            "parentUuid": self._parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": self._cwd,
            "sessionId": self.session,
            "version": "2.1.42",
            "gitBranch": "main",
            "type": kind,
            **more,
            "uuid": uuid,
            "timestamp": f"{self._now.isoformat(timespec='milliseconds')[:-6]}Z",
        }
        self._parent = uuid
        return line

    def _snapshot(self) -> Line:
        snapshot: Line = {"messageId": self._uuid(), "timestamp": f"{self._now}"}
        return {"type": "file-history-snapshot", "snapshot": snapshot}

    def _uuid(self) -> str:
        return str(UUID(int=self._random.getrandbits(128), version=4))

    def _text(self, words: int) -> str:
        """About as many words; a few texts are far longer than most."""
        said = self._words(int(words * self._random.lognormvariate(-0.5, 1)) + 1)
        return f"{said} {self._name()}" if self._random.random() < _NAMED else said

    def _words(self, count: int) -> str:
        said = self._random.choices(VOCABULARY, cum_weights=_COMMON, k=count)
        said[::_NAME_EVERY] = self._random.choices(
            self._names, k=len(said[::_NAME_EVERY])
        )
        return " ".join(said)

    def _name(self) -> str:
        return f"{self._random.getrandbits(32):08x}"

    def _noise(self, length: int) -> str:
        return f"{self._random.getrandbits(4 * length):x}"


# The shape of transcripts, to compare those that are generated with those of people.

_RUN = re.compile(r"[^\W_]+")
_RESULT = 2_000
"""Characters of a tool's answer whose words count, as for the index."""


class Shape(Struct):
    """Sizes, and what lines and bytes consist of."""

    files: list[int] = field(default_factory=list[int])
    """The size of each file."""
    lines: list[int] = field(default_factory=list[int])
    """The length of each line."""
    kinds: Counter[str] = field(default_factory=Counter[str])
    """How many lines there are of each type."""
    bytes: Counter[str] = field(default_factory=Counter[str])
    """How many bytes are of each sort."""
    words: Counter[str] = field(default_factory=Counter[str])
    """How often each word is in what is said and answered."""
    text: int = 0
    """The number of characters of that."""

    def report(self) -> Iterator[str]:
        """The shape on a few lines."""
        sizes = " · ".join(
            f"{name} {_part(self.files, share) / 1000:.0f} KB"
            for name, share in (("median", 0.5), ("p90", 0.9), ("max", 1.0))
        )
        yield f"{len(self.files)} files, {sum(self.files) / 1e6:.0f} MB: {sizes}"
        lengths = " · ".join(
            f"{name} {_part(self.lines, share)} B"
            for name, share in (("median", 0.5), ("p90", 0.9), ("p99", 0.99))
        )
        yield f"{len(self.lines)} lines: {lengths}; {_shares(self.kinds)}"
        yield f"bytes: {_shares(self.bytes, sum(self.files))}"
        yield f"{self.text / 1e6:.1f} million characters of {len(self.words)} words"


def shape_of(folder: Path) -> Shape:
    """The shape of all transcripts in a folder."""
    shape = Shape()
    for path in sorted(folder.rglob("*.jsonl")):
        shape.files.append(path.stat().st_size)
        with path.open("rb") as lines:
            for raw in lines:
                shape.lines.append(len(raw))
                _count(shape, raw)
    return shape


def _count(shape: Shape, raw: bytes) -> None:
    line: Json = None
    with suppress(orjson.JSONDecodeError):
        line = orjson.loads(raw)
    if not isinstance(line, dict):
        return
    kind = str(line.get("type"))
    shape.kinds[kind] += 1
    if kind not in {"user", "assistant"}:
        shape.bytes[kind] += len(raw)
    copied = inner(line, "toolUseResult").get("originalFile")
    shape.bytes["copies of files"] += _size(copied)
    shape.bytes["results as data"] += _size(line.get("toolUseResult")) - _size(copied)
    content = content_of(line)
    for block in [content] if isinstance(content, str) else content:
        _count_block(shape, block)


def _count_block(shape: Shape, block: Json) -> None:
    plain: Record = {"type": "text", "text": block}
    about = block if isinstance(block, dict) else plain
    shape.bytes[str(about.get("type"))] += _size(block)
    shape.bytes["signature"] += _size(about.get("signature"))
    for name, longest in (("text", None), ("thinking", None), ("content", _RESULT)):
        said = text(about, name)[:longest]
        shape.text += len(said)
        shape.words.update(map(str.lower, _RUN.findall(said)))


def _size(value: Json) -> int:
    return len(orjson.dumps(value)) if value else 0


def _part(sizes: list[int], share: float) -> int:
    """The size that so many are below."""
    return sorted(sizes)[min(len(sizes) - 1, int(share * len(sizes)))] if sizes else 0


def _shares(counts: Counter[str], whole: int | None = None) -> str:
    """The largest parts in percent."""
    total = (counts.total() if whole is None else whole) or 1
    several = counts.most_common(9)
    return " · ".join(f"{name} {count / total:.1%}" for name, count in several)
