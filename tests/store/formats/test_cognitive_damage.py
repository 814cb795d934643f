"""A store in which every tenth memory is damaged, each in another way."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files.beneath import Blob, Stamp
from store.findings import Findings, Flaw
from store.formats.cognitive.format import FORMAT
from store.formats.cognitive.memories import read_edge, read_memory
from store.formats.cognitive.pages import read_core, read_episodes, read_reflection
from store.formats.port import Refused
from tests.store.formats.cognitive_stores import (
    CORE,
    DROPS,
    EPISODES,
    REFLECTION,
    STEPS,
    edge_text,
    memory_text,
    relation_text,
    write,
)

EVERY = 10
SAMPLES = (
    memory_text(more=relation_text(DROPS, "outgoing") + STEPS, body="See [[it]].\n"),
    edge_text(),
    EPISODES,
    CORE,
    REFLECTION,
)
READERS = (read_memory, read_edge, read_episodes, read_core, read_reflection)


def overwritten(text: str | bytes) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    return damage


def replaced(old: str, new: str) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    return damage


def torn(file: Path) -> None:
    raw = file.read_bytes()
    file.write_bytes(raw[: raw.index(b"importance")])


def in_utf16(file: Path) -> None:
    file.write_bytes(file.read_text().encode("utf-16"))


def endless(file: Path) -> None:
    os.truncate(file, 1 << 40)


def a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def a_link_out(file: Path) -> None:
    file.unlink()
    file.symlink_to("/etc/hostname")


def a_dangling_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("gone.md")


DAMAGES: Mapping[str, tuple[Callable[[Path], None], int | None]] = {
    "empty": (overwritten(b""), None),
    "binary": (overwritten(bytes(range(256)) * 4), None),
    "NUL bytes": (overwritten(b"\0" * 512), None),
    "torn in the header": (torn, 1),
    "UTF-16": (in_utf16, None),
    "endless": (endless, None),
    "a pipe": (a_pipe, None),
    "a folder": (a_folder, None),
    "a link out": (a_link_out, None),
    "a dangling link": (a_dangling_link, None),
    "only dashes": (overwritten("---\n"), 1),
    "unclosed list": (replaced("[redis, timeout]", "[redis, timeout"), None),
    "unclosed quote": (replaced('timeouts"', "timeouts"), None),
    "tab": (replaced("tags:", "\ttags:"), None),
    "alias bomb": (replaced("tags: [redis", "tags: &a [*a, redis"), None),
    "object": (replaced("tags: [redis", "tags: !!python/name:os [redis"), None),
    "nested": (replaced("tags: [redis", f"tags: {'[' * 5000}redis"), None),
    "title is a list": (replaced('"Fixed timeouts"', "[Fixed]"), 4),
    "importance is a word": (replaced("importance: 0.8", "importance: high"), 6),
    "created is no time": (replaced("2025-12-06T16:25:58", "yesterday"), 8),
    "two ids": (replaced("type: fix", "id: other\ntype: fix"), 3),
    "id is gone": (replaced("id: ", "ID: "), None),
    "merge conflict": (replaced("type: fix", "<<<<<<< HEAD\ntype: fix"), None),
}


def path_of(number: int) -> str:
    return f"graph/fixes/memory-{number:04d}-000000.md"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Findings]:
    """The findings of each file; a refusal counts as findings."""
    root = tmp_path_factory.mktemp("damaged")
    for number in range(len(DAMAGES) * EVERY):
        text = memory_text(str(UUID(int=number)), "fix", "Fixed timeouts")
        write(root, path_of(number), text)
    for number, (damage, _) in enumerate(DAMAGES.values()):
        damage(root / path_of(number * EVERY))
    with FORMAT.open(root) as store:
        return {
            entry.path: Findings(flaws=(entry.flaw,))
            if isinstance(entry, Refused)
            else store.read(entry)
            for entry in store.scan()
        }


def test_every_file_is_found_or_refused(found: Mapping[str, Findings]) -> None:
    assert set(found) == {path_of(n) for n in range(len(DAMAGES) * EVERY)}


def test_every_healthy_memory_is_complete(found: Mapping[str, Findings]) -> None:
    healthy = [n for n in range(len(DAMAGES) * EVERY) if n % EVERY]
    assert len(healthy) == len(DAMAGES) * (EVERY - 1)
    for number in healthy:
        (memory,) = found[path_of(number)].memories
        assert memory.id == str(UUID(int=number))
        assert found[path_of(number)].flaws == ()


@pytest.mark.parametrize("name", DAMAGES)
def test_every_damaged_memory_has_its_flaw(
    found: Mapping[str, Findings], name: str
) -> None:
    number = list(DAMAGES).index(name) * EVERY
    line = DAMAGES[name][1]
    flaws: tuple[Flaw, ...] = found[path_of(number)].flaws
    assert flaws
    assert all(flaw.message for flaw in flaws)
    assert line is None or line in {flaw.line for flaw in flaws}


@st.composite
def spliced(draw: st.DrawFn) -> bytes:
    """A page with some of its bytes replaced by others."""
    raw = draw(st.sampled_from(SAMPLES)).encode()
    start, end = sorted(draw(st.tuples(*[st.integers(0, len(raw))] * 2)))
    return raw[:start] + draw(st.binary() | st.text().map(str.encode)) + raw[end:]


@given(spliced() | st.binary(), st.booleans())
def test_no_bytes_are_too_odd(raw: bytes, whole: bool) -> None:  # noqa: FBT001 - drawn
    blob = Blob(raw, Stamp(len(raw), 0, 0), whole)
    for reader in READERS:
        findings = reader("graph/fixes/a.md", blob)
        assert all(flaw.code and flaw.message for flaw in findings.flaws)
        assert whole or findings.flaws
