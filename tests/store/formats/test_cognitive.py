import json
import os
from collections.abc import Mapping
from pathlib import Path

from store.formats.cognitive.format import FORMAT
from store.formats.port import Format
from tests.store.formats.cognitive_stores import (
    DROPS_PATH,
    EDGE_PATH,
    TIMEOUTS,
    make_small_store,
    write,
)
from tests.store.formats.contract import Damage, FormatContract


def overwritten(path: str, text: str | bytes) -> Damage:
    def damage(store: Path) -> str:
        write(store, path, text)
        return path

    return damage


def replaced(path: str, old: str, new: str) -> Damage:
    def damage(store: Path) -> str:
        text = (store / path).read_text()
        assert old in text
        return overwritten(path, text.replace(old, new))(store)

    return damage


def grown_beyond_reading(store: Path) -> str:
    os.truncate(store / DROPS_PATH, 1 << 40)
    return DROPS_PATH


def entry(path: str, **values: object) -> Damage:
    return overwritten(path, json.dumps({"version": 1, "entries": {TIMEOUTS: values}}))


class TestCognitive(FormatContract):
    trap = "graph/fixes/trap.md"
    damages: Mapping[str, Damage] = {
        "empty memory": overwritten(DROPS_PATH, b""),
        "binary memory": overwritten(DROPS_PATH, bytes(range(256))),
        "unclosed header": overwritten(DROPS_PATH, "---\nid: x\ntitle: y\n"),
        "broken header": replaced(DROPS_PATH, "type: problem", "\ttype: [problem"),
        "endless memory": grown_beyond_reading,
        "edge without ends": replaced(EDGE_PATH, "from_id", "from"),
        "edge named otherwise": replaced(EDGE_PATH, "type: SOLVES", "type: CAUSES"),
        "episode of another day": replaced(
            "episodes/2025-12-13.md", "# 2025", "# 1999"
        ),
        "episode leads out": replaced("episodes/2025-12-13.md", "../graph", "../../x"),
        "core leads out": replaced("CORE.md", "(vault/", "(/etc/"),
        "torn index": overwritten("_index.json", '{"version": 2, "entries": {'),
        "index of the future": replaced("_index.json", '"version": 2', '"version": 99'),
        "index is a list": overwritten("_index.json", "[]"),
        "index is too deep": overwritten("_index.json", "[" * 100_000 + "]" * 100_000),
        "index leads out": replaced("_index.json", '"vault/', '"../vault/'),
        "negative count": entry("_state.json", access_count=-1),
        "no time": entry("_state.json", last_accessed="never"),
        "empty state": overwritten("_state.json", b""),
        "torn embeddings": overwritten("_embeddings.json", b'{"model": "m", "entr'),
        "torn settings": overwritten("_config.json", b'{"openai_api_key": "sk-'),
        "secret not ignored": overwritten(".gitignore", "_index.json\n"),
    }

    @property
    def format(self) -> Format:
        return FORMAT

    def make(self, folder: Path) -> Mapping[str, int]:
        return make_small_store(folder)
