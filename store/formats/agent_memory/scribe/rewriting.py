"""Memories edited as text: what an editor is given, what is made of its answer.

The form is the memory's JSON, readable: a field on each line, no escapes but where
nothing else will do. What was not touched in it stays in the file as it is spelt there.
"""

from store.edits.port import Form
from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from store.files.json_style import JsonStyle
from store.files.jsonl.exact import Exact, Pairs, exact, spelt_exact
from store.files.jsonl.spacing import manner_of, spaced
from store.files.jsonl.spans import NotSplicedError, Path
from store.files.jsonl.splice import prefix_at, with_text, without_value
from store.formats.agent_memory.scribe.fields import check
from store.formats.agent_memory.scribe.held import Held, LinesFile
from store.formats.agent_memory.scribe.setting import settle_kind
from store.formats.agent_memory.scribe.work import Work
from store.records.intents import Rewrite

SUFFIX = ".json"

_READABLE = JsonStyle(ended=False)
_NEEDED = ("id", "content")


def form_of(work: Work, held: Held) -> Form:
    """A memory as an editor is given it."""
    value = exact(work.file(held.path).raw(held))
    text = spaced(spelt_exact(value, escaped=False), _READABLE)
    return Form(raw=text + b"\n", suffix=SUFFIX)


def rewrite(work: Work, intent: Rewrite, held: Held) -> None:
    """Put what an editor gave back in place of what it was given."""
    _still_says(form_of(work, held).raw, intent.was)
    new = exact(intent.raw)
    if not isinstance(new, Pairs):
        raise NotPossibleError("A memory is one map: { … }.")
    before, file = work.thing(held), work.file(held.path)
    raw = file.raw(held)
    old = exact(raw)
    for name in _NEEDED:
        if name in before and all(key != name for key, _ in new):
            raise NotPossibleError(f"A memory needs its `{name}`.")
    if _of(old, "id") != _of(new, "id"):
        sentence = "Other programs know a memory by its `id`, so that stays as it is."
        raise NotPossibleError(sentence)
    changed = _merged(raw, (), old, new)
    if changed != raw:
        file.put(held, changed)
    check(work, held, before)
    work.touch_up(held)
    settle_kind(work, held)


def form_of_line(work: Work, path: str, line: int) -> Form:
    """A damaged line as it stands."""
    return Form(raw=_sheet(work, path).sheet.line(line) + b"\n", suffix=SUFFIX)


def rewrite_line(work: Work, intent: Rewrite, path: str, line: int) -> None:
    """Put right by hand a line that could not be read; an empty text removes it."""
    file = _sheet(work, path)
    _still_says(file.sheet.line(line) + b"\n", intent.was)
    if not intent.raw.strip():
        file.sheet.remove(line)
    else:
        file.sheet.replace(line, _on_one_line(intent.raw))
    file.is_rewritten = True


def compact(raw: bytes) -> bytes:
    """A memory on one line without blanks, every token as it is spelt."""
    return spaced(raw, JsonStyle(indent=None, compact=True))


def _on_one_line(raw: bytes) -> bytes:
    """What was edited, as one line; several lines of JSON stay several."""
    try:
        whole = [exact(raw)]
    except NotSplicedError:
        whole = [exact(line) for line in raw.split(b"\n") if line.strip()]
    for value in whole:
        names = {key for key, _ in value} if isinstance(value, Pairs) else set[str]()
        if names.isdisjoint(("id", "content")):
            raise NotPossibleError("A memory is one map with an `id` and `content`.")
    return b"\n".join(spelt_exact(value, escaped=False) for value in whole)


def _merged(raw: bytes, at: Path, old: Exact, new: Pairs) -> bytes:
    """The text with all that differs; map by map, so that the rest stays as it is."""
    told = {key for key, _ in new}
    if len(told) < len(new):
        raise NotPossibleError("A key stands twice in the text.")
    before = dict(old) if isinstance(old, Pairs) else {}
    for key in before:
        if key not in told:
            raw = without_value(raw, (*at, key))
    for key, value in new:
        path = (*at, key)
        was = before.get(key)
        if isinstance(value, Pairs) and isinstance(was, Pairs):
            raw = _merged(raw, path, was, value)
        elif key not in before or was != value:
            raw = with_text(raw, path, _spelt(raw, path, value))
    return raw


def _spelt(raw: bytes, path: Path, value: Exact) -> bytes:
    """A value in the manner of the text that it is put into."""
    manner = manner_of(raw)
    compact = spelt_exact(value, escaped=manner.escaped)
    return spaced(compact, manner, prefix_at(raw, path))


def _still_says(now: bytes, was: bytes) -> None:
    if now != was:
        sentence = "What was edited is not what stands there any more. Look again."
        raise ChangedOnDiskError(sentence)


def _of(value: Exact, name: str) -> Exact:
    if not isinstance(value, Pairs):
        return None
    return next((one for key, one in value if key == name), None)


def _sheet(work: Work, path: str) -> LinesFile:
    file = work.file(path)
    if not isinstance(file, LinesFile):
        raise NotPossibleError(f"{path} is no file of lines.")
    return file
