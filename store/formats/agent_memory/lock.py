"""`.lock`: whether a writer is at work or left it behind. It is only looked at."""

from datetime import UTC, datetime

from store.files.lock_holder import STALE, is_alive, pid_of
from store.findings import Flaw, Severity


def judge(raw: bytes, written: int, now: int) -> Flaw:
    """What to say of a lock that was written at one time and is seen at another.

    It is stale if it is old and its writer is gone, or never said who it was; nobody
    is known to be gone who cannot be told.
    """
    old = now - written > STALE * 1_000_000_000
    since = datetime.fromtimestamp(written // 1_000_000_000, UTC)
    told = f"{since:%Y-%m-%dT%H:%M:%SZ}"
    if not raw.strip():
        who, gone = "a writer that does not say who it is", old
    else:
        pid = pid_of(raw)
        alive = pid is None or is_alive(pid)
        who = "a writer that cannot be told" if pid is None else f"process {pid}"
        gone = old and not alive
    if gone:
        message = f"The lock was left behind by {who}, on {told}."
        return Flaw(code="stale-lock", message=message, severity=Severity.NOTE)
    message = f"The store is locked by {who}, since {told}."
    return Flaw(code="locked", message=message, severity=Severity.NOTE)
