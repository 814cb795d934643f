"""Generated transcripts of Claude Code, identical on every machine."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from uuid import UUID

import orjson

from tests.bench.stores import WORDS, text

# The kinds of lines and the content of their bytes follow measurements of hundreds of
# real ones: three lines in ten are progress, a fifth of the bytes are copies of edited
# files, a tenth is text.

FILE = 2_600_000
"""The approximate size of a transcript in bytes."""

_PROJECTS = 12
_BEGIN = datetime(2026, 1, 5, 8, tzinfo=UTC)
_EDIT_EVERY = 7
_IMAGE_EVERY = 160
_PAUSE_EVERY = 40
_NAMED = 0.2
"""The share of texts that contain a unique name, such as a commit."""

Line = dict[str, object]


def make_transcripts(folder: Path, size: int) -> int:
    """Write transcripts of a total size in bytes; returns the number of files."""
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
                if written >= min(FILE, size):
                    break
        size -= written
        files += 1
    return files


class _Talk:
    """A session that continues for as long as lines are read."""

    def __init__(self, number: int) -> None:
        self._random = Random(number)  # noqa: S311  # reproducible, not secret
        self.session = self._uuid()
        self._cwd = f"/home/someone/code/project-{number % _PROJECTS}"
        self._now = _BEGIN + timedelta(hours=number)
        self._parent: str | None = None
        self._pages = [self._text(1500) for _ in range(8)]

    def lines(self) -> Iterator[Line]:
        """The lines, turn by turn."""
        turn = 0
        while True:
            turn += 1
            pause = 4000 if turn % _PAUSE_EVERY == 0 else 40
            self._now += timedelta(seconds=pause)
            yield self._snapshot()
            yield self._said("user", {"role": "user", "content": self._text(60)})
            for step in range(self._random.randint(3, 9)):
                yield from self._step(turn * 10 + step)
            yield from self._reply([{"type": "text", "text": self._text(220)}])
            yield self._line("system", subtype="turn_duration", durationMs=41_000)

    def _step(self, number: int) -> Iterator[Line]:
        """A thought, a call, progress, and the result."""
        call = f"toolu_{self._random.getrandbits(96):024x}"
        name, given, result = self._call(number)
        thought = {
            "type": "thinking",
            "thinking": self._text(45),
            "signature": self._noise(420),
        }
        use = {"type": "tool_use", "id": call, "name": name, "input": given}
        yield from self._reply([thought, use])
        for _ in range(2):
            data = {"type": "bash_progress", "output": self._text(90), "elapsed": 3}
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
        output = page[: self._random.choice((150, 400, 900, 3000))]
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
        said = text(self._random, words)
        if self._random.random() < _NAMED:
            said = f"{said} {self._random.getrandbits(32):08x}"
        return said

    def _noise(self, length: int) -> str:
        return f"{self._random.getrandbits(4 * length):x}"
