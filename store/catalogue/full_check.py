"""The full check: what needs all memories at once, or a look outside the store."""

import os
import re
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, cast

from store.catalogue.annotations import notice
from store.catalogue.checks import offer_fixes, share_rows
from store.catalogue.database import transaction
from store.catalogue.reader import Reader
from store.catalogue.similar import COPIES
from store.catalogue.sync import note_move
from store.catalogue.vectors import Own, own_vectors
from store.derive.memories import Fading, faded, stage
from store.discover import Found
from store.errors import UnreadableError
from store.files.beneath import Root
from store.findings import Severity
from store.formats.port import Vectors
from store.health import Complaint, quoted
from store.kinds.memories import FADED
from store.machine import Places
from store.records.answers import Double
from store.settings import Provider, read_settings
from store.times import clock

FULL = "full"
"""The origin of the problems that the full check finds."""

_ROWS = (
    "FROM memories JOIN sources ON sources.id = memories.source "
    "WHERE memories.store = ?"
)
_TEXTS = (
    "SELECT memories.ref, sources.path, memories.line, memories.title, "
    "coalesce(memories.description, ''), coalesce((SELECT bodies.text FROM bodies "
    "WHERE bodies.source = memories.source "
    "AND bodies.line = coalesce(memories.line, 0)), '') "
    f"{_ROWS} AND NOT memories.archived ORDER BY sources.path, memories.line"
)


_OF_VECTORS = (
    *("missing-vector", "stale-vector", "orphan-vector", "vector-length"),
    "vector-model",
)
CODES = frozenset({"core-outdated", "stale-score", *_OF_VECTORS})
"""The codes of those that can be fixed; only another full check finds them again."""


def check_fully(
    connection: sqlite3.Connection,
    found: Found,
    doubles: Iterable[Double],
    now: int,
    others: Iterable[Complaint] = (),
) -> None:
    """Replace what the last full check of a store found, as of a time.

    `others` are problems that were found elsewhere. Each is gone once its file is read
    again.
    """
    place = os.fsencode(found.path)
    row = connection.execute("SELECT id FROM stores WHERE path = ?", (place,))
    (store,) = row.fetchone()
    complaints = [
        *others,
        *_near_duplicates(doubles),
        *_of_texts(connection, store, found),
        *_cycles(connection, store),
        *_stale_scores(connection, store, now),
        *_open_to_others(connection, store, found.path),
        *_large(connection, store),
        *_tracked(connection, store, found.path),
        *_vectors(connection, store, found),
    ]
    with transaction(connection):
        connection.execute(
            "DELETE FROM problems WHERE store = ? AND origin = ?", (store, FULL)
        )
        connection.executemany(
            "INSERT INTO problems "
            "(store, origin, path, ref, code, severity, line, message, other, source) "
            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
            "(SELECT id FROM sources WHERE store = ?1 AND path = ?3))",
            [
                (
                    *(store, FULL, c.path, c.ref, c.code),
                    *(c.severity, c.line, c.message, c.other),
                )
                for c in complaints
            ],
        )
        share_rows(connection, store)
        offer_fixes(connection, store, found)
        notice(connection, store, clock())
        note_move(connection, place, {"problems"})


def _note(
    code: str,
    message: str,
    path: bytes,
    ref: str | None,
    line: int | None = None,
    other: str | None = None,
) -> Complaint:
    return Complaint(
        code=code,
        message=message,
        path=path,
        ref=ref,
        line=line,
        other=other,
        severity=Severity.NOTE,
    )


def _near_duplicates(doubles: Iterable[Double]) -> Iterator[Complaint]:
    """Each memory that says nearly the same as an earlier one.

    Those with the same id are reported as such.
    """
    found = list(doubles)
    titles = {one.memory.ref: one.memory.title for one in found}
    for one in found:
        memory, other = one.memory, one.nearest
        if memory.ref != one.of and one.why != COPIES:
            message = f"Nearly the same as {quoted(titles.get(other, other))}."
            path = os.fsencode(memory.path)
            yield _note("near-duplicate", message, path, memory.ref, memory.line, other)


