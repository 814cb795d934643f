"""Edit the headers and the links of Markdown memories."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Mapping as AbcMapping
from math import isfinite
from pathlib import PurePosixPath
from posixpath import relpath
from typing import NamedTuple
from urllib.parse import quote

from store.errors import InvalidError, NotPossibleError
from store.files.frontmatter import (
    EditRefusedError,
    HeaderError,
    Page,
    opens,
    read_page,
)
from store.files.frontmatter_edit import (
    Form,
    Header,
    Path,
    in_brackets_wording,
    locate,
    scalar,
    with_quotes,
    with_scalar,
)
from store.files.frontmatter_lists import with_key, with_list, without_item, without_key
from store.files.frontmatter_yaml import Mapping, Scalar, value_of
from store.files.frontmatter_yaml import Sequence as SequenceNode
from store.findings import Value, name_key
from store.formats.markdown import Job, PendingFiles, named
from store.formats.markdown_read import (
    TITLES,
    Link,
    called,
    inside,
    is_note,
    links,
    path_names,
    wikilinks,
    without_code,
)
from store.kinds.memories import Memory
from store.times import moment_like

# Change the header of a file, after quoting values that make it invalid YAML.

_BOM = b"\xef\xbb\xbf"


def has_header(job: Job, path: str) -> bool:
    """Whether a file has a header."""
    return read_page(job.files.read(path)).has_header


def edit(job: Job, path: str, change: Callable[[Header], Header]) -> None:
    """Change the header of a file, including its modification time."""
    raw = job.files.read(path)
    try:
        locate(raw)
    except HeaderError as broken:
        if read_page(raw).has_header:
            _quote(job, path, raw, broken)
    job.revise(path, change)


def begin(job: Job, path: str, lines: Iterable[str]) -> None:
    """Give a file a header with these lines."""
    raw = job.files.read(path)
    text = decoded(path, raw.removeprefix(_BOM))
    if opens(text):
        raise NotPossibleError(f"The front matter of {path} has no end.")
    newline = "\r\n" if "\r\n" in text else "\n"
    header = newline.join(["---", *lines, "---", ""])
    blank = "" if text.startswith(("\n", "\r\n")) or not text else newline
    mark = _BOM if raw.startswith(_BOM) else b""
    job.files.write(path, mark + f"{header}{blank}{text}".encode())


def header_line(key: str, value: Value) -> str:
    """A line of a new header; a list is written in brackets."""
    if isinstance(value, str):
        return f"{key}: {scalar(value, Form.AS_NEEDED)}"
    texts = [item for item in value if isinstance(item, str)]
    return f"{key}: {in_brackets_wording(texts)}"


def decoded(path: str, raw: bytes) -> str:
    """The text of a file; raises NotPossibleError if it is not UTF-8."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise NotPossibleError(f"{path} isn't UTF-8.") from error


def text_of(job: Job, path: str) -> str:
    """The text below a file's header, without blank lines around it."""
    raw = job.files.read(path)
    decoded(path, raw)
    return read_page(raw).body.replace("\r\n", "\n").strip("\n")


def _quote(job: Job, path: str, raw: bytes, broken: HeaderError) -> None:
    """Quote the values that make a header invalid YAML."""
    try:
        job.files.write(path, with_quotes(raw))
    except HeaderError as error:
        raise NotPossibleError(f"Can't change {path}. {broken}") from error
    job.warn(f"Invalid YAML in {path}; missing quotes will be added.")


def quote_values(job: Job, path: str) -> None:
    """Quote the values of a header that YAML rejects."""
    try:
        job.files.write(path, with_quotes(job.files.read(path)))
    except HeaderError as error:
        raise NotPossibleError(f"Can't fix {path}. {error}") from error


# Links to a memory that is renamed, moved or merged, and its own links.

_LISTED = "links"
"""The key under which some headers list what they link to."""

_NOT_IN_LINKS = frozenset("[]|#\\\n")

_PLAIN = re.compile(r"[^\s()<>%]+")
"""A path that needs no percent-encoding in a link."""


class Names(NamedTuple):
    """The names of a memory: its file, its name and its id."""

    path: str
    name: str
    id: str | None

    @property
    def folder(self) -> str:
        """The folder of its file."""
        return self.path.rpartition("/")[0]

    @property
    def stem(self) -> str:
        """The name of its file without the suffix."""
        return PurePosixPath(self.path).stem

    @property
    def keys(self) -> frozenset[str]:
        """All keys that a link by name may have."""
        names = (self.name, self.id, *path_names(self.path))
        return frozenset(name_key(name) for name in names if name)

    @property
    def is_named_by_id(self) -> bool:
        """Whether its file is named after its id, whatever its title is."""
        return self.id is not None and name_key(self.id) == name_key(self.stem)


