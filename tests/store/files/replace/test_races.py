"""Another program renames its files over ours while we change them.

It writes a number, each time one more, and checks that its number is still there. What
we write keeps the number that we read.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from store.files.replace import Hooks, Replacement
from store.files.replace import swap as swap_carefully
from store.files.writable import BusyError, ForeignError, WritableRoot
from tests.store.files.replace.writable import TEMP

TIMES = int(os.environ.get("RECOLLECT_TEST_RENAMES", "800"))
OFTEN = 100 * TIMES
"""How often it writes at most until a naive writer loses one: both may happen to run in
turns for a while, as they do on one core."""
LOOKS = 20_000
"""How often it looks: a file that is to be given back is gone for an instant."""

Swap = Callable[[WritableRoot, bytes, bytes], None]


def carefully(writable: WritableRoot, before: bytes, after: bytes) -> None:
    hooks = Hooks(lambda folder, name: os.unlink(name, dir_fd=folder), lambda: None)
    wanted = Replacement(writable.spot("a.md"), TEMP, before, after)
    with suppress(ForeignError, BusyError):
        swap_carefully(wanted, hooks)


def by_renaming(writable: WritableRoot, before: bytes, after: bytes) -> None:
    """The usual way: compare, write beside, rename."""
    path = writable.path / "a.md"
    new = writable.path / TEMP
    if path.read_bytes() == before:
        new.write_bytes(after)
        new.replace(path)


@pytest.mark.parametrize("swap", [carefully, by_renaming])
def test_only_naive_writers_lose_what_another_program_wrote(
    swap: Swap, root: Path
) -> None:
    (root / "a.md").write_bytes(b"0 \n")
    times = TIMES if swap is carefully else OFTEN
    child = os.fork()
    if not child:
        try:
            os._exit(_keeps_its_numbers(root / "a.md", times))
        finally:
            os._exit(9)

    done, status = 0, 0
    with WritableRoot(root) as writable:
        while not done:
            raw = (root / "a.md").read_bytes()
            marked = raw[:-2] + (b"!\n" if raw.endswith(b" \n") else b" \n")
            swap(writable, raw, marked)
            done, status = os.waitpid(child, os.WNOHANG)

    assert os.waitstatus_to_exitcode(status) == (swap is carefully)
    assert [path.name for path in root.iterdir()] == ["a.md"]


def _keeps_its_numbers(path: Path, times: int) -> bool:
    """Whether each of its numbers was still there."""
    new = path.with_name("theirs.md")
    for number in range(1, times + 1):
        new.write_bytes(b"%d \n" % number)
        new.replace(path)
        if not any(_number(path) == number for _ in range(LOOKS)):
            return False
    return True


def _number(path: Path) -> int:
    return int(path.read_bytes()[:-2])
