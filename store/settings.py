"""The user's settings, with a message for every invalid line."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import cast
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct, field
from msgspec.structs import replace

from store.derive.conversations import Price
from store.errors import UnreadableError
from store.machine import Places, read_own
from store.text import guess, near, regex

# Find the line of each statement in a TOML file.
#
# The standard library parses TOML without line numbers, and libraries that write it put
# new lines between a comment and the heading it belongs to. However, TOML consists of
# lines: from where a statement begins, the fewest lines that parse by themselves are
# that statement.

Key = tuple[str, ...]
"""A dotted name."""

LONGEST = 500
"""The most lines per statement; whatever follows a longer one is ignored."""

_LINE = regex(r"[^\n]*\n|[^\n]+")


class Statement(Struct, frozen=True):
    """A heading or an assignment."""

    key: Key
    """Its full name, including the heading above it."""
    begin: int
    """The index of its first line."""
    end: int
    """The index of the line after its last."""
    is_heading: bool


def lines_of(text: str) -> list[str]:
    """The lines with their ends; in TOML only line feeds end a line."""
    return _LINE.findall(text)


def statements(lines: Sequence[str]) -> Iterator[Statement]:
    """The statements of a valid file in order, without comments and blank lines."""
    heading: Key = ()
    begin = 0
    for end in range(1, len(lines) + 1):
        data = read_toml("".join(lines[begin:end]))
        if data is None:
            if end - begin == LONGEST:
                return
            continue
        if data:
            is_heading = lines[begin].lstrip().startswith("[")
            key = _path(data) if is_heading else heading + _path(data)
            heading = key if is_heading else heading
            yield Statement(key, begin, end, is_heading)
        begin = end


def line_of(text: str, key: Key) -> int | None:
    """The line number of a key, from 1; None if it cannot be found."""
    found = list(statements(lines_of(text)))
    within = [one for one in found if one.key[: len(key)] == key]
    around = [one for one in found if one.key and key[: len(one.key)] == one.key]
    around.sort(key=lambda one: len(one.key), reverse=True)
    return next((one.begin + 1 for one in (*within, *around)), None)


def read_toml(text: str) -> dict[str, object] | None:
    """The parsed text; None if it is invalid or incomplete."""
    import tomllib  # noqa: PLC0415  # only for changes and messages

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _path(data: dict[str, object]) -> Key:
    """The keys down to the first value that is not a table with a single entry."""
    path: list[str] = []
    table = data
    while len(table) == 1:
        ((name, value),) = table.items()
        path.append(name)
        table = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    return tuple(path)


# The settings and their defaults.


class Provider(StrEnum):
    """What turns a text into a vector."""

    OFF = "off"
    OLLAMA = "ollama"
    OPENAI = "openai"
    MODEL2VEC = "model2vec"

    @property
    def is_remote(self) -> bool:
        """Whether texts are sent to a server, even if it is on this machine."""
        return self in {Provider.OLLAMA, Provider.OPENAI}


class Semantic(Struct, frozen=True):
    """`[semantic]`: search by meaning, off by default."""

    provider: Provider = Provider.OFF
    address: str = ""
    """The address of the provider's API."""
    model: str = ""
    key_variable: str = ""
    """The environment variable with the API key; empty if none is needed."""
    seconds: float = 1.5
    """The timeout of a request."""


PROVIDERS = {
    Provider.OFF: Semantic(),
    Provider.OLLAMA: Semantic(
        Provider.OLLAMA, "http://127.0.0.1:11434", "nomic-embed-text"
    ),
    Provider.OPENAI: Semantic(
        Provider.OPENAI,
        "https://api.openai.com/v1",
        "text-embedding-3-small",
        "OPENAI_API_KEY",
    ),
    Provider.MODEL2VEC: Semantic(Provider.MODEL2VEC),
}
"""The defaults of each provider."""


class Pricing(Struct, frozen=True):
    """`[prices]`: what models cost; there are no defaults."""

    models: Mapping[str, Price] = field(default_factory=dict[str, Price])
    """Prices by the prefix of model names."""
    currency: str = "$"
    """The text before an amount."""


class Cognitive(Struct, frozen=True):
    """`[cognitive]`: what generated pages of cognitive stores show besides."""

    projects: tuple[str, ...] = ()
    """The tags that are projects."""
    sections: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    """`[cognitive.sections]`: further sections of CORE.md, each with its types."""


