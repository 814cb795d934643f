"""Whatever fails while the vault is written, saved data stays and is reported truly."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from store.errors import RecollectError
from store.machine import Places
from store.vault.vault import Vault
from tests.store.edits.campaign.shim import Fault, Shim
from tests.store.vault.test_vault import NOW, OTHER, PATH, SLUG, line, put

STRIDE = int(os.environ.get("RECOLLECT_TEST_STRIDE", "61"))
FILES = (PATH, f"{SLUG}/{PATH[len(SLUG) + 1 : -6]}/subagents/agent-a1.jsonl")
KEPT_BEFORE = f"{SLUG}/{OTHER}.jsonl"


class Keeping:
    """A vault with one session, and another session to save."""

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        self.store = folder / "projects"
        for number, path in enumerate((*FILES, KEPT_BEFORE)):
            put(self.store / path, line(f"{number}"))
        own = (folder / name for name in ("cache", "state", "config"))
        self.vault = Vault(Places(*own))
        self.vault.keep(self.store, KEPT_BEFORE, NOW)

    def new(self) -> None:
        """A vault without this session."""

    def grown(self) -> None:
        self.keep()
        with (self.store / PATH).open("ab") as file:
            file.write(line("more"))

    def keep(self) -> None:
        self.vault.keep(self.store, PATH, NOW + 1)

    def release(self) -> None:
        self.vault.release(self.store, PATH, NOW + 1)

    def faults(self) -> list[str]:
        """The current faults."""
        wrong = [damage.message for damage in self.vault.verify()]
        if not self.vault.of(self.store, KEPT_BEFORE):
            wrong.append("what was kept before is lost")
        return wrong

    def is_whole(self) -> bool:
        """Whether the current content of each file of the session is saved."""
        kept = self.vault.of(self.store, PATH)
        newest = {f.source.path: f.newest.size for f in kept.files} if kept else {}
        return newest == {p: (self.store / p).stat().st_size for p in FILES}


@pytest.mark.parametrize("before", [Keeping.new, Keeping.grown])
def test_a_session_reported_as_saved_is_saved_completely(
    before: Callable[[Keeping], None], tmp_path: Path
) -> None:
    wrong: list[str] = []

    for shift, fault in enumerate(Fault):
        for at in range(1 + shift * STRIDE // len(Fault), 110, STRIDE):
            keeping = Keeping(tmp_path / "at")
            before(keeping)
            is_told = attempted(keeping.keep, Shim(at, fault))
            wrong += [f"{fault.name} at {at}: {one}" for one in keeping.faults()]
            if is_told and not keeping.is_whole():
                wrong.append(f"{fault.name} at {at}: told, and not whole")
            keeping.keep()
            if not keeping.is_whole() or keeping.faults():
                wrong.append(f"{fault.name} at {at}: it cannot be kept any more")

    assert wrong == []


def test_a_release_harms_nothing_else(tmp_path: Path) -> None:
    wrong: list[str] = []

    for fault in Fault:
        for at in range(1, 40, max(STRIDE // 7, 1)):
            keeping = Keeping(tmp_path / "at")
            keeping.keep()
            is_told = attempted(keeping.release, Shim(at, fault))
            wrong += [f"{fault.name} at {at}: {one}" for one in keeping.faults()]
            if is_told and keeping.vault.of(keeping.store, PATH):
                wrong.append(f"{fault.name} at {at}: told, and still kept")

    assert wrong == []


def test_an_unreadable_session_is_not_reported_as_saved(tmp_path: Path) -> None:
    keeping = Keeping(tmp_path / "at")
    folder = (keeping.store / FILES[1]).parent
    deep = folder.joinpath(*"abcdefghij")
    put(deep / "file", b"x")

    with pytest.raises(RecollectError):
        keeping.keep()

    assert not keeping.vault.of(keeping.store, PATH)


def attempted(act: Callable[[], None], shim: Shim) -> bool:
    """Run something in another process; returns whether it reports success."""
    if not (child := os.fork()):
        shim.install()
        try:
            act()
        except RecollectError:
            os._exit(1)
        except BaseException:  # noqa: BLE001  # whatever else: it is told apart
            os._exit(2)
        os._exit(0)
    end = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert end != 2  # see above
    return end == 0
