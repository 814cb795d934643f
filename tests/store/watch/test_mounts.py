"""File systems that change without notice."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.watch import Mount, is_untold, mounts, understood

LIST = r"""
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:25 / /home/zoe/far\040away rw shared:9 master:2 - nfs4 host:/export rw
31 22 0:26 / /mnt/box rw - fuse.sshfs zoe@box: rw
32 31 8:2 / /mnt/box/local rw - ext4 /dev/sdb1 rw
33 22 8:3 / /twice rw - nfs4 host:/old rw
34 22 8:3 / /twice rw - ext4 /dev/sdc1 rw
torn
"""


@pytest.mark.parametrize(
    ("folder", "untold"),
    [
        ("/home/zoe/.claude/projects", False),
        ("/home/zoe/far away/notes", True),
        ("/home/zoe/far away", True),
        ("/home/zoe/far awayish", False),
        ("/mnt/box/notes", True),
        ("/mnt/box/local/notes", False),
        ("/twice/notes", False),
    ],
)
def test_network_and_virtual_file_systems_change_without_notice(
    folder: str, *, untold: bool
) -> None:
    assert is_untold(Path(folder), understood(LIST)) == untold


def test_unknown_file_systems_are_trusted() -> None:
    assert not is_untold(Path("/home/zoe"), [])


def test_the_root_of_this_machine_is_a_mount() -> None:
    found = mounts()
    if not found:
        pytest.skip("this system has no list of what is mounted")

    assert Path("/") in {mount.place for mount in found}


@given(st.text())
def test_no_mount_table_crashes_the_program(text: str) -> None:
    assert all(isinstance(mount, Mount) for mount in understood(text))