class NamedStore(Struct, frozen=True):
    """`[stores.NAME]`: a folder that is a store because the user says so."""

    name: str
    path: Path
    format: str
    """The name of its format; not checked here."""


class Settings(Struct, frozen=True):
    """All settings, and the problems found in their file."""

    semantic: Semantic = PROVIDERS[Provider.OFF]
    queries: Mapping[str, str] = field(default_factory=dict[str, str])
    """Saved queries by name, in the order of the file."""
    keys: Mapping[str, str] = field(default_factory=dict[str, str])
    """The keys of each command, by command name, as written by the user."""
    prices: Pricing = field(default_factory=Pricing)
    claudia_writes: bool = False
    """`[claudia] writes`: whether Claudia's conversations may be changed."""
    cognitive: Cognitive = field(default_factory=Cognitive)
    stores: tuple[NamedStore, ...] = ()
    theme: str | None = None
    mouse: bool = True
    complaints: tuple[str, ...] = ()
    """The problems found, one sentence each, with file and line."""
    store_complaints: tuple[str, ...] = ()
    """Those because of which a store may be missing."""
    path: Path = Path()
    """The path of the file."""
    text: str = ""
    """The text of the file."""

    def complaint(self, key: Key, sentence: str) -> str:
        """A sentence about the value of a key, prefixed with file and line."""
        line = line_of(self.text, key)
        return f"{self.path}:{line}: {sentence}" if line else f"{self.path}: {sentence}"


def settings_file(places: Places) -> Path:
    """The path of the settings file."""
    return places.config / "config.toml"


# Addresses of servers.

_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