def linking(job: Job, memory: Memory) -> list[str]:
    """The files that link to a memory; its own, too, if it links to itself."""
    found: dict[str, None] = {}
    for edge in job.known.edges_of(memory.ref):
        if edge.to == memory.ref and edge.from_:
            other = job.known.memory(edge.from_)
            if other:
                found[other.path] = None
    return list(found)


def relink(job: Job, path: str, old: Names, new: Names) -> None:
    """Update the links of one file; warns if it is not UTF-8."""
    raw = job.files.read(path)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        job.warn(f"{path} isn't UTF-8; its link to {named(old.name)} won't be updated.")
        return
    folder = job.files.where(path).rpartition("/")[0]
    raw = _with_links(text, folder, old, new).encode()
    job.files.write(path, _with_listed(raw, old, new))


def relocate(job: Job, old_folder: str, path: str) -> None:
    """Adapt the relative links of a file that was moved from another folder."""
    raw = job.files.read(path)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return
    start, _ = _prose(text)
    body = relocated(text[start:], old_folder, path.rpartition("/")[0])
    job.files.write(path, f"{text[:start]}{body}".encode())


def relocated(body: str, old_folder: str, folder: str) -> str:
    """A text with its relative links adapted to another folder."""
    prose = without_code(body)
    for link in reversed([link for link in links(prose) if link.names_a_note]):
        target = inside(old_folder, link.target)
        if target is not None:
            body = _retargeted(body, 0, link, target_from(folder, target, link.target))
    return body


def unlinked(body: str, folder: str, names: Iterable[Names]) -> str:
    """A text with its links to some memories replaced by their labels."""
    pairs = list(names)
    paths, keys = (
        {one.path for one in pairs},
        frozenset[str]().union(*(one.keys for one in pairs)),
    )
    prose = without_code(body)
    by_path = (link for link in links(prose) if inside(folder, link.target) in paths)
    by_name = (link for link in wikilinks(prose) if called(link.target) in keys)
    found = sorted((*by_path, *by_name), key=lambda link: -link.start)
    for link in found:
        body = body[: link.start] + link.label + body[link.end :]
    return body


def with_listed(header: Header, add: Iterable[str], names: Iterable[Names]) -> Header:
    """The header with more links listed, and without those to some memories."""
    gone = frozenset[str]().union(*(one.keys for one in names))
    own = [item.value.strip() for _, item in _listed(header)]
    new = {called(item.strip("[]")): item for item in (*own, *add)}
    kept = [item for key, item in new.items() if key not in gone]
    node = header.root.get(_LISTED)
    if kept == own:
        return header
    if isinstance(node, SequenceNode) and kept:
        return with_list(header, (_LISTED,), kept)
    header = header if node is None else without_key(header, (_LISTED,))
    return with_key(header, (_LISTED,), kept) if kept else header


def listed_in(page: Page) -> list[str]:
    """The links that a header lists, as it spells them."""
    value = page.fields.get(_LISTED)
    items = value if isinstance(value, list) else [value]
    return [item.strip() for item in items if isinstance(item, str) and item.strip()]


def with_names(text: str, old: Names, new: Names) -> str:
    """A text with the `[[links]]` to a memory changed to its new names."""
    start, prose = _prose(text)
    for link in reversed(list(wikilinks(prose))):
        target = _new_target(link.target, old, new)
        if target is not None:
            text = _retargeted(text, start, link, target)
    return text


def _with_links(text: str, folder: str, old: Names, new: Names) -> str:
    start, prose = _prose(text)
    for link in reversed(list(links(prose))):
        if link.names_a_note and inside(folder, link.target) == old.path:
            target = target_from(folder, new.path, link.target)
            text = _retargeted(text, start, link, target)
    return with_names(text, old, new)


def _with_listed(raw: bytes, old: Names, new: Names) -> bytes:
    """A file with the new name in the links that its header lists, each once."""
    try:
        header = locate(raw)
    except HeaderError:
        return raw
    keys = [called(item.value.strip().strip("[]")) for _, item in _listed(header)]
    for path, item in reversed(list(_listed(header))):
        bare = item.value.strip().strip("[]")
        target = _new_target(bare, old, new)
        if target is not None and len(path) > 1 and called(target) in keys:
            header = without_item(header, path)
        elif target is not None:
            header = with_scalar(header, path, item.value.replace(bare, target, 1))
            keys.append(called(target))
    return header.raw


def _listed(header: Header) -> Iterator[tuple[tuple[str | int, ...], Scalar]]:
    node = header.root.get(_LISTED)
    if isinstance(node, Scalar):
        yield (_LISTED,), node
    elif isinstance(node, SequenceNode):
        for index, item in enumerate(node.items):
            if isinstance(item, Scalar):
                yield (_LISTED, index), item


