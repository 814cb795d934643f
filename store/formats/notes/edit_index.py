"""Edit MEMORY.md line by line, or rebuild it."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import PurePosixPath
from typing import NamedTuple

from store.edits.draft import Known
from store.errors import NotPossibleError, UnreadableError
from store.files.beneath import Root
from store.files.frontmatter import Page, read_page
from store.findings import Value
from store.formats.markdown import Job, PendingFiles
from store.formats.markdown_changes import PageJob
from store.formats.markdown_edit import (
    FIELDS,
    Names,
    header_line,
    on_one_line,
    target_from,
    with_names,
)
from store.formats.markdown_read import (
    ARCHIVE,
    Link,
    called,
    inside,
    links,
    plain,
    wikilinks,
    without_code,
)
from store.formats.notes.format import INDEX, TYPES, Role, role_of, scan
from store.formats.notes.notes import (
    BYTE_LIMIT,
    DEFAULT_TYPE,
    LINE_LIMIT,
    generated_for,
    is_generated,
    variant,
)
from store.formats.notes.projects import is_of_a_loop
from store.formats.port import Source
from store.kinds.memories import Memory
from store.times import moment_like

# A note as listed in MEMORY.md, and where its header has the details.

_LONGEST_HOOK = 80
"""Characters of the first line that describe a note without a description."""


class Listed(NamedTuple):
    """The content of a note's index line."""

    path: str
    name: str
    description: str
    type: str


def listed(path: str, raw: bytes) -> Listed:
    """A note as an index lists it, by the rule of the program that generates them."""
    page = read_page(raw)
    name = _text(page.fields, "name") or _text(page.fields, "title")
    return Listed(
        path,
        on_one_line(name or PurePosixPath(path).stem),
        on_one_line(_text(page.fields, "description") or _hook(page)),
        type_of(page) or DEFAULT_TYPE,
    )


def type_of(page: Page) -> str | None:
    """The type in a header, at top level or below `metadata`."""
    metadata = page.fields.get("metadata")
    below = _text(metadata, "type") if isinstance(metadata, Mapping) else ""
    return _text(page.fields, "type") or below or None


def is_listed(store: str, path: str) -> bool:
    """Whether an index should list a file: a memory that is not archived."""
    is_memory = role_of(store, path) is Role.MEMORY
    return is_memory and ARCHIVE not in PurePosixPath(path).parts[:-1]


def _hook(page: Page) -> str:
    lines = (line.strip() for line in page.body.split("\n"))
    return next(filter(None, lines), "")[:_LONGEST_HOOK]


def _text(fields: Mapping[str, object], key: str) -> str:
    value = fields.get(key)
    return value.strip() if isinstance(value, str) else ""


# A generated index: one line per note, sorted by file.


def is_by_rule(text: str) -> bool:
    """Whether an index consists only of such lines, in that order."""
    lines = text.removesuffix("\n").split("\n") if text else []
    return is_generated(text) and all(line.strip() for line in lines)


def by_rule(note: Listed) -> str:
    """The index line of a note."""
    return _line(plain(note.name), note.path, plain(note.description))


def _line(label: str, path: str, hook: str) -> str:
    return f"- [{label}]({path}) — {hook}"


def _renewed(text: str, old: str, new: str) -> str:
    """The new text if the old one is there; a text that a person wrote stays."""
    is_old = old != new and text in (old, plain(old))
    return plain(new) if is_old else text


def files(text: str) -> set[str]:
    """The files of all lines."""
    found = (generated_for(line) for line in text.split("\n"))
    return {file for file in found if file}


def dropped(text: str, path: str) -> str:
    """The index without the line of a note."""
    return _with(
        text, lambda lines: [one for one in lines if generated_for(one) != path]
    )


def added(text: str, note: Listed) -> str:
    """The index with a line inserted in file order."""

    def add(lines: list[str]) -> list[str]:
        if any(generated_for(line) == note.path for line in lines):
            return lines
        return _in_order([*lines, by_rule(note)])

    return _with(text, add)


def changed(text: str, old: Listed, new: Listed) -> str:
    """The index with the current name and description of a note.

    A description that differs from the note's own is left alone, as a person chose it.
    """

    def change(lines: list[str]) -> list[str]:
        renewed = [
            _with_new_name(line, old, new) if generated_for(line) == old.path else line
            for line in lines
        ]
        return _in_order(renewed) if old.path != new.path else renewed

    return _with(text, change)