# Rules in texts, such as «always use tabs», and the ones that contradict them.


class Rule(NamedTuple):
    """A sentence that says what to do, or not to do."""

    ref: str
    """The memory; empty for instructions that are not a memory."""
    title: str
    """Where it is said."""
    text: str
    """The sentence."""
    subject: frozenset[str]
    """The words of its subject."""
    value: str
    """What it wants for its subject: `yes`, `no`, or the words before «for»."""


_SENTENCE = re.compile(r"[^\n.;!?]{6,160}")
_NEVER = (
    r"never|do not|don't|must not|mustn't|should not|shouldn't|avoid|stop|no longer|"
    r"not allowed to"
)
_ALWAYS = r"always|must|should|prefer|do"
_RULE = re.compile(
    r"^\W*(?:we |you |please |\w+: )?"
    rf"(?:(?P<no>{_NEVER})|(?P<yes>{_ALWAYS}))\b(?P<what>.+)",
    re.IGNORECASE,
)
_USE = re.compile(
    r"^\W*(?:always |we |please )*use (?P<value>[\w`.+#-]+(?: [\w`.+#-]+)?) "
    r"for (?:the |all |any |our )?(?P<what>[^,(]+)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_EMPTY = frozenset(
    _WORD.findall(
        "a an the to of in on at for with and or any all every this that it its be is "
        "are please always never use using when if as by from into"
    )
)
_FEWEST_WORDS, _MOST_WORDS = 2, 9


def rules_in(ref: str, title: str, text: str) -> Iterator[Rule]:
    """The rules in a text."""
    for sentence in _SENTENCE.findall(text):
        used = _USE.match(sentence)
        if used:
            about = _subject(used["what"])
            if about:
                value = used["value"].strip("`").casefold()
                yield Rule(ref, title, sentence.strip(), about | {"use"}, value)
        said = _RULE.match(sentence)
        if said:
            about = _subject(said["what"])
            if _FEWEST_WORDS <= len(about) <= _MOST_WORDS:
                value = "no" if said["no"] else "yes"
                yield Rule(ref, title, sentence.strip(), about, value)


