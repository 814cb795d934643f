"""The analyzer's database and the ledger, made in memory and handed out as bytes."""

import hashlib
import json
import sqlite3
from collections.abc import Sized
from contextlib import closing
from datetime import timedelta
from importlib.resources import files

from store.demo.identity import identify
from store.demo.kei.journals import epoch
from store.demo.kei.measured import Measured, Moment, agent_id

_VERSION = slice(96, 100)
"""Where a database names the version of SQLite that wrote it last."""

_TURNS = 3
"""How often the analyzer took in the same sitting."""


def analyzer(measured: Measured) -> bytes:
    """A sitting whose trace is gone, taken in at the end of each of its turns."""
    sitting = measured.sitting(measured.table["stored"])
    session, begin = identify("session", sitting.key), measured.begin(sitting)
    prompt = json.dumps({"content": sitting.prompt, "role": "user"}, ensure_ascii=False)
    path = "/home/zoe/infra/homelab/docs/zfs.md"
    rows = [
        ("user", None, None, 0, "user", prompt),
        ("assistant", "Bash", None, 0, "tool_use:Bash", None),
        ("user", None, None, 1, "tool_error", "sudo: a password is required"),
        ("assistant", "Read", path, 0, "tool_use:Read", None),
        ("assistant", "Edit", path, 0, "tool_use:Edit", None),
    ]
    start = epoch(begin)
    end = epoch(begin + timedelta(minutes=sitting.minutes))
    inventory = "/home/zoe/infra/homelab/inventory.yml"
    with closing(_made("schema.sql")) as connection:
        put = connection.execute
        put("INSERT INTO sessions VALUES (?, ?, ?, 15, 3)", (session, start, end))
        for _ in range(_TURNS):
            for number, row in enumerate(rows):
                known = (session, start + 90 * number, *row, "/home/zoe/infra/homelab")
                put(f"INSERT INTO events VALUES (NULL, {_marks(known)})", known)
        put("INSERT INTO coaccess VALUES (?, ?, 6)", (path, inventory))
        seen = ("tool_error", session, _TURNS, start, end)
        put(f"INSERT INTO patterns VALUES (NULL, {_marks(seen)})", seen)
        todo = "tool_error: give the agent a read-only account on kestrel"
        put("INSERT INTO backlog VALUES (NULL, ?, ?, 0)", (end, todo))
        return _bytes(connection)


def ledger(measured: Measured) -> bytes:
    """Every agent that was sent off, and the skills that they used."""
    with closing(_made("ledger.sql")) as connection:
        for one in measured.agents:
            facts = _agent(one)
            names = ", ".join(facts)
            insert = f"INSERT INTO agents ({names}) VALUES ({_marks(facts)})"
            connection.execute(insert, tuple(facts.values()))
        for one in measured.skills:
            agent = agent_id(one["agent"])
            row = (one["skill"], epoch(one.start), agent, one["success"], one["ms"])
            connection.execute(
                "INSERT INTO skill_invocations VALUES (NULL, ?, ?, ?, ?, NULL, ?)", row
            )
        return _bytes(connection)


def _agent(one: Moment) -> dict[str, object]:
    sha = hashlib.sha256(one["name"].encode()).hexdigest()
    scope = f"{one['type']}::read::{sha[:8]}::{sha[8:16]}"
    return {
        "id": one.agent,
        "branch": f"agent/{one['name']}",
        "parent_branch": "main",
        "spec_sha": sha[:40],
        "status": one["status"],
        "started_ts": epoch(one.start),
        "finished_ts": epoch(one.end) if one["seconds"] else None,
        "summary": one["desc"],
        "dna": f"{scope}-{sha[16:24]}",
        "provider": "anthropic",
        "model": one["model"],
        "tokens_in": one["tokens"][0],
        "tokens_out": one["tokens"][1],
        "outcome": one.facts.get("outcome"),
    }


def _made(schema: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    script = (files("store.demo.kei") / schema).read_text("utf-8")
    connection.executescript(script)
    return connection


def _marks(values: Sized) -> str:
    return ", ".join("?" * len(values))


def _bytes(connection: sqlite3.Connection) -> bytes:
    """The same for the same story and version of SQLite, whichever that is."""
    connection.commit()
    raw = bytearray(connection.serialize())
    raw[_VERSION] = bytes(4)
    return bytes(raw)