def _with_new_name(line: str, old: Listed, new: Listed) -> str:
    head, _, hook = line.partition(f"]({old.path}) — ")
    label = _renewed(head.removeprefix("- ["), old.name, new.name)
    return _line(label, new.path, _renewed(hook, old.description, new.description))


def _in_order(lines: Iterable[str]) -> list[str]:
    """The lines sorted by file; lines of one file keep their order."""
    return sorted(lines, key=lambda line: generated_for(line) or "")


def _with(text: str, change: Callable[[list[str]], list[str]]) -> str:
    """The text with changed lines; line endings stay, even a missing last one."""
    newline = "\r\n" if "\r\n" in text else "\n"
    ended = text.endswith("\n") or not text
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    after = change([line for line in lines if line])
    return newline.join(after) + (newline if ended and after else "")


# Edit MEMORY.md line by line; all other bytes stay the same.

LineEdit = Callable[[str], str]
"""An edit of an index's text."""

_BULLET = re.compile(r"([ \t]*[-*+][ \t]+)")
_SEPARATOR = re.compile(r"([ \t]*(?:[—–-]+|:)[ \t]*)")
_USUAL_BULLET, _USUAL_SEPARATOR = "- ", " — "


class Line(NamedTuple):
    """A line of the index that links to a note."""

    number: int
    """Its line number, from 0."""
    text: str
    """The whole line, without its line ending."""
    link: Link
    target: str
    """The linked file, relative to the store."""

    @property
    def leads(self) -> bool:
        """Whether the line is a list item that starts with the link."""
        bullet = _BULLET.match(self.text)
        return bullet is not None and bullet.end() == self.link.start

    @property
    def bullet(self) -> str:
        """The bullet of the item."""
        found = _BULLET.match(self.text)
        return found[1] if found else _USUAL_BULLET

    @property
    def separator(self) -> str:
        """The separator between the link and the description."""
        found = _SEPARATOR.match(self.text, self.link.end)
        return found[1] if found else _USUAL_SEPARATOR

    @property
    def hook(self) -> tuple[int, int]:
        """The position of the description."""
        found = _SEPARATOR.match(self.text, self.link.end)
        start = found.end() if found else len(self.text)
        return start, max(start, len(self.text.rstrip()))


def lines_of(folder: str, text: str) -> list[Line]:
    """Every link to a note, except in code; `folder` is the index's folder."""
    body = read_page(text.encode(errors="surrogateescape")).body
    before = text[: len(text) - len(body)].count("\n")
    found: list[Line] = []
    pairs = zip(body.split("\n"), without_code(body).split("\n"), strict=True)
    for number, (line, prose) in enumerate(pairs, before):
        for link in links(prose):
            target = inside(folder, link.target) if link.names_a_note else None
            if target:
                found.append(Line(number, line.removesuffix("\r"), link, target))
    return found


def targets(folder: str, text: str) -> set[str]:
    """Every note that an index links to."""
    if is_by_rule(text):
        return files(text)
    return {line.target for line in lines_of(folder, text)}


def dropped_lines(folder: str, path: str) -> LineEdit:
    """Remove the items that start with a link to a note."""

    def edit(text: str) -> str:
        if is_by_rule(text):
            return dropped(text, path)
        found = lines_of(folder, text)
        gone = {line.number for line in found if line.leads and line.target == path}
        return _joined([t for n, t in enumerate(_split(text)) if n not in gone])

    return edit


def changed_lines(folder: str, old: Listed, new: Listed) -> LineEdit:
    """Update every link to a note, and the name and description in its item.

    A description that differs from the note's own is left alone, as a person chose it.
    """

    def edit(text: str) -> str:
        if is_by_rule(text):
            return changed(text, old, new)
        lines = _split(text)
        for line in reversed(lines_of(folder, text)):
            if line.target == old.path:
                ended = lines[line.number]
                updated = _updated_line(folder, line, old, new)
                lines[line.number] = updated + ended[len(line.text) :]
        return _joined(lines)

    return edit


def added_lines(folder: str, note: Listed, types: Mapping[str, str]) -> LineEdit:
    """Add an item for a note: after others of its type, or in file order.

    `types` maps the paths of all known notes to their types.
    """

    def edit(text: str) -> str:
        if is_by_rule(text):
            return added(text, note)
        found = [line for line in lines_of(folder, text) if line.leads]
        if any(line.target == note.path for line in found):
            return text
        lines = _split(text)
        place, like = _among(found, note, types)
        if place is None:
            return _at_the_end(lines, _item(folder, note, None), blank=not found)
        return _inserted(lines, place, _item(folder, note, like))

    return edit


