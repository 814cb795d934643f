"""index.json brought along: where it agreed with the memories before, it does after."""

from collections.abc import Callable, Mapping

from store.edits.draft import FileStep
from store.errors import UnreadableError
from store.files.beneath import Root, Stamp
from store.files.json_document import DamagedJsonError, load_map
from store.files.jsonl import AtHand, read_lines, split_lines
from store.findings import Findings
from store.formats.agent_memory.document import is_document, read_document
from store.formats.agent_memory.layout import INDEX, Role, role_of
from store.formats.agent_memory.lines import memories_in
from store.formats.agent_memory.rebuilding import rebuild_index
from store.formats.agent_memory.scan import scan
from store.formats.agent_memory.scribe.turn import turn_of
from store.formats.agent_memory.scribe.work import LARGEST, Work
from store.formats.agent_memory.statistics import lists_of, statistics_of
from store.formats.agent_memory.taken import Taken
from store.formats.port import Source

_DISAGREED = "The index did not agree with the memories before; it is left as it is."


def index_step(
    work: Work,
    now: Callable[[], Taken],
    changed: Callable[[], Mapping[str, bytes | None]],
) -> FileStep | None:
    """The step that brings the index along; None where there is nothing to bring.

    Without an index nobody needs to know what all files hold, now and then.
    """
    raw = work.bytes_of(INDEX)
    if raw is None:
        return None
    before = now()
    after = taken_then(work, before, changed())
    if _tells_the_same(before, after):
        return None
    if not agrees(raw, before):
        work.warnings.append(_DISAGREED)
        return None
    turn = turn_of(before, after, work.now)
    return FileStep(path=INDEX, before=raw, after=turn.remake(raw), remake=turn.remake)


def agrees(raw: bytes, taken: Taken) -> bool:
    """Whether an index says what it would say if it were made anew."""
    text = raw.decode(errors="surrogateescape")
    try:
        anew = rebuild_index(text, taken).after
        return load_map(raw) == load_map(anew.encode(errors="surrogateescape"))
    except DamagedJsonError:
        return False


def taken_now(work: Work) -> Taken:
    """All memories of a store as they lie on the disk."""
    found = tuple(scan(work.root))
    read = {
        one.path: _read(work.root, one)
        for one in found
        if isinstance(one, Source) and one.role in {Role.LINES, Role.AGENT}
    }
    return Taken(found=found, read=read, index=None, limits=work.limits)


def taken_then(work: Work, now: Taken, changed: Mapping[str, bytes | None]) -> Taken:
    """The same where some files are other than on the disk, or gone."""
    found = {one.path: one for one in now.found if one.path not in changed}
    read = {path: one for path, one in now.read.items() if path not in changed}
    for path, raw in changed.items():
        role = role_of(path)
        if raw is not None and role and role in {Role.LINES, Role.AGENT}:
            found[path] = Source(path, role, Stamp(len(raw), 0, 0))
            read[path] = _understood(path, raw)
    return Taken(found=tuple(found.values()), read=read, index=None, limits=work.limits)


def _tells_the_same(before: Taken, after: Taken) -> bool:
    same = statistics_of(before) == statistics_of(after)
    return same and lists_of(before) == lists_of(after)


def _read(root: Root, source: Source) -> Findings:
    try:
        if source.role == Role.LINES:
            lines = read_lines(root, source.path)
            return memories_in(source.path, lines, is_checked=False).findings()
        return _understood(source.path, root.read(source.path, limit=LARGEST).raw)
    except UnreadableError:
        return Findings()


def _understood(path: str, raw: bytes) -> Findings:
    if role_of(path) is Role.LINES:
        lines = split_lines(AtHand(raw))
        return memories_in(path, lines, is_checked=False).findings()
    return read_document(raw).findings() if is_document(raw) else Findings()
