"""Files that lack what they ought to say, or lie where they ought not to."""

import re
from functools import partial

from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.files.frontmatter.errors import HeaderError
from store.files.frontmatter.mending import with_quotes
from store.files.markdown.job import Job
from store.formats.cognitive.ignore import not_ignored
from store.formats.cognitive.layout import EPISODES, IGNORE
from store.formats.cognitive.scribe.fields import told, with_text
from store.formats.cognitive.scribe.mending.mender import Mender
from store.formats.cognitive.scribe.naming import base_of, new_id, place_of
from store.formats.cognitive.scribe.placing import home_of, move
from store.formats.cognitive.scribe.told import tell_of_old_paths
from store.formats.cognitive.vocabulary import FOLDERS
from store.records.problem import Problem

_OWN = re.compile(r"-([0-9a-f]{6})\.md$", re.IGNORECASE)
_TYPES = {folder: kind for kind, folder in FOLDERS.items()}
_PREFIX = 6


def give_new_id(mender: Mender, problem: Problem) -> None:
    """Give a memory whose identifier an earlier one has an identifier of its own."""
    job, identifier = mender.job, new_id()
    _give(job, problem.path, identifier)
    own = _OWN.search(problem.path)
    memory = mender.memory(problem)
    if own and memory:
        name = f"{problem.path[: own.start()]}-{identifier[:_PREFIX]}.md"
        job.bench.move(problem.path, name)
        tell_of_old_paths(job, memory, breaks=True)
    job.warn(
        f"What leads to the identifier that {base_of(problem.path)} had leads to the"
        " other memory that has it."
    )


def give_id(mender: Mender, problem: Problem) -> None:
    """Give a memory an identifier, one that its file's name begins, if it tells one."""
    own = _OWN.search(problem.path)
    identifier = new_id()
    if own:
        identifier = own[1].lower() + identifier[_PREFIX:]
    _give(mender.job, problem.path, identifier)


def give_type(mender: Mender, problem: Problem) -> None:
    """Give a memory the type of its folder."""
    parts = problem.path.split("/")
    kind = next((_TYPES[part] for part in parts[1:] if part in _TYPES), None)
    if kind is None:
        raise NotPossibleError(f"The folder of {problem.path} tells no type.")
    mender.job.revise(problem.path, partial(with_text, key="type", text=kind))


def put_home(mender: Mender, problem: Problem) -> None:
    """Put a memory into the folder of its type."""
    memory = mender.memory(problem)
    if memory is None:
        kind = told(mender.job.header(problem.path), "type")
        place = place_of(kind or "general", base_of(problem.path))
        mender.job.bench.move(problem.path, place)
        return
    move(mender.job, memory, home_of(mender.job, memory))


def quote_values(mender: Mender, problem: Problem) -> None:
    """Put the values in quotes that YAML stumbles over."""
    bench = mender.job.bench
    try:
        bench.write(problem.path, with_quotes(bench.read(problem.path)))
    except HeaderError as error:
        raise NotPossibleError(f"{problem.path} cannot be mended. {error}") from error


def cut_tail(mender: Mender, problem: Problem) -> None:
    """Cut off the NUL bytes that a crash left."""
    bench = mender.job.bench
    bench.write(problem.path, bench.read(problem.path).rstrip(b"\0"))
    if problem.path.startswith(f"{EPISODES}/"):
        mender.job.warn("A daily log is only ever added to; this only cuts its end.")


def ignore(mender: Mender, problem: Problem) -> None:
    """Tell git to leave alone what is secret or derived."""
    bench = mender.job.bench
    try:
        raw = bench.read(problem.path) if bench.has(IGNORE) else None
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    names = not_ignored(raw or b"")
    lines = "".join(f"{name}\n" for name in names)
    if raw is None:
        bench.create(IGNORE, lines.encode())
    elif names:
        gap = b"" if raw.endswith(b"\n") or not raw else b"\n"
        bench.write(IGNORE, raw + gap + lines.encode())


def _give(job: Job, path: str, identifier: str) -> None:
    job.revise(path, partial(with_text, key="id", text=identifier))