def _updated_line(folder: str, line: Line, old: Listed, new: Listed) -> str:
    text, link = line.text, line.link
    if line.leads:
        start, end = line.hook
        if old.description or _SEPARATOR.match(text, link.end):
            hook = _renewed(text[start:end], old.description, new.description)
            text = text[:start] + hook + text[end:]
    if old.path != new.path:
        start = text.rindex(link.target, link.start, link.end)
        target = target_from(folder, new.path, link.target)
        text = text[:start] + target + text[start + len(link.target) :]
    start = link.start + 1
    label = _renewed(link.label, old.name, new.name)
    return text[:start] + label + text[start + len(link.label) :]


def _item(folder: str, note: Listed, like: Line | None) -> str:
    """An item in the style of a neighbour."""
    bullet = like.bullet if like else _USUAL_BULLET
    separator = like.separator if like else _USUAL_SEPARATOR
    link = f"[{plain(note.name)}]({target_from(folder, note.path)})"
    return (
        f"{bullet}{link}{separator}{plain(note.description)}"
        if note.description
        else (f"{bullet}{link}")
    )


def _among(
    found: Sequence[Line], note: Listed, types: Mapping[str, str]
) -> tuple[int | None, Line | None]:
    """The line after which a note belongs by its type, and a line to imitate."""
    if not found:
        return None, None
    alike = [line for line in found if types.get(line.target) == note.type]
    last = (alike or found)[-1]
    return last.number + 1, last


def _inserted(lines: list[str], place: int, item: str) -> str:
    """The text with a line inserted; a missing last newline stays missing."""
    newline = _newline("".join(lines))
    if place < len(lines) or not lines:
        lines.insert(place, item + newline)
        return _joined(lines)
    if lines[-1].endswith("\n"):
        return _joined([*lines, item + newline])
    return _joined([*lines[:-1], _with_end(lines[-1], newline), item])


def _at_the_end(lines: list[str], item: str, *, blank: bool) -> str:
    text = "".join(lines)
    newline = _newline(text)
    if not text:
        return f"{item}{newline}"
    gap = "" if text.endswith("\n") else newline
    gap += newline if blank and not (text + gap).endswith(newline * 2) else ""
    return f"{text}{gap}{item}{newline}"


