"""Records out of the catalogue's rows, at a point in time."""

import os
import sqlite3

import orjson

from store.derive.decay import PINNED, stage, strength
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.memory import Memory
from store.records.problem import Problem


def memory(row: sqlite3.Row, now: int) -> Memory:
    """A memory, its strength computed for `now` (microseconds since 1970)."""
    score, word = _faded(row, now)
    return Memory(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        format=row["format"],
        id=row["own_id"],
        type=row["type"],
        title=row["title"],
        description=row["description"],
        tags=tuple(orjson.loads(row["tags"])),
        importance=row["importance"],
        confidence=row["confidence"],
        created=row["created"],
        updated=row["updated"],
        accessed=row["accessed"],
        access_count=row["access_count"],
        strength=score,
        stage=word,
        pinned=bool(row["pinned"]),
        archived=bool(row["archived"]),
        path=os.fsdecode(row["path"]),
        line=row["line"],
        links_in=row["links_in"],
        links_out=row["links_out"],
        problems=tuple((row["codes"] or "").split()),
    )


def _faded(row: sqlite3.Row, now: int) -> tuple[float | None, str | None]:
    """Strength and stage; both null where nothing fades or no score can be told."""
    if not row["fades"]:
        return None, None
    if row["pinned"]:
        return PINNED, "vault"
    if row["vigour"] is None:
        return None, None
    score = strength(row["vigour"], now)
    return score, stage(score)


def edge(row: sqlite3.Row, _now: int) -> Edge:
    """An edge."""
    return Edge(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        id=row["edge_id"],
        type=row["type"],
        from_=row["start_ref"],
        to=row["end_ref"],
        from_title=row["from_title"],
        to_title=row["to_title"],
        strength=row["strength"],
        context=row["context"],
        created=row["created"],
        path=os.fsdecode(row["path"]),
        sides=tuple(row["sides"].split()),
        problems=tuple((row["codes"] or "").split()),
    )


def episode(row: sqlite3.Row, _now: int) -> Episode:
    """An episode."""
    return Episode(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        date=row["date"],
        time=row["time"],
        title=row["title"],
        type=row["type"],
        tags=tuple(orjson.loads(row["tags"])),
        summary=row["summary"],
        memory=row["memory_ref"],
        link=row["link"],
        path=os.fsdecode(row["path"]),
        line=row["line"],
    )


def document(row: sqlite3.Row, _now: int) -> Document:
    """A document."""
    return Document(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        title=row["title"],
        path=os.fsdecode(row["path"]),
        category=row["category"],
        text_bytes=row["text_bytes"],
        role=row["role"],
    )


def problem(row: sqlite3.Row, _now: int) -> Problem:
    """A problem."""
    return Problem(
        code=row["code"],
        severity=row["severity"],
        store=os.fsdecode(row["store_path"]),
        ref=row["ref"],
        path=os.fsdecode(row["path"]),
        line=row["line"],
        message=row["message"],
        fix=row["fix"],
    )