def _new_target(target: str, old: Names, new: Names) -> str | None:
    """The new target of a link by name; None if it stays as it is."""
    key = called(target)
    if key in new.keys or key not in old.keys:
        return None
    ending = target[-3:] if is_note(target) else ""
    if "/" in target:
        *_, path = [*path_names(new.path)][: target.count("/") + 1]
        return f"{path}{ending}"
    is_title = key == name_key(old.name) and target != old.stem
    if is_title and _NOT_IN_LINKS.isdisjoint(new.name) and not is_note(new.name):
        return f"{new.name}{ending}"
    if old.id is not None and key == name_key(old.id):
        return f"{new.id or new.stem}{ending}"
    return f"{new.stem}{ending}"


def _retargeted(text: str, start: int, link: Link, target: str) -> str:
    """The text with another target for a link in its body."""
    if target == link.target:
        return text
    begin, end = start + link.start, start + link.end
    at = text.find(link.target, begin, end)
    if not text.startswith("[[", begin):
        at = text.rfind(link.target, begin, end)
    return f"{text[:at]}{target}{text[at + len(link.target) :]}" if at >= 0 else text


def target_from(folder: str, path: str, old: str = "") -> str:
    """A relative link target from a folder to a file, in the style of the old one."""
    target = relpath(path, folder or ".")
    fragment = old[old.find("#") :] if "#" in old else ""
    if not _PLAIN.fullmatch(target):
        target = quote(target, safe="/!$&'*+,;=:@~", errors="surrogateescape")
    return f"{'./' if old.startswith('./') else ''}{target}{fragment}"


def _prose(text: str) -> tuple[int, str]:
    """The offset of the body, and the body without its code."""
    body = read_page(text.encode(errors="surrogateescape")).body
    return len(text) - len(body), without_code(body)


# Broken links, turned into text.


def links_on(text: str, number: int) -> list[Link]:
    """Every link on a line, counted from 0, except in code."""
    start, prose = _prose(text)
    found = (*links(prose), *wikilinks(prose))
    return [one for one in found if text.count("\n", 0, start + one.start) == number]


def as_text(number: int, target: str) -> Callable[[str], str]:
    """Turn the links to a target into text, on a line counted from 0."""

    def edit(text: str) -> str:
        start = _prose(text)[0]
        for link in sorted(links_on(text, number), key=lambda one: -one.start):
            if link.target == target:
                before, after = text[: start + link.start], text[start + link.end :]
                text = f"{before}{_as_text(link)}{after}"
        return text

    return edit


def _as_text(link: Link) -> str:
    """The label of a link, and its target if that is different."""
    if not link.label:
        return link.target
    return link.label if link.target == link.label else f"{link.label} ({link.target})"


# Modification times in headers.

_STAMPS: tuple[tuple[str, ...], ...] = (
    ("metadata", "modified"),
    ("modified",),
    ("updated",),
)
"""Where headers have their modification time."""


def stamped(header: Header, now: int) -> Header:
    """The header with every modification time set to now."""
    for path in _STAMPS:
        node = _at(header, path)
        if node is not None and node.value.strip():
            header = with_scalar(header, path, moment_like(node.value, now))
    return header


def on_one_line(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def _at(header: Header, path: tuple[str, ...]) -> Scalar | None:
    fields: object = header.fields()
    for step in path:
        fields = fields.get(step) if isinstance(fields, AbcMapping) else None
    node = header.at(path) if isinstance(fields, str) else None
    return node if isinstance(node, Scalar) else None


# Fields of a header: where they are, and which values they take.

_KEY = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII)
_ON_ONE_LINE = frozenset({"name", "title", "description", "type"})
_ORDER = (
    "id", "name", "title", "description", "type", "tags", "importance", "metadata",
)  # fmt: skip
_NUMBERS = frozenset({"importance", "confidence"})
FIELDS = (
    *_ORDER, "confidence", "created", "date", "updated", "modified", "links", "body",
)  # fmt: skip
"""The fields of a memory in Markdown, and those that are edited elsewhere."""


def retagged(header: Header, add: Sequence[str], remove: Sequence[str] = ()) -> Header:
    """The header with tags added and removed, in their existing form."""
    node = header.root.get("tags")
    value = "" if node is None else value_of(node)
    old = _parts(value) if isinstance(value, str) else texts_in("tags", value)
    kept = [tag for tag in old if tag not in remove]
    tags = list(dict.fromkeys([*kept, *(tag_of(tag) for tag in add)]))
    return header if tags == old else _with_tags(header, tags)