def _split(text: str) -> list[str]:
    """The lines with their endings; an empty last one is left out."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _joined(lines: Sequence[str]) -> str:
    return "".join(lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _with_end(line: str, newline: str) -> str:
    return line if line.endswith("\n") else line + newline


# A whole index, as generated by the program that writes such indexes.


def whole(root: Root) -> str:
    """The whole index; empty if there are no notes."""
    return "".join(f"{by_rule(note)}\n" for note in all_notes(root))


def all_notes(root: Root) -> Iterator[Listed]:
    """Every note that an index should list, sorted by file."""
    sources = [one for one in scan(root) if isinstance(one, Source)]
    for source in sorted(sources, key=lambda source: source.path):
        if is_listed(root.path.name, source.path):
            try:
                yield listed(source.path, root.read(source.path).raw)
            except UnreadableError:
                continue


# The indexes of a store: which one lists which note, and the edits of each.

USUAL = "MEMORY.md"

_NEARLY = 0.8
"""The share of a limit from which the user is warned."""


class Indexes:
    """The pending edits of a store's indexes."""

    def __init__(self, job: Job, files: PendingFiles) -> None:
        self._job = job
        self._files = files
        self._edits: defaultdict[str, list[LineEdit]] = defaultdict(list)
        self._types: dict[str, str] = {}
        self._typed: set[str] = set()
        """The indexes whose notes are in `_types`."""

    def add(self, note: Listed) -> None:
        """Add a note, unless an index lists it already."""
        path = self._nearest(note.path) or self._new()
        if path is None or not is_listed(self._files.root.path.name, note.path):
            return
        folder = path.rpartition("/")[0]
        if path not in self._typed:
            self._typed.add(path)
            listed_there = sorted(targets(folder, self.text(path) or ""))
            self._types.update(self._job.known.types(listed_there))
        self._types.update(self._job.known.types([note.path]))
        self._edits[path].append(added_lines(folder, note, self._types))

    def drop(self, path: str, *, tells: bool = True) -> None:
        """Remove a note; with `tells`, warn about remaining mentions."""
        for index in self._all.values():
            folder, text = index.rpartition("/")[0], self.text(index) or ""
            if path not in targets(folder, text):
                continue
            self._edits[index].append(dropped_lines(folder, path))
            for one in lines_of(folder, text) if tells else ():
                if one.target == path and not one.leads:
                    self._job.warn(
                        f"{index} still mentions {path} in a sentence on line "
                        f"{one.number + 1}."
                    )

    def change(self, old: Listed, new: Listed) -> None:
        """Update every line about a note."""
        for index in self._all.values():
            folder, text = index.rpartition("/")[0], self.text(index) or ""
            if old.path in targets(folder, text):
                self._edits[index].append(changed_lines(folder, old, new))

    def hooks(self, path: str) -> list[str]:
        """What the items about a note say of it."""
        return [
            line.text[slice(*line.hook)]
            for index in self._all.values()
            for line in lines_of(index.rpartition("/")[0], self.text(index) or "")
            if line.leads and line.target == path
        ]

    def edit(self, index: str, edit: LineEdit) -> None:
        """Add another edit to an index."""
        self._edits[index].append(edit)

    def keep(self) -> None:
        """Apply the edits to the pending files, and warn if an index gets too full.

        If a note's text changed so that its line would differ, its line is updated as
        well.
        """
        for path, before, _ in list(self._files.changed()):
            place = self._files.where(path)
            if before is not None and self._files.has(place) and self._lists(path):
                old, new = listed(path, before), listed(place, self._files.read(place))
                if old != new:
                    self.change(old, new)
        for path, edits in self._edits.items():
            if not self._files.derive(path, lambda raw, e=edits: _edited(raw, e)):
                self._job.warn(f"{path} isn't UTF-8 and won't be updated.")
        for path, before, after in list(self._files.changed()):
            if path in self._edits and after is not None:
                self._gauge(path, before or b"", after)

    def _lists(self, path: str) -> bool:
        return role_of(self._files.root.path.name, path) is Role.MEMORY

    def _gauge(self, path: str, before: bytes, after: bytes) -> None:
        """Warn if agents load only a part of an index, or soon will."""
        lines = after.count(b"\n") + (not after.endswith(b"\n") and after != b"")
        fullest = max(lines / LINE_LIMIT, len(after) / BYTE_LIMIT)
        if fullest < _NEARLY or len(after) <= len(before):
            return
        self._job.warn(
            (
                f"{path} will have {lines:,} of {LINE_LIMIT} lines and {len(after):,} "
                f"of {BYTE_LIMIT:,} bytes"
            )
            + ("; agents don't load the rest." if fullest > 1 else ".")
        )

    @cached_property
    def _all(self) -> dict[str, str]:
        """Every index by its folder, the one at the top first."""
        root = self._files.root
        found = sorted(
            (path.rpartition("/")[0], path)
            for path in self._job.known.indexes()
            if path.rpartition("/")[2].casefold() == INDEX
            and root.link_text(path) is None
        )
        return dict(reversed(found))

    @property
    def top(self) -> str:
        """The index at the top, even if it does not exist yet."""
        return self._all.get("", USUAL)

    def _nearest(self, path: str) -> str | None:
        """The index in a note's folder, or else the nearest one above."""
        folder = path.rpartition("/")[0]
        if folder in self._all or not folder:
            return self._all.get(folder)
        return self._nearest(folder)

    def _new(self) -> str | None:
        """A new index, if the store has none and can have one."""
        root = self._files.root
        memories = any(True for _ in self._job.known.memories())
        if is_of_a_loop(root.path) or not memories:
            self._all[""] = USUAL
            if memories:
                self._edits[USUAL].append(lambda _: whole(root))
            return USUAL
        self._job.warn(
            f"There is no {USUAL}, so agents won't find this note. Run `recollect "
            "rebuild notes-index` to create it."
        )
        return None

    def text(self, index: str) -> str | None:
        """The text of an index; None if it cannot be read."""
        try:
            raw = self._files.derived(index)
        except (UnreadableError, NotPossibleError):
            return None
        return None if raw is None else raw.decode(errors="surrogateescape")


def _edited(raw: bytes | None, edits: Sequence[LineEdit]) -> bytes | None:
    try:
        text = (raw or b"").decode()
    except UnicodeDecodeError:
        return None
    if "\0" in text:
        return None
    for edit in edits:
        text = edit(text)
    return text.encode()


# The form of the headers in a store, and a new header in that form.

_LOOKED_AT = 300
"""The most notes to read for the form of a store."""

_WITHOUT_SESSION = {"V2": "V1", "V5": "V4"}
"""Forms that name the session that wrote them, which this program has none of."""

