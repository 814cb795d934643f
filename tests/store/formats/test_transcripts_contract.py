from collections.abc import Mapping
from pathlib import Path

from store.formats.port import Format
from store.formats.transcripts.format import FORMAT
from tests.store.formats.contract import Damage, FormatContract
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    healthy,
    read,
    together,
)

TRANSCRIPT = f"{SLUG}/{SESSION}.jsonl"


def half_a_line(store: Path) -> str:
    raw = (store / TRANSCRIPT).read_bytes()
    (store / TRANSCRIPT).write_bytes(raw[: len(raw) // 2] + b"\n" + raw)
    return TRANSCRIPT


def nothing_but_noughts(store: Path) -> str:
    (store / TRANSCRIPT).write_bytes(b"\0" * 4096 + b"\n" + b"{}\n" * 100)
    return TRANSCRIPT


def another_program(store: Path) -> str:
    (store / TRANSCRIPT).write_bytes(b'{"type":"event_msg","payload":{}}\n' * 100)
    return TRANSCRIPT


class TestTranscripts(FormatContract):
    trap = f"{SLUG}/trap.jsonl"
    damages: Mapping[str, Damage] = {
        "half a line": half_a_line,
        "nothing but NULs": nothing_but_noughts,
        "lines of another program": another_program,
    }

    @property
    def format(self) -> Format:
        return FORMAT

    def make(self, folder: Path) -> Mapping[str, int]:
        return healthy(folder)

    def test_a_growing_source_is_read_on_from_where_it_ended(self, store: Path) -> None:
        """As in the contract, but messages and counts come in parts."""
        for path in [s.path for s in self.sources(store) if s.grows]:
            raw = self.bytes_of(store, path)
            whole = read(store / path, store)
            for cut in [at for at in range(1, len(raw)) if raw[at - 1 : at] == b"\n"]:
                self.put(store, path, raw[:cut])
                before = read(store / path, store)
                self.put(store, path, raw)
                after = read(store / path, store, before.mark)
                assert 0 < before.mark.offset <= cut
                assert together([before, after]) == whole