def split(address: str) -> SplitResult | None:
    """A server address in its parts; None if it is invalid, or names a user."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    plain = address.isascii() and address.isprintable() and " " not in address
    about = parts.username, parts.password, parts.query or None, parts.fragment or None
    if not plain or any(part is not None for part in about) or port == 0:
        return None
    return parts if parts.scheme in {"http", "https"} and parts.hostname else None


def keeps_secrets(parts: SplitResult) -> bool:
    """Whether the connection is safe from eavesdroppers."""
    return parts.scheme == "https" or parts.hostname in _THIS_MACHINE


# One table of the settings, read with the expected types.

MOST = 20
"""The most problems reported one by one."""

MOST_AMOUNT = 1_000_000
"""The largest valid amount."""

Complaint = Callable[[Key, str], str]
"""Adds the position of a key in the file to a message."""


class Table:
    """Returns the default for a missing or invalid value; the latter is reported."""

    def __init__(
        self,
        data: Mapping[str, object],
        complaint: Complaint,
        key: Key = (),
        complaints: list[str] | None = None,
    ) -> None:
        self._data = data
        self._complaint = complaint
        self._key = key
        self._known: list[str] = []
        self.complaints: list[str] = [] if complaints is None else complaints

    def table(self, name: str) -> "Table":
        """A subtable, whose problems are reported here."""
        value = self._value(name, {})
        if not isinstance(value, dict):
            heading = ".".join((*self._key, name))
            self.complain(name, f"{name!r} must be a table, [{heading}].")
            value = dict[str, object]()
        data = cast("dict[str, object]", value)
        return Table(data, self._complaint, (*self._key, name), self.complaints)

    def text(self, name: str, usual: str) -> str:
        """A string."""
        value = self._value(name, usual)
        if isinstance(value, str):
            return value
        self.complain(name, f"{name!r} must be a text in quotes.")
        return usual

    def required(self, name: str) -> str:
        """A text that is not blank; empty if it is missing or invalid."""
        value = self._value(name, None)
        if isinstance(value, str) and value.strip():
            return value
        wrong = (
            "cannot be blank" if isinstance(value, str) else "must be a text in quotes"
        )
        self.complain(name, f"{name!r} {'is missing' if value is None else wrong}.")
        return ""

    def one_of(self, name: str, words: Sequence[str], usual: str) -> str:
        """One of several words."""
        value = self.text(name, usual)
        if value in words:
            return value
        self.complain(
            name,
            f"{name!r} must be one of {', '.join(words)}{guess(value, words, '.')}",
        )
        return usual

    def flag(self, name: str, *, usual: bool) -> bool:
        """A boolean."""
        value = self._value(name, usual)
        if isinstance(value, bool):
            return value
        self.complain(name, f"{name!r} must be true or false.")
        return usual

    def number(self, name: str, usual: float, most: float) -> float:
        """A number above 0 and up to `most`."""
        value = self._value(name, usual)
        sensible = isinstance(value, int | float) and 0 < value <= most
        if sensible and not isinstance(value, bool):
            return float(cast("float", value))
        sentence = f"{name!r} must be a number above 0, at most {most:g}."
        self.complain(name, sentence)
        return usual

    def amount(self, name: str, usual: float | None = None) -> float | None:
        """A number from 0; None if it is missing or invalid."""
        value = self._value(name, usual)
        sensible = isinstance(value, int | float) and 0 <= value <= MOST_AMOUNT
        if sensible and not isinstance(value, bool):
            return float(cast("float", value))
        sentence = f"{name!r} must be a number from 0 to {MOST_AMOUNT:,}."
        self.complain(name, sentence)
        return None

    def tables(self, *, besides: str | None = None) -> "Iterator[tuple[str, Table]]":
        """Every subtable by its name, except `besides`, which is no table.

        Their problems are reported here.
        """
        for name in self._data:
            if name != besides:
                yield name, self.table(name)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, in file order."""
        return tuple(self._data)

    def list_of_texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty if it is missing or invalid."""
        value = self._value(name, [])
        given = cast("list[object]", value) if isinstance(value, list) else [None]
        texts = tuple(one for one in given if isinstance(one, str))
        if len(texts) == len(given):
            return texts
        self.complain(name, f"{name!r} must be a list of texts in quotes.")
        return ()

    def texts(self) -> dict[str, str]:
        """Every name with its string, in file order."""
        given: dict[str, str] = {}
        for name, value in self._data.items():
            if isinstance(value, str):
                given[name] = value
            else:
                self.complain(name, f"{name!r} must be a text in quotes.")
        return given

    def no_others(self) -> None:
        """Report every name that was not read."""
        for name in self._data:
            if len(self.complaints) > MOST:
                return
            if name not in self._known:
                self.complain(name, f"Unknown setting {name!r}{self._meant(name)}")

    def complain(self, name: str, sentence: str) -> None:
        """Report what is wrong with a value, unless there are too many reports."""
        if len(self.complaints) == MOST:
            sentence = "More invalid settings follow; they aren't listed."
        if len(self.complaints) <= MOST:
            self.complaints.append(self._complaint((*self._key, name), sentence))

    def _value(self, name: str, usual: object) -> object:
        self._known.append(name)
        return self._data.get(name, usual)

    def _meant(self, name: str) -> str:
        """A suggestion for a mistyped name, if there is one."""
        meant = near(name, self._known)
        return f"; did you mean {meant}?" if meant else "."


# Read the settings; whatever is invalid is reported and ignored.

LIMIT = 256 * 1024
"""The largest settings file that is read."""

_AT_LINE = regex(r" \(at line (\d+), column \d+\)\Z")
_LONGEST_WAIT = 60.0

_NOT_A_NAME = regex(r"/|^[.~-]|[\x00-\x1f\x7f]")
_NAMES = "A store name can't be empty, contain / or begin with . ~ or -."
"""Any other name could be mistaken for a path or an option."""


def read_settings(places: Places) -> Settings:
    """The user's settings; the defaults if the file is missing or invalid."""
    path = settings_file(places)
    try:
        raw = read_own(path, LIMIT)
    except UnreadableError as error:
        return _unusable(path, str(error))
    if raw is None:
        return Settings(path=path)
    import tomllib  # noqa: PLC0415  # a third of the time to load settings

    try:
        text = raw.decode()
        data = tomllib.loads(text)
    except ValueError as error:
        return _unusable(path, f"{path}{_why(error)}")
    except RecursionError:
        return _unusable(
            path, f"{path}: Nested too deeply; the default settings are used."
        )
    return _settings(data, Settings(path=path, text=text))


def _unusable(path: Path, sentence: str) -> Settings:
    """The defaults, if nothing of a file can be read."""
    return Settings(path=path, complaints=(sentence,), store_complaints=(sentence,))