_USUAL = "V3"
_STAMP = "2026-01-01T00:00:00.000Z"
"""The form of a time in notes of the newest writer."""

_TRAILING = (b"\nmetadata: \n", b"\nmetadata: \r\n")


class HeaderForm(NamedTuple):
    """The form of the headers in a store."""

    variant: str
    """The variant, as returned by `variant`."""
    trailing: bool
    """Whether there is a space after `metadata:`."""


def header_form(job: Job) -> HeaderForm:
    """The form that most notes have; the default without notes."""
    root = job.files.root
    if is_of_a_loop(root.path):
        return HeaderForm("V1", trailing=False)
    counts: Counter[str] = Counter()
    trailing = 0
    for raw in _some(job):
        found = variant(read_page(raw).fields)
        counts[_WITHOUT_SESSION.get(found, found)] += 1
        if b"\nmetadata:" in raw:
            trailing += 1 if any(sign in raw for sign in _TRAILING) else -1
    del counts["V0"], counts["other"]
    best = counts.most_common(1)
    return HeaderForm(best[0][0] if best else _USUAL, trailing > 0)


def header_lines(
    form: HeaderForm, fields: Mapping[str, Value], now: int
) -> Iterator[str]:
    """The header of a new note: name, description and type in the form of its store."""
    own = ("name", "description")
    yield from (header_line(key, fields[key]) for key in own if key in fields)
    if "type" in fields:
        yield from _typed(form, header_line("type", fields["type"]), now)
    others = (key for key in fields if key not in {*own, "type"})
    yield from (header_line(key, fields[key]) for key in others)


def _typed(form: HeaderForm, line: str, now: int) -> Iterator[str]:
    """The line with the type, where this form of header has it."""
    if form.variant == "V1":
        yield line
        return
    yield f"metadata:{' ' if form.trailing else ''}"
    if form.variant in {"V4", "V6"}:
        yield "  node_type: memory"
    yield f"  {line}"
    if form.variant == "V6":
        yield f"  modified: {moment_like(_STAMP, now)}"


def _some(job: Job) -> Iterator[bytes]:
    """The bytes of some notes."""
    for count, memory in enumerate(job.known.memories()):
        if count >= _LOOKED_AT:
            return
        try:
            yield job.files.root.read(memory.path).raw
        except UnreadableError:
            continue


# One change of a folder of notes: its files, its indexes, and its warnings.

_BY_INDEX = ("in", "document")
"""The direction and the place of a link from an index."""


class Work(PageJob):
    """What the parts of one change share."""

    title_key = "name"
    fields = (*FIELDS, "originSessionId")

    def __init__(self, root: Root, known: Known, now: int) -> None:
        super().__init__(root, known, now)
        self.indexes = Indexes(self, self.files)
        self.count = 0
        """How many notes are affected, if none was named."""

    def listed(self, path: str) -> Listed:
        """A note as an index lists it, from its pending file."""
        return listed(self.files.where(path), self.files.read(path))

    def new_header(self, fields: Mapping[str, Value]) -> Iterator[str]:
        """The lines of a new header, in the form that most notes of the store have."""
        return header_lines(header_form(self), fields, self.now)

    def has_set(self, name: str, value: Value | None) -> None:
        """Warn about a type that agents do not know."""
        if name == "type" and isinstance(value, str) and value not in TYPES:
            self.warn(f"Agents don't know the type `{value}`.")

    def follow(self, memory: Memory, old: Names, new: Names) -> None:
        """Update everything that links to a note, in indexes too."""
        super().follow(memory, old, new)
        for path in self._naming(memory, old):
            self.indexes.edit(path, partial(with_names, old=old, new=new))

    def mentions(self, memory: Memory) -> list[str]:
        """The indexes that name a note in `[[brackets]]`."""
        return self._naming(memory, self.names(memory))

    def add_to_index(self, path: str) -> None:
        """Add a note to the nearest index."""
        self.indexes.add(self.listed(path))

    def drop_from_index(self, path: str, *, tells: bool = True) -> None:
        """Remove a note from every index."""
        self.indexes.drop(path, tells=tells)

    def _naming(self, memory: Memory, names: Names) -> list[str]:
        found = self.known.links_of(memory.ref)
        paths = (one.path for one in found if (one.direction, one.by) == _BY_INDEX)
        return [
            path
            for path in dict.fromkeys(paths)
            if any(called(link.target) in names.keys for link in self._wikilinks(path))
        ]

    def _wikilinks(self, index: str) -> Iterator[Link]:
        return wikilinks(without_code(self.indexes.text(index) or ""))
