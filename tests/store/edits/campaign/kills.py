"""A real kill in the middle of a system call, by strace."""

import os
import shutil
import subprocess
import time
from pathlib import Path

CALLS = (
    "openat",
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "close",
    "renameat",
    "renameat2",
    "linkat",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "rmdir",
    "ftruncate",
    "fchmod",
)


def kill_at(call: str, number: int) -> None:
    """Have this process killed at its N-th call of a kind."""
    inject = f"inject={call}:signal=KILL:when={number}"
    subprocess.Popen(
        [
            *("strace", "-qq", "-o", "/dev/null", "-p", str(os.getpid())),
            *("-e", f"trace={call}", "-e", inject),
        ],
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 5
    while not _is_traced() and time.monotonic() < deadline:
        os.sched_yield()


def why_not() -> str | None:
    """Why strace cannot be used here; None where it can."""
    if not shutil.which("strace"):
        return "strace is not installed"
    child = os.fork()
    if not child:
        kill_at("fchmod", 1)
        os._exit(0 if _is_traced() else 1)
    _, status = os.waitpid(child, 0)
    return "processes may not be traced here" if status else None


def _is_traced() -> bool:
    lines = Path("/proc/self/status").read_text("ascii").split("\n")
    return any(
        line.startswith("TracerPid:") and not line.endswith("\t0") for line in lines
    )
