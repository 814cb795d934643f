"""Without room for its index the browser uses a temporary one."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.edits.campaign.test_space import fill_up
from tests.tui.browser.changes.test_in_a_terminal import sitting
from tests.tui.browser.changes.test_in_a_terminal import store as store  # noqa: PLC0414  # a fixture


@pytest.fixture
def disk(store: Path) -> Iterator[Path]:
    """A small disk for the index alone."""
    del store
    folder = Path(os.environ["XDG_CACHE_HOME"], "recollect")
    folder.mkdir(parents=True)
    options = ["-t", "tmpfs", "-o", "size=8m,mode=0700", "none", str(folder)]
    mounted = subprocess.run(["mount", *options], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("disks may not be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_change_is_made_shown_and_undone_on_a_full_disk(
    store: Path, disk: Path
) -> None:
    first = (store / "graph/fixes/memory-3.md").read_bytes()
    with sitting(store, "16/16") as at:
        at.press("!", "Edits allowed", " RW")
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        fill_up(disk, 0)

        at.press("p", "Saved, but the index is out of date.")
        assert (store / "vault/memory-3.md").read_bytes() == first
        at.press("", "vault", "live", "1/16 ·")

        at.press("u", "undone: pin")
        assert (store / "graph/fixes/memory-3.md").read_bytes() == first
        at.press("\x07", "16/16")
