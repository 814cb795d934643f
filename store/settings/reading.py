"""Settings as they are read: whatever is wrong in the file is told and left out."""

import re
from collections.abc import Mapping

from msgspec.structs import replace

from store.derive.cost import Price
from store.errors import UnreadableError
from store.places import Places
from store.private import read_own
from store.settings.address import is_address
from store.settings.record import (
    PROVIDERS,
    Pricing,
    Provider,
    Semantic,
    Settings,
    settings_file,
)
from store.settings.table import Table

LIMIT = 256 * 1024
"""The largest file that is read as settings."""

_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)\Z")
_LONGEST_WAIT = 60.0


def read_settings(places: Places) -> Settings:
    """The user's settings; the usual ones where there is no file, or no valid one."""
    path = settings_file(places)
    try:
        raw = read_own(path, LIMIT)
    except UnreadableError as error:
        return Settings(path=path, complaints=(str(error),))
    if raw is None:
        return Settings(path=path)
    import tomllib  # noqa: PLC0415  # a third of what loading settings costs

    try:
        text = raw.decode()
        data = tomllib.loads(text)
    except ValueError as error:
        return Settings(path=path, complaints=(f"{path}{_why(error)}",))
    except RecursionError:
        sentence = f"{path}: This is nested too deeply to be read."
        return Settings(path=path, complaints=(sentence,))
    return _settings(data, Settings(path=path, text=text))


def _settings(data: Mapping[str, object], usual: Settings) -> Settings:
    """What valid TOML says."""
    top = Table(data, usual.complaint)
    semantic = _semantic(top.table("semantic"))
    settings = replace(
        usual,
        semantic=semantic,
        queries=top.table("queries").texts(),
        keys=top.table("keys").texts(),
        prices=_pricing(top.table("prices")),
        claudia_writes=_claudia_writes(top.table("claudia")),
        theme=top.text("theme", "") or None,
        mouse=top.flag("mouse", usual=usual.mouse),
    )
    top.no_others()
    return replace(settings, complaints=tuple(top.complaints))


def _semantic(table: Table) -> Semantic:
    provider = Provider(table.one_of("provider", tuple(Provider), Provider.OFF))
    usual = PROVIDERS[provider]
    address = table.text("address", usual.address)
    if address != usual.address and not is_address(address):
        table.complain("address", "address is no http or https address of a host.")
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


def _pricing(table: Table) -> Pricing:
    """Prices, a table each beneath the beginning of a model's name."""
    currency = table.text("currency", Pricing().currency)
    prices = {name: _price(each) for name, each in table.tables(besides="currency")}
    models = {name: price for name, price in prices.items() if price}
    return Pricing(models, currency)


def _price(table: Table) -> Price | None:
    """A price; what is read from a cache or put there costs what is read otherwise."""
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
    """What is wrong with a file that is no TOML, and where if that is known."""
    if isinstance(error, UnicodeDecodeError):
        return ": This is no UTF-8 text, so all settings are the usual ones."
    message = str(error)
    at = _AT_LINE.search(message)
    line = f":{at[1]}" if at else ""
    what = _AT_LINE.sub("", message).removesuffix(" (at end of document)")
    return f"{line}: This is no TOML, so all settings are the usual ones: {what}."