def _settings(data: Mapping[str, object], usual: Settings) -> Settings:
    """The settings in valid TOML."""
    top = Table(data, usual.complaint)
    stores = _stores(top.table("stores"))
    store_complaints = tuple(top.complaints)
    semantic = _semantic(top.table("semantic"))
    settings = replace(
        usual,
        semantic=semantic,
        queries=top.table("queries").texts(),
        keys=top.table("keys").texts(),
        prices=_pricing(top.table("prices")),
        claudia_writes=_claudia_writes(top.table("claudia")),
        cognitive=_cognitive(top.table("cognitive")),
        stores=stores,
        store_complaints=store_complaints,
        theme=top.text("theme", "") or None,
        mouse=top.flag("mouse", usual=usual.mouse),
    )
    top.no_others()
    complaints = in_order(usual.path, top.complaints[:MOST])
    return replace(settings, complaints=(*complaints, *top.complaints[MOST:]))


def in_order(path: Path, complaints: Iterable[str]) -> list[str]:
    """Complaints about a file by line; those about all of it first."""

    def line(complaint: str) -> int:
        number = complaint.removeprefix(f"{path}:").partition(":")[0]
        return int(number) if number.isdecimal() else 0

    return sorted(complaints, key=line)


def _semantic(table: Table) -> Semantic:
    provider = Provider(table.one_of("provider", tuple(Provider), Provider.OFF))
    usual = PROVIDERS[provider]
    address = table.text("address", usual.address)
    if address != usual.address and split(address) is None:
        table.complain(
            "address", "The address must be an http or https URL with a host."
        )
        address = usual.address
    semantic = Semantic(
        provider=provider,
        address=address.rstrip("/"),
        model=table.text("model", usual.model) or usual.model,
        key_variable=table.text("key_variable", usual.key_variable),
        seconds=table.number("seconds", usual.seconds, _LONGEST_WAIT),
    )
    table.no_others()
    return semantic


def _claudia_writes(table: Table) -> bool:
    writes = table.flag("writes", usual=False)
    table.no_others()
    return writes


def _cognitive(table: Table) -> Cognitive:
    projects = table.list_of_texts("projects")
    sections = table.table("sections")
    types = {name: sections.list_of_texts(name) for name in sections.names}
    table.no_others()
    return Cognitive(projects, types)


def _stores(table: Table) -> tuple[NamedStore, ...]:
    """Stores by name: one table per store."""
    stores: dict[Path, NamedStore] = {}
    for name, each in table.tables():
        path, form = _folder(each), each.required("format")
        each.no_others()
        if _NOT_A_NAME.search(name) or not name.strip():
            table.complain(name, _NAMES)
        elif path in stores:
            each.complain("path", f"{path} is already the store {stores[path].name!r}.")
        elif path and form:
            stores[path] = NamedStore(name, path, form)
    return tuple(stores.values())


def _folder(table: Table) -> Path | None:
    """The path of a store."""
    text = table.required("path")
    first, _, rest = text.partition("/")
    path = Path.home() / rest if first == "~" else Path(text)
    if text and not path.is_absolute():
        table.complain("path", "'path' must start with / or ~/.")
    return path if path.is_absolute() else None


def _pricing(table: Table) -> Pricing:
    """Prices: one table per prefix of model names."""
    currency = table.text("currency", Pricing().currency)
    prices = {name: _price(each) for name, each in table.tables(besides="currency")}
    models = {name: price for name, price in prices.items() if price}
    return Pricing(models, currency)


def _price(table: Table) -> Price | None:
    """A price; cache reads and writes cost as much as input by default."""
    read, written = table.amount("input"), table.amount("output")
    if read is None or written is None:
        table.no_others()
        return None
    from_cache = table.amount("cache_read", read)
    to_cache = table.amount("cache_creation", read)
    table.no_others()
    if from_cache is None or to_cache is None:
        return None
    return Price(read, written, from_cache, to_cache)


def _why(error: ValueError) -> str:
    """What is wrong with a file that is not TOML, with the line if known."""
    if isinstance(error, UnicodeDecodeError):
        return ": Not valid UTF-8; the default settings are used."
    message = str(error)
    at = _AT_LINE.search(message)
    line = f":{at[1]}" if at else ""
    what = _AT_LINE.sub("", message).removesuffix(" (at end of document)")
    return f"{line}: Invalid TOML; the default settings are used: {what}."