def checked(name: str, value: Value) -> Value:
    """A value checked for being written under a name."""
    if not _KEY.fullmatch(name):
        raise NotPossibleError(f"Invalid field name {name!r}.")
    if name in {"metadata", "body"}:
        raise NotPossibleError(f"Use edit to change `{name}`.")
    if name == "tags":
        return [tag_of(tag) for tag in texts_in(name, value)]
    if name in _ON_ONE_LINE:
        if not isinstance(value, str) or not value.strip():
            raise InvalidError(f"`{name}` must be one line of text.")
        return on_one_line(value)
    if name in _NUMBERS and not _is_number(value):
        raise InvalidError(f"`{name}` must be a number.")
    return value if isinstance(value, str) else [*texts_in(name, value)]


def place_of(header: Header, name: str, title: str) -> Path:
    """The place of a field in a header; a type may be below `metadata`.

    If there is no title under any of its keys, `title` is the key for it.
    """
    below = header.root.get("metadata")
    if name == "type" and header.root.get(name) is None and isinstance(below, Mapping):
        return ("metadata", name)
    if name in TITLES:
        keys = (name, *TITLES)
        return (next((k for k in keys if header.root.get(k) is not None), title),)
    return (name,)


def with_value(header: Header, name: str, value: Value, title: str) -> Header:
    """The header with a field set."""
    path = place_of(header, name, title)
    parent = header.at(path[:-1])
    node = parent.get(str(path[-1])) if isinstance(parent, Mapping) else None
    texts = value if isinstance(value, str) else texts_in(name, value)
    if node is None:
        form = Form.AS_IS if name in _NUMBERS else Form.AS_NEEDED
        return with_key(header, path, texts, form, _ORDER)
    if isinstance(texts, str):
        return with_scalar(header, path, texts)
    if name == "tags":
        return _with_tags(header, texts)
    return with_list(header, path, texts)


def _with_tags(header: Header, tags: Sequence[str]) -> Header:
    """The header with these tags, in their existing form."""
    node = header.root.get("tags")
    if node is None:
        return with_key(header, ("tags",), tags, order=_ORDER)
    if isinstance(node, Scalar) and node.value.strip():
        if any("," in tag for tag in tags):
            raise EditRefusedError("The tags must be one text, separated by commas.")
        return with_scalar(header, ("tags",), ", ".join(tags))
    return with_list(header, ("tags",), tags)


def without(header: Header, name: str, title: str) -> Header:
    """The header without a field."""
    path = place_of(header, name, title)
    parent = header.at(path[:-1])
    there = isinstance(parent, Mapping) and parent.get(str(path[-1])) is not None
    return without_key(header, path) if there else header


def tag_of(text: str) -> str:
    """A tag on one line; raises NotPossibleError if it is empty."""
    tag = on_one_line(text)
    if not tag:
        raise NotPossibleError("A tag can't be empty.")
    return tag


def texts_in(name: str, value: Value, separator: str = ",") -> list[str]:
    """A list of texts, or the parts of one text; raises NotPossibleError."""
    if isinstance(value, str):
        return _parts(value, separator)
    texts = [item for item in value if isinstance(item, str)]
    if not isinstance(value, list) or len(texts) < len(value):
        raise InvalidError(f"`{name}` must be a list of texts.")
    return texts


def _parts(value: str, separator: str = ",") -> list[str]:
    return [part.strip() for part in value.split(separator) if part.strip()]


def _is_number(value: Value) -> bool:
    try:
        return isinstance(value, str) and isfinite(float(value))
    except ValueError:
        return False


# Names of files: safe on every system and in every link.

_UNSAFE = re.compile(r'[#%()\[\]\x00-\x1f\x7f\\:*?"<>|\u2028\u2029]+')
"""Characters that some system or link syntax does not allow in a name."""

_MOST_BYTES = 200
"""The longest name of a file that is made, without its suffix."""


def safe_stem(name: str) -> str:
    """A name without characters that some system or link syntax does not allow.

    It does not end in `.md` either, which a link would take for the suffix of its file.
    """
    safe = _UNSAFE.sub("-", name.replace("/", "-")).strip(". -")
    while is_note(safe):
        safe = safe[:-3].rstrip(". -")
    raw = safe.encode("utf-8", "ignore")[:_MOST_BYTES]
    return raw.decode("utf-8", "ignore").rstrip(". -")


def free_path(files: PendingFiles, folder: str, stem: str, own: str = "") -> str:
    """An unused path; `own` counts as unused."""
    prefix = f"{folder}/" if folder else ""
    number, path = 1, f"{prefix}{stem}.md"
    while path != own and files.has(path):
        number += 1
        path = f"{prefix}{stem}-{number}.md"
    return path
