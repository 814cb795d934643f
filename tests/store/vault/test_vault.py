"""Conversations in the vault stay, byte for byte, whatever happens to the originals."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import Keeping
from store.discover import beneath
from store.errors import NotPossibleError, UnreadableError
from store.formats.register import FORMATS
from store.formats.transcripts.format import FORMAT
from store.machine import NotWrittenError, Places
from store.vault.storage import Source
from store.vault.vault import Vault, endangered
from tests.examples import examples

SID = "4eb362e5-aaaa-4bbb-8ccc-0123456789ab"
OTHER = "5eb362e5-aaaa-4bbb-8ccc-0123456789ab"
SLUG = "-home-zoe-src-kilnbook"
PATH = f"{SLUG}/{SID}.jsonl"
NOW = 1_790_000_000_000_000
DAY = 86_400_000_000


def line(text: str, session: str = SID) -> bytes:
    about = {
        "type": "user",
        "uuid": text,
        "sessionId": session,
        "timestamp": "2026-04-30T18:27:10.311Z",
        "message": {"role": "user", "content": text},
    }
    return json.dumps(about).encode() + b"\n"


def put(file: Path, *lines: bytes) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"".join(lines))
    return file


@pytest.fixture
def store(tmp_path: Path) -> Path:
    store = tmp_path / ".claude" / "projects"
    put(store / PATH, line("first"), line("second"))
    put(store / SLUG / SID / "subagents" / "agent-a1.jsonl", line("agent"))
    put(store / SLUG / SID / "tool-results" / "long.txt", b"long output\n")
    put(store / SLUG / "agent-0b0b0b0b.jsonl", line("old agent"))
    put(store / SLUG / "agent-0c0c0c0c.jsonl", line("another's", OTHER))
    put(store / SLUG / f"{OTHER}.jsonl", line("other", OTHER))
    return store


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(Places(tmp_path / "cache", tmp_path / "state", tmp_path / "config"))


def remove_session(store: Path) -> None:
    """Delete a session, as the agent's clean-up does."""
    for file in [store / PATH, *(store / SLUG / SID).rglob("*")]:
        if file.is_file():
            file.unlink()
    (store / SLUG / "agent-0b0b0b0b.jsonl").unlink()


