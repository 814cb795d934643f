"""Lines of a transcript in the order in which Claude Code would have written them."""

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

from store.demo.days import iso_z
from store.demo.identity import identify

VERSION = "2.1.210"
MODEL = "claude-opus-4-6"

Line = dict[str, Any]


class Lines:
    """A transcript that is being written; each line follows the one before."""

    def __init__(self, name: str, about: Line, begin: datetime) -> None:
        """`about` says where: folder, session and branch, as every line repeats it."""
        self._name = name
        self._about = about
        self._parent: str | None = None
        self._written: list[str] = []
        self.agent: str | None = None
        self.now = begin

    @property
    def text(self) -> str:
        """The file."""
        return "".join(f"{line}\n" for line in self._written)

    def bare(self, line: Line, *, ended: bool = True) -> None:
        """Add a line that belongs to no chain."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        self._written.append(text if ended else text[:-20])

    def glue(self) -> None:
        """Leave out the newline between the last two lines."""
        last = self._written.pop()
        self._written[-1] += last

    def user(self, content: object, **more: object) -> str:
        """Add a line of type `user`; returns its identifier."""
        message = {"role": "user", "content": content}
        return self._chained({"type": "user", "message": message, **more})

    def system(self, subtype: str, content: str, **more: object) -> None:
        """Add a system line."""
        about = {"subtype": subtype, "content": content, "isMeta": False}
        self._chained({"type": "system", **about, "level": "info", **more})

    def assistant(self, *blocks: Line) -> None:
        """Add a message, one line for each of its blocks."""
        seed = f"{self._name}/{len(self._written)}"
        digest = hashlib.sha256(seed.encode()).hexdigest()
        words = sum(len(json.dumps(block)) for block in blocks)
        for number, block in enumerate(blocks, 1):
            usage = {
                "input_tokens": 4,
                "cache_creation_input_tokens": words // 2,
                "cache_read_input_tokens": 12_000 + 40 * len(self._written),
                "output_tokens": words * number // (3 * len(blocks)) or 1,
                "service_tier": "standard",
            }
            message = {
                "model": MODEL,
                "id": f"msg_01{digest[:22]}",
                "type": "message",
                "role": "assistant",
                "content": [block],
                "stop_reason": None,
                "stop_sequence": None,
                "usage": usage,
            }
            line = {"type": "assistant", "message": message}
            self._chained({**line, "requestId": f"req_01{digest[22:44]}"})

    def call(self, name: str, given: Line) -> tuple[str, Line]:
        """The block of a call, and its identifier."""
        seed = f"{self._name}/call/{len(self._written)}"
        call = f"toolu_01{hashlib.sha256(seed.encode()).hexdigest()[:22]}"
        block = {"type": "tool_use", "id": call, "name": name, "input": given}
        return call, {**block, "caller": {"type": "direct"}}

    def result(
        self, call: str, output: str, value: object, *, error: bool = False
    ) -> None:
        """Add the answer to a call."""
        block = {"tool_use_id": call, "type": "tool_result", "content": output}
        if error:
            block = {**block, "is_error": True}
        self.user([block], toolUseResult=value)

    def _chained(self, line: Line) -> str:
        """Add a line that follows the one before, some seconds later."""
        seed = f"{self._name}/{len(self._written)}"
        uuid = identify("line", seed)
        self.now += timedelta(seconds=4 + int.from_bytes(seed.encode()[-2:]) % 41)
        about = {"parentUuid": self._parent, "isSidechain": self.agent is not None}
        agent = {"agentId": self.agent} if self.agent else {}
        moment = {"uuid": uuid, "timestamp": iso_z(self.now), "userType": "external"}
        here = {"entrypoint": "cli", **self._about, "version": VERSION}
        self.bare({**about, **agent, **line, **moment, **here})
        self._parent = uuid
        return uuid

    def begin_anew(self) -> None:
        """Let the next line follow none."""
        self._parent = None
