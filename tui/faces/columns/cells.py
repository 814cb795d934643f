"""Cells that many columns share: a field as text, a day, a size, a beginning."""

from collections.abc import Callable

from store.clean import clean
from tui.faces.columns.column import Column, Listed
from tui.faces.instants import TO_THE_MINUTE
from tui.faces.quantities import compact, sized

_SHORT_REF = 8
"""Characters of a ref that tables show: any unambiguous beginning names a record."""

_TO_THE_SECOND = len("2026-02-14T10:30:05")
_DAY = len("2026-02-14")

_LONGEST = 1000
"""Characters of a line that tables look at; none is so wide."""

_STYLES = {
    "error": "red",
    "failed": "red",
    "rejected": "red",
    "warning": "yellow",
    "queued": "yellow",
    "processing": "yellow",
    "review": "yellow",
    "vault": "magenta",
    "active": "green",
    "running": "green",
    "ready": "cyan",
    "dormant": "dim",
    "archived": "dim",
    "skipped": "dim",
    "merged": "dim",
}
"""The colours of words that say how something is."""


def field(name: str) -> Callable[[Listed], str]:
    """A field as it is, or nothing."""

    def cell(record: Listed) -> str:
        value = getattr(record, name)
        return "" if value is None else clean(str(value))

    return cell


def beginning(name: str) -> Callable[[Listed], str]:
    """The first line of a field that may be long."""

    def cell(record: Listed) -> str:
        return clean(first_line(getattr(record, name) or "")[:_LONGEST])

    return cell


def first_line(text: str) -> str:
    """The first line of a text that is not blank."""
    return text.lstrip().partition("\n")[0].rstrip()


def share(name: str) -> Callable[[Listed], str]:
    """A share of one, with two digits."""

    def cell(record: Listed) -> str:
        value = getattr(record, name)
        return f"{value:.2f}" if isinstance(value, float) else clean(str(value or ""))

    return cell


def number(title: str, name: str, width: int) -> Column:
    """A column of numbers, where nothing is shown for none."""

    def cell(record: Listed) -> str:
        return str(getattr(record, name) or "")

    return Column(title, cell, width, right=True, is_sparse=True, piped=field(name))


def day(name: str) -> Callable[[Listed], str]:
    """The day of an instant."""
    return _instant(name, _DAY)


def minute(name: str) -> Callable[[Listed], str]:
    """The day and the time of an instant, as written."""
    return _instant(name, TO_THE_MINUTE)


def second(name: str) -> Callable[[Listed], str]:
    """The same, to the second."""
    return _instant(name, _TO_THE_SECOND)


def _instant(name: str, length: int) -> Callable[[Listed], str]:
    def cell(record: Listed) -> str:
        return clean(getattr(record, name) or "")[:length].replace("T", " ")

    return cell


def styled(name: str) -> Callable[[Listed], str]:
    """The colour of a field's word."""

    def style(record: Listed) -> str:
        return style_of(getattr(record, name))

    return style


def style_of(word: object) -> str:
    """The colour of a word that says how something is."""
    return _STYLES.get(word, "") if isinstance(word, str) else ""


def ref() -> Column:
    """The column that names a record: short in a table, whole in a pipe."""
    return Column("Ref", _short_ref, _SHORT_REF, piped=field("ref"))


def store() -> Column:
    """The column that tells the store, where there is plenty of room."""
    return Column("Store", field("store"), is_path=True, is_spare=True)


def short_ref(whole: str) -> str:
    """A beginning of a ref: short enough to type, hardly ever another's."""
    return whole.partition(":")[2][:_SHORT_REF]


def _short_ref(record: Listed) -> str:
    return short_ref(getattr(record, "ref", None) or "")


def size(name: str) -> Callable[[Listed], str]:
    """A number of bytes as people say it."""

    def cell(record: Listed) -> str:
        return sized(getattr(record, name))

    return cell


def few_digits(value: int) -> str:
    """A large number in few characters; nothing for none."""
    return compact(value) if value else ""
