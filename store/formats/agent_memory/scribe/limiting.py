"""What is done at a limit: nothing more is written, or what is old is put away."""

from collections.abc import Callable, Sequence

from store.edits.refusals import NotPossibleError
from store.formats.agent_memory.due import due, least_used
from store.formats.agent_memory.layout import KINDS, is_archive, kind_of
from store.formats.agent_memory.limits import BYTES, IS_HARD
from store.formats.agent_memory.scribe.held import LinesFile
from store.formats.agent_memory.scribe.indexing import taken_now
from store.formats.agent_memory.scribe.putting import put_away
from store.formats.agent_memory.scribe.work import Work
from store.formats.agent_memory.taken import Kept, Taken

_NAMED = 3
_MEGABYTE = 1024 * 1024

_SURVEYED = 4 * _MEGABYTE
"""How large a file may be so that the least used of it are sought for a warning."""

_SMALLEST = len(b'{"id":1}')
_GLUED = (b"}{", b"} {")


def keep_within(work: Work, now: Callable[[], Taken], touched: Sequence[str]) -> None:
    """See to it that no file grows beyond its limit; raises NotPossibleError.

    At a soft limit what is due is put away with the change, as far as needed.
    """
    for kind in KINDS:
        for path in touched:
            if _is_live(path, kind) and _grows(work, path):
                _keep_within(work, now, kind, path)


def relieve(work: Work, kind: str, path: str) -> None:
    """Put away what makes a file too full: what is due first, then the least used."""
    before = taken_now(work)
    old = [one.kept for one in due(before, work.now) if one.kept.path == path]
    told = {id(one.memory) for one in old}
    rest = [
        one
        for one in least_used(before, kind)
        if one.path == path and id(one.memory) not in told
    ]
    _put_old_away(work, [*old, *rest], kind, path)


def _keep_within(work: Work, now: Callable[[], Taken], kind: str, path: str) -> None:
    if not _is_over(work, kind, path):
        return
    archives = not IS_HARD[kind] and work.limits.enable_auto_archival
    if not IS_HARD[kind] and not archives and work.size(path) > _SURVEYED:
        work.warnings.append(_sentence(work, kind, path))
        return
    before = now()
    if archives:
        old = [one.kept for one in due(before, work.now) if one.kept.path == path]
        _put_old_away(work, old, kind, path)
    if not _is_over(work, kind, path):
        return
    least = _named(least_used(before, kind))
    sentence = f"{_sentence(work, kind, path)} The least used: {least}."
    if IS_HARD[kind]:
        raise NotPossibleError(f"{sentence} Put some away first.")
    work.warnings.append(sentence)


def _sentence(work: Work, kind: str, path: str) -> str:
    most = f"{work.limits.most(kind)} memories in {BYTES[kind]} bytes"
    return f"{path} may hold {most}, and would hold more."


def _put_old_away(work: Work, old: Sequence[Kept], kind: str, path: str) -> None:
    """Put away as many, in their order, as makes room."""
    too_many, too_large = _too_much(work, kind, path)
    lines = {one.memory.line for one in old}
    held = {one.line: one for one in work.file(path).held() if one.line in lines}
    chosen: list[Kept] = []
    for one in old:
        if len(chosen) >= too_many and too_large <= 0:
            break
        chosen.append(one)
        too_large -= len(work.file(path).raw(held[one.memory.line or 0]))
    if chosen:
        put_away(work, [held[one.memory.line or 0] for one in chosen])
        sentence = f"{path} is at its limit, so what is old is put away: "
        work.warnings.append(f"{sentence}{_named(chosen)}.")


def _is_over(work: Work, kind: str, path: str) -> bool:
    """Whether a file would hold too much; told by its size alone where that says it."""
    most, size = work.limits.most(kind), work.size(path)
    if size > BYTES[kind]:
        return True
    return (
        size // _SMALLEST > most
        and _at_most(work.after(path)) > most
        and (_too_much(work, kind, path)[0] > 0)
    )


def _too_much(work: Work, kind: str, path: str) -> tuple[int, int]:
    """How many memories, and how many bytes, a file would hold beyond its limit."""
    after = work.after(path)
    memories = len(LinesFile(path, after).held())
    return memories - work.limits.most(kind), len(after) - BYTES[kind]


def _at_most(raw: bytes) -> int:
    """No more memories than that are in some bytes: one a line, and what is glued."""
    return raw.count(b"\n") + 1 + sum(map(raw.count, _GLUED))


def _grows(work: Work, path: str) -> bool:
    if path in work.grown:
        return True
    if path not in work.files:
        return False
    file = work.files[path]
    return len(file.after) > len(file.before or b"")


def _is_live(path: str, kind: str) -> bool:
    return kind_of(path) == kind and not is_archive(path)


def _named(memories: Sequence[Kept]) -> str:
    told = [f"“{one.memory.title}”" for one in memories[:_NAMED]]
    more = len(memories) - _NAMED
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")