def tree(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_a_session_is_saved_with_everything_that_belongs_to_it(
    store: Path, vault: Vault
) -> None:
    before = tree(store)

    kept = vault.keep(store, PATH, NOW, "The kiln")

    assert [file.source.path for file in kept.files] == [
        PATH,
        f"{SLUG}/{SID}/subagents/agent-a1.jsonl",
        f"{SLUG}/{SID}/tool-results/long.txt",
        f"{SLUG}/agent-0b0b0b0b.jsonl",
    ]
    assert (kept.title, kept.session, kept.at) == ("The kiln", SID, NOW)
    assert vault.of(store, PATH)
    assert vault.of(store, f"{SLUG}/{SID}/subagents/agent-a1.jsonl")
    assert not vault.of(store, f"{SLUG}/{OTHER}.jsonl")
    assert vault.verify() == []
    assert tree(store) == before
    assert not vault.folder.exists()


def test_the_vault_is_private(store: Path, vault: Vault, tmp_path: Path) -> None:
    vault.keep(store, PATH, NOW)
    remove_session(store)
    vault.settle()

    home = tmp_path / "state" / "vault"
    modes = {file.stat().st_mode & 0o777 for file in home.rglob("*") if file.is_file()}
    folders = {home, *(one for one in home.rglob("*") if one.is_dir())}
    assert modes == {0o600}
    assert {folder.stat().st_mode & 0o777 for folder in folders} == {0o700}


def test_conversations_without_originals_are_a_store_of_transcripts(
    store: Path, vault: Vault
) -> None:
    before = tree(store)
    vault.keep(store, PATH, NOW)
    remove_session(store)
    assert [one.session for one in vault.rescued()] == [SID]

    assert vault.laid_out() == vault.folder

    laid = tree(vault.folder)
    assert laid == {path: before[path] for path in laid}
    assert set(laid) == set(before) - set(tree(store))
    (found,) = beneath([vault.folder], FORMATS).stores
    assert found.format.name == "transcripts"
    with FORMAT.open(vault.folder) as opened:
        assert PATH in {one.path for one in opened.scan()}
    assert vault.of(vault.folder, PATH)
    with pytest.raises(NotPossibleError, match=r"Already in the vault\."):
        vault.keep(vault.folder, PATH, NOW)


def test_a_conversation_whose_original_returned_is_not_found_twice(
    store: Path, vault: Vault
) -> None:
    before = tree(store)
    vault.keep(store, PATH, NOW)
    remove_session(store)
    vault.settle()
    for path, raw in before.items():
        put(store / path, raw)

    vault.settle()

    assert not vault.folder.exists()


def test_a_grown_transcript_is_saved_again_and_only_once(
    store: Path, vault: Vault, tmp_path: Path
) -> None:
    vault.keep(store, PATH, NOW)
    with (store / PATH).open("ab") as file:
        file.write(line("third"))
    assert vault.standing() == [(Source(str(store), PATH), Keeping.EARLIER)]

    kept = vault.keep(store, PATH, NOW + DAY)

    assert len(kept.files[0].versions) == 1
    assert kept.files[0].newest.size == (store / PATH).stat().st_size
    assert vault.standing() == [(Source(str(store), PATH), Keeping.WHOLE)]
    objects = list((tmp_path / "state" / "vault" / "objects").rglob("*/*"))
    assert len(objects) == 4
    assert vault.verify() == []


def test_a_rewritten_transcript_is_saved_beside_the_old_version(
    store: Path, vault: Vault
) -> None:
    vault.keep(store, PATH, NOW)
    put(store / PATH, line("quite another"))

    kept = vault.keep(store, PATH, NOW + DAY)

    assert len(kept.files[0].versions) == 2
    assert vault.verify() == []
    remove_session(store)
    vault.settle()
    assert (vault.folder / PATH).read_bytes() == line("quite another")


def test_an_unchanged_transcript_is_not_saved_again(
    store: Path, vault: Vault, tmp_path: Path
) -> None:
    first = vault.keep(store, PATH, NOW)
    before = tree(tmp_path / "state")

    assert vault.keep(store, PATH, NOW + DAY) == first
    assert tree(tmp_path / "state") == before


def test_releasing_leaves_nothing_behind(
    store: Path, vault: Vault, tmp_path: Path
) -> None:
    vault.keep(store, PATH, NOW)
    vault.keep(store, f"{SLUG}/{OTHER}.jsonl", NOW)
    remove_session(store)
    vault.settle()

    vault.release(vault.folder, PATH, NOW)

    assert [one.session for one in vault.kept()] == [OTHER]
    assert not vault.folder.exists()
    objects = list((tmp_path / "state" / "vault" / "objects").rglob("*/*"))
    assert len(objects) == 2
    with pytest.raises(NotPossibleError, match=r"Not in the vault\."):
        vault.release(store, PATH, NOW)


@pytest.mark.parametrize(
    ("left", "why"),
    [
        (0, "The copy is missing."),
        (1, "Only 1 of 356 bytes are there."),
        (None, "The content has changed."),
    ],
)
def test_damage_is_reported(
    store: Path, vault: Vault, tmp_path: Path, left: int | None, why: str
) -> None:
    kept = vault.keep(store, PATH, NOW)
    digest = kept.files[0].newest.digest
    (hit,) = (tmp_path / "state" / "vault" / "objects").rglob(digest)
    hit.write_bytes(b"x" * (hit.stat().st_size if left is None else left))
    if left == 0:
        hit.unlink()

    (told,) = vault.verify()

    assert told.source.path == PATH
    assert why in told.message


def test_a_growing_transcript_is_copied_as_of_one_moment(
    store: Path, vault: Vault
) -> None:
    file, stop = store / PATH, Event()

    def write_on() -> None:
        with file.open("ab", buffering=0) as opened:
            for number in count():
                opened.write(line(f"{number}"))
                if stop.is_set():
                    return

    with ThreadPoolExecutor() as threads:
        writing = threads.submit(write_on)
        for at in range(5):
            vault.keep(store, PATH, NOW + at)
        stop.set()
        writing.result()

    (version,) = vault.kept()[0].files[0].versions
    file.write_bytes(file.read_bytes()[: version.size])
    assert vault.keep(store, PATH, NOW).files[0].versions[0].digest == version.digest
    assert vault.verify() == []


def test_two_stores_do_not_mix(store: Path, vault: Vault, tmp_path: Path) -> None:
    other = tmp_path / "else" / "projects"
    put(other / PATH, line("theirs"))
    vault.keep(store, PATH, NOW)
    vault.keep(other, PATH, NOW)
    remove_session(store)
    (other / PATH).unlink()
    vault.settle()

    said = [
        raw for path, raw in tree(vault.folder).items() if path.endswith(f"{SID}.jsonl")
    ]
    assert sorted(said) == sorted([line("first") + line("second"), line("theirs")])


def test_a_truncated_line_is_skipped(store: Path, vault: Vault, tmp_path: Path) -> None:
    vault.keep(store, PATH, NOW)
    manifest = tmp_path / "state" / "vault" / "manifest.jsonl"
    with manifest.open("ab") as file:
        file.write(b'{"kept": 1, "store": "/x", "sess')

    vault.keep(store, f"{SLUG}/{OTHER}.jsonl", NOW)

    assert {one.session for one in vault.kept()} == {SID, OTHER}
    assert vault.verify() == []


def test_an_unreadable_line_is_reported_and_nothing_is_dropped(
    store: Path, vault: Vault, tmp_path: Path
) -> None:
    kept = vault.keep(store, PATH, NOW)
    other = vault.keep(store, f"{SLUG}/{OTHER}.jsonl", NOW)
    home = tmp_path / "state" / "vault"
    whole = (home / "manifest.jsonl").read_bytes()
    (home / "manifest.jsonl").write_bytes(b"?" + whole[1:])

    vault.release(store, f"{SLUG}/{OTHER}.jsonl", NOW)
    (told,) = vault.verify()

    assert (told.source.file, told.message[:6]) == (home / "manifest.jsonl", "Line 1")
    there = {file.name for file in (home / "objects").rglob("*") if file.is_file()}
    assert there == {file.newest.digest for file in kept.files}
    assert other.files[0].newest.digest not in there


def test_names_of_any_bytes_work(store: Path, vault: Vault) -> None:
    name = os.fsdecode(b"caf\xe9")
    put(store / name / f"{SID}.jsonl", line("x"))

    vault.keep(store, f"{name}/{SID}.jsonl", NOW)

    assert vault.of(store, f"{name}/{SID}.jsonl")
    (store / name / f"{SID}.jsonl").unlink()
    vault.settle()
    assert (vault.folder / name / f"{SID}.jsonl").read_bytes() == line("x")


def test_a_failure_to_save_gives_its_reason(store: Path, vault: Vault) -> None:
    with pytest.raises(UnreadableError, match="does not exist"):
        vault.keep(store, f"{SLUG}/none.jsonl", NOW)
    assert vault.kept() == []
    assert vault.laid_out() is None


def test_an_unwritable_vault_is_reported(
    store: Path, vault: Vault, tmp_path: Path
) -> None:
    put(tmp_path / "state" / "vault" / "objects", b"in the way")
    with pytest.raises(NotWrittenError, match="Can't write the vault"):
        vault.keep(store, PATH, NOW)


def test_the_next_to_expire_are_listed_soonest_first(store: Path) -> None:
    for path, days in ((PATH, 29), (f"{SLUG}/{OTHER}.jsonl", 31)):
        written = (NOW - days * DAY) * 1000
        os.utime(store / path, ns=(written, written))
    for name in ("agent-0b0b0b0b.jsonl", "agent-0c0c0c0c.jsonl"):
        os.utime(store / SLUG / name, ns=(NOW * 1000, NOW * 1000))

    assert [one.source.path for one in endangered(store, NOW)] == [
        f"{SLUG}/{OTHER}.jsonl"
    ]
    soon = endangered(store, NOW + 7 * DAY)
    assert [(one.source.path, one.removed_at) for one in soon] == [
        (f"{SLUG}/{OTHER}.jsonl", NOW - DAY),
        (PATH, NOW + DAY),
    ]
    put(store.parent / "settings.json", b'{"cleanupPeriodDays": 365}')
    assert endangered(store, NOW + 7 * DAY) == []


def test_without_clean_up_nothing_is_endangered(tmp_path: Path) -> None:
    put(tmp_path / "mine" / PATH, line("x"))
    assert endangered(tmp_path / "mine", NOW * 10) == []


@examples(40, keeps_fixtures=True)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["grow", "rewrite", "keep"]), st.binary(max_size=20)),
        max_size=8,
    )
)
def test_every_saved_version_can_be_read_again(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, bytes]]
) -> None:
    base = tmp_path_factory.mktemp("vault")
    store = base / "projects"
    put(store / PATH, b"begin")
    vault = Vault(Places(base / "c", base / "s", base / "g"))
    said: list[bytes] = []
    for at, (step, raw) in enumerate(steps):
        file = store / PATH
        if step == "grow":
            file.write_bytes(file.read_bytes() + raw)
        elif step == "rewrite":
            file.write_bytes(raw)
        else:
            vault.keep(store, PATH, NOW + at)
            said.append(file.read_bytes())

    held = [
        (base / "s" / "vault" / "objects" / one.digest[:2] / one.digest).read_bytes()
        for kept in vault.kept()
        for one in kept.files[0].versions
    ]
    assert all(any(one.startswith(raw) for one in held) for raw in said)
    assert held[-1:] == said[-1:]
    assert vault.verify() == []