def _subject(text: str) -> frozenset[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(word for word in words if word not in _EMPTY)


def opposites(rules: Iterable[Rule]) -> Iterator[tuple[Rule, Rule]]:
    """Pairs of rules that want different things for one subject; each memory once."""
    first: dict[tuple[frozenset[str], bool], Rule] = {}
    told: set[tuple[str, str]] = set()
    for rule in rules:
        is_yes_or_no = rule.value in {"yes", "no"}
        other = first.setdefault((rule.subject, is_yes_or_no), rule)
        pair = (rule.ref, other.title)
        if not rule.ref or rule.ref == other.ref or rule.value == other.value:
            continue
        if pair not in told:
            told.add(pair)
            yield rule, other


# What texts say: rules against one another and against CLAUDE.md, files that are gone.

INSTRUCTIONS = "CLAUDE.md"
_LARGEST = 1 << 20

_FILE = re.compile(
    r"(?<![\w/:.~*])(~?/(?:[\w.@+-]{1,100}/){1,20}[\w.@+-]{1,100}\.\w{1,8})(?![\w/*{<])"
)
VOLATILE: tuple[str, ...] = ("/tmp/", "/var/tmp/")  # noqa: S108 - nothing is put there
"""Where files go by themselves."""

_SHOWN = 60
"""The most characters of a path in a message."""

_ELLIPSIS = "..."

_OPTIONAL = frozenset({"settings.json", "settings.local.json", "config.toml"})
"""Settings that exist only once something is set; texts name them all the same."""

_DEEP = 4
"""The parts of a path that must exist, so that it is about this machine."""


def _of_texts(
    connection: sqlite3.Connection, store: int, found: Found
) -> Iterator[Complaint]:
    rules = list(_instructions(connection, store, found))
    where: dict[str, tuple[bytes, int | None]] = {}
    for ref, path, line, title, description, body in connection.execute(
        _TEXTS, (store,)
    ):
        where[ref] = path, line
        rules += rules_in(ref, title, f"{title}\n{description}\n{body}")
        gone = dict.fromkeys(one for one in _FILE.findall(body) if _is_gone(one))
        if gone:
            listed = ", ".join(_end_of(one) for one in list(gone)[:3])
            yield _note("missing-file", f"No such file: {listed}.", path, ref, line)
    for one, other in opposites(rules):
        path, line = where[one.ref]
        message = f"{quoted(one.text)} contradicts {quoted(other.text)}"
        message += f" in {quoted(other.title)}."
        yield _note("contradiction", message, path, one.ref, line, other.ref or None)


def _end_of(path: str) -> str:
    """A path in quotes; a long one by its end, which says which file it is."""
    return quoted(path if len(path) <= _SHOWN else f"…{path[1 - _SHOWN :]}")


def _is_gone(written: str) -> bool:
    """Whether a path was one of this machine, by the folders that are still there.

    Everybody has a home, so there it is the file's own folder that must be there.
    """
    path = Path(written).expanduser()
    if _ELLIPSIS in path.parts or path.name in _OPTIONAL or os.path.lexists(path):
        return False
    if written.startswith("~"):
        return path.parent.is_dir() and path.parent != Path.home()
    above = next((one for one in path.parents if one.is_dir()), Path("/"))
    return len(above.parts) >= _DEEP and not str(above).startswith(VOLATILE)


def _instructions(
    connection: sqlite3.Connection, store: int, found: Found
) -> Iterator[Rule]:
    """The rules of the instructions that an agent reads together with a store."""
    rows = connection.execute(
        "SELECT DISTINCT cwd FROM conversations JOIN stores "
        "ON stores.id = conversations.store WHERE cwd IS NOT NULL "
        "AND stores.path IN (SELECT path FROM stores WHERE id = ?1 UNION "
        "SELECT CAST(? AS BLOB))",
        (store, os.fsencode(found.path.parent)),
    )
    folders = [Path(cwd) for (cwd,) in rows]
    for folder in dict.fromkeys([*found.path.parents, *folders]):
        with suppress(UnreadableError, OSError):
            if not (folder / INSTRUCTIONS).is_file():
                continue
            with Root(folder) as root:
                raw = root.read(INSTRUCTIONS, limit=_LARGEST).raw
            title = f"{INSTRUCTIONS} of {folder}"
            yield from rules_in("", title, raw.decode(errors="replace"))


# Links and scores.


def _cycles(connection: sqlite3.Connection, store: int) -> Iterator[Complaint]:
    """Each circle of memories that require one another, at its first edge."""
    rows = connection.execute(
        'SELECT start, "end", edges.ref, sources.path, edges.line FROM edges '
        "JOIN sources ON sources.id = edges.source WHERE edges.store = ? "
        "AND edges.type = 'REQUIRES' AND start IS NOT NULL "
        'AND "end" IS NOT NULL ORDER BY sources.path, edges.id',
        (store,),
    ).fetchall()
    ends: dict[int, list[int]] = {}
    for start, end, *_ in rows:
        ends.setdefault(start, []).append(end)
    circles = _circles(ends)
    told: set[int] = set()
    for start, end, ref, path, line in rows:
        circle = circles.get(start)
        if circle is not None and circle == circles.get(end) and circle not in told:
            told.add(circle)
            number = sum(one == circle for one in circles.values())
            yield Complaint(
                code="requires-cycle",
                message=f"REQUIRES links {number} memories in a cycle."
                if number > 1
                else "It requires itself.",
                path=path,
                ref=ref,
                line=line,
            )


def _circles(ends: Mapping[int, list[int]]) -> dict[int, int]:
    """The memories that lie on circles, each with a number of its circle.

    Two passes (Kosaraju): the memories in the order in which they are left, then back
    along the edges, the last one first.
    """
    back: dict[int, list[int]] = {}
    for start, others in ends.items():
        for end in others:
            back.setdefault(end, []).append(start)
    left: list[int] = []
    seen: set[int] = set()
    for start in ends:
        _visit(start, ends, seen, left)
    circles: dict[int, int] = {}
    seen.clear()
    for start in reversed(left):
        members: list[int] = []
        _visit(start, back, seen, members)
        if len(members) > 1 or start in ends.get(start, ()):
            circles |= dict.fromkeys(members, start)
    return circles


def _visit(
    start: int, ends: Mapping[int, list[int]], seen: set[int], left: list[int]
) -> None:
    """Add all memories that can be reached and are not seen yet, the last one first."""
    todo = [(start, iter(ends.get(start, ())))] if start not in seen else []
    seen.add(start)
    while todo:
        here, others = todo[-1]
        other = next((one for one in others if one not in seen), None)
        if other is None:
            left.append(here)
            todo.pop()
        else:
            seen.add(other)
            todo.append((other, iter(ends.get(other, ()))))


def _stale_scores(
    connection: sqlite3.Connection, store: int, now: int
) -> Iterator[Complaint]:
    """Each stored score that belongs to another stage than the memory is in."""
    rows = connection.execute(
        f"SELECT memories.ref, files.path, accesses.score, {', '.join(FADED)} "
        "FROM accesses JOIN memories ON memories.key = accesses.key "
        "AND memories.store = accesses.store "
        "JOIN sources AS files ON files.id = accesses.source "
        "WHERE accesses.store = ? AND accesses.score IS NOT NULL AND memories.fades",
        (store,),
    )
    for ref, path, stored, *cells in rows:
        score, name = faded(now, cast("Fading", tuple(cells)))
        if score is None or name == stage(stored) or (name == "vault" and stored > 1):
            continue
        digits = next((n for n in (2, 3, 4) if round(stored, n) != round(score, n)), 6)
        message = f"The stored score is {stored:.{digits}f} ({stage(stored)}); "
        message += f"today it is {score:.{digits}f} ({name})."
        yield _note("stale-score", message, path, ref)


# Vectors of memories, in the file that the store has of them.


def _vectors(
    connection: sqlite3.Connection, store: int, found: Found
) -> Iterator[Complaint]:
    """What a store's vectors lack: a line for each kind of problem."""
    with suppress(UnreadableError), found.format.open(found.path) as opened:
        own = list(own_vectors(Reader(connection, [store])))
        rows = connection.execute(
            "SELECT key, updated_at, own_id IS NULL FROM memories "
            "WHERE store = ? AND NOT is_copy",
            (store,),
        ).fetchall()
        semantic = read_settings(Places.usual()).semantic
        wanted = "" if semantic.provider is Provider.OFF else semantic.model
        for one in own:
            yield from _unembedded(one, {key for key, *_ in rows}, wanted)
        memories = {
            key: updated for key, updated, is_nameless in rows if not is_nameless
        }
        vectors = opened.vectors()
        if vectors is not None:
            path = os.fsencode(vectors.path)
            same = [one for one in own if one.model == vectors.model]
            for code, message in _lacking(vectors, memories, same):
                yield _note(code, message, path, None)


def _unembedded(own: Own, memories: set[str], wanted: str) -> Iterator[Complaint]:
    """What `recollect embed` would make for a store, or delete."""
    made = own.present.keys() | own.outdated.keys()
    counts = {
        "missing": len(memories - made),
        "outdated": len(memories & own.outdated.keys()),
        "of deleted memories": len(made - memories),
    }
    told = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
    if wanted and wanted != own.model:
        told = f"made by {quoted(own.model)}, not by {quoted(wanted)}"
    if told:
        message = f"Vectors for search by meaning: {told}; run `recollect embed`."
        yield _note("embed-outdated", message, b"", None)


def _lacking(
    vectors: Vectors, memories: Mapping[str, int | None], own: Iterable[Own]
) -> Iterator[tuple[str, str]]:
    """The code and message of each problem with the vectors of some memories.

    A vector that we made is as old as its text; of others, the dates are compared.
    """
    held, last = vectors.by_key.keys(), vectors.updated
    missing = len(memories.keys() - held) - vectors.unusable
    later = {key for key in held if last and (memories.get(key) or 0) > last}
    for one in own:
        later -= {key for key in later if vectors.holds(key, one.present.get(key, ()))}
        former = one.outdated.items()
        later |= {key for key, vector in former if vectors.holds(key, vector)}
    changed = len(later & memories.keys())
    orphans = len(held - memories.keys())
    counts = {
        "missing-vector": (missing, "missing; search by meaning can't find these"),
        "stale-vector": (changed, "older than the memory"),
        "orphan-vector": (orphans, "of memories that no longer exist"),
        "vector-length": (vectors.unusable, "damaged, or of another length"),
    }
    for code, (number, what) in counts.items():
        if number > 0:
            is_are = "1 vector is" if number == 1 else f"{number} vectors are"
            yield code, f"{is_are} {what}."
    made, wanted = vectors.model or "", vectors.wanted or ""
    if made and wanted and made.partition(":")[0] != wanted.partition(":")[0]:
        message = f"Made by {quoted(made)}; the settings name {quoted(wanted)}."
        yield "vector-model", message


# Files: who may write them, and how large they have become.

_LARGE = 64 * 1024 * 1024
_MOST = 20
"""The most files that are listed one by one; of more, only the first are."""


def _open_to_others(
    connection: sqlite3.Connection, store: int, root: Path
) -> Iterator[Complaint]:
    """The files and folders in which any user of the machine may plant a memory."""
    rows = connection.execute("SELECT path FROM sources WHERE store = ?", (store,))
    paths = [path for (path,) in rows]
    folders = dict.fromkeys(path.rpartition(b"/")[0] for path in [b"", *paths])
    count = 0
    for path in [*folders, *paths]:
        try:
            mode = (root / os.fsdecode(path)).stat().st_mode
        except OSError:
            continue
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX and count < _MOST:
            count += 1
            yield Complaint(
                code="writable-by-all",
                message=f"Any user can write it ({stat.S_IMODE(mode):04o}); "
                "use `chmod o-w`.",
                path=path,
            )


def _large(connection: sqlite3.Connection, store: int) -> Iterator[Complaint]:
    """The files that nothing ever shortens, once they are large."""
    rows = connection.execute(
        "SELECT path, size FROM sources WHERE store = ? AND size > ? "
        "AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.source = sources.id)",
        (store, _LARGE),
    )
    for path, size in rows:
        message = f"It has grown to {size >> 20} MB, and nothing trims it."
        yield _note("large-file", message, path, None)


_SECRETS = (b"_config.json",)
"""Settings that may contain a key."""
_INDEX = Path(".git/index")
_LARGEST_INDEX = 256 << 20


def _tracked(
    connection: sqlite3.Connection, store: int, root: Path
) -> Iterator[Complaint]:
    """Settings with a key that git has already, whatever .gitignore says now."""
    marks = ", ".join("?" * len(_SECRETS))
    question = f"SELECT path FROM sources WHERE store = ? AND path IN ({marks})"
    rows = connection.execute(question, (store, *_SECRETS)).fetchall()
    top = next((one for one in (root, *root.parents) if (one / _INDEX).is_file()), None)
    if top is None or not rows:
        return
    with suppress(UnreadableError), Root(top) as git:
        index = git.read(str(_INDEX), limit=_LARGEST_INDEX).raw
        for (path,) in rows:
            name = os.fsencode((root / os.fsdecode(path)).relative_to(top))
            if _is_listed(index, name):
                yield Complaint(
                    code="secret-tracked",
                    message="Git tracks it, and it may contain a key; run "
                    f"`git rm --cached {os.fsdecode(name)}`.",
                    path=path,
                )


def _is_listed(index: bytes, name: bytes) -> bool:
    """Whether git's index has an entry of a file; preceded by its length."""
    entry = min(len(name), 0xFFF).to_bytes(2, "big") + name + b"\0"
    return entry in index
