"""The processes that a process has started."""

import os
import select
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.tui.browser.live.conftest import DEADLINE


def readers(process: int) -> list[int]:
    """Its children that read stores, without those of other tests."""
    return [child for child in children(process) if b"sync" in _command(child)]


def _command(process: int) -> bytes:
    """The command line of a process; empty once it is gone."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def children(process: int) -> list[int]:
    """Living and zombie children; threads may end while they are listed."""
    tasks = Path(f"/proc/{process}/task")
    if not tasks.is_dir():
        pytest.skip("this system does not list a process's children")
    found: list[int] = []
    for task in tasks.iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, task.joinpath("children").read_text().split())
    return found


def kill(process: int) -> None:
    """End it like a crash."""
    os.kill(process, signal.SIGKILL)


def ends(process: int) -> bool:
    """Whether a process ends before the deadline."""
    if not hasattr(os, "pidfd_open"):
        pytest.skip("this system has no way to wait for somebody else's child")
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], DEADLINE)[0])
    finally:
        os.close(handle)
