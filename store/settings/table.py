"""One table of the settings, asked for values of the types that they ought to have."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from store.settings.statements import Key

MOST = 20
"""How many complaints are told one by one."""

MOST_AMOUNT = 1_000_000
"""The largest amount that is sensible."""

Complaint = Callable[[Key, str], str]
"""Says where in the file the trouble with a key is."""


class Table:
    """Answers with the usual where a value is missing, or of no use; that is told."""

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
        """A table within this one; what it complains of is told here."""
        value = self._value(name, {})
        if not isinstance(value, dict):
            self.complain(name, f"{name!r} ought to be a table, [{name}].")
            value = dict[str, object]()
        data = cast("dict[str, object]", value)
        return Table(data, self._complaint, (*self._key, name), self.complaints)

    def text(self, name: str, usual: str) -> str:
        """A text."""
        value = self._value(name, usual)
        if isinstance(value, str):
            return value
        self.complain(name, f"{name!r} ought to be a text in quotes.")
        return usual

    def one_of(self, name: str, words: Sequence[str], usual: str) -> str:
        """One of several words."""
        value = self.text(name, usual)
        if value in words:
            return value
        self.complain(name, f"{name!r} ought to be one of {', '.join(words)}.")
        return usual

    def flag(self, name: str, *, usual: bool) -> bool:
        """Yes or no."""
        value = self._value(name, usual)
        if isinstance(value, bool):
            return value
        self.complain(name, f"{name!r} ought to be true or false.")
        return usual

    def number(self, name: str, usual: float, most: float) -> float:
        """A number above 0, up to one that is sensible."""
        value = self._value(name, usual)
        sensible = isinstance(value, int | float) and 0 < value <= most
        if sensible and not isinstance(value, bool):
            return float(cast("float", value))
        sentence = f"{name!r} ought to be a number above 0 and at most {most:g}."
        self.complain(name, sentence)
        return usual

    def amount(self, name: str, usual: float | None = None) -> float | None:
        """A number, be it 0; None where there is none that is sensible."""
        value = self._value(name, usual)
        sensible = isinstance(value, int | float) and 0 <= value <= MOST_AMOUNT
        if sensible and not isinstance(value, bool):
            return float(cast("float", value))
        sentence = f"{name!r} ought to be a number from 0 to {MOST_AMOUNT:,}."
        self.complain(name, sentence)
        return None

    def tables(self, *, besides: str) -> "Iterator[tuple[str, Table]]":
        """Every table within this one by its name; one name stands for something else.

        What each complains of is told here.
        """
        for name in self._data:
            if name != besides:
                yield name, self.table(name)

    def texts(self) -> dict[str, str]:
        """Every name with its text, in the order of the file."""
        given: dict[str, str] = {}
        for name, value in self._data.items():
            if isinstance(value, str):
                given[name] = value
            else:
                self.complain(name, f"{name!r} ought to be a text in quotes.")
        return given

    def no_others(self) -> None:
        """Complain of every name that nobody asked for."""
        for name in self._data:
            if len(self.complaints) > MOST:
                return
            if name not in self._known:
                self.complain(name, f"{name!r} is no setting{self._meant(name)}")

    def complain(self, name: str, sentence: str) -> None:
        """Tell what is wrong with a value, unless enough was told already."""
        if len(self.complaints) == MOST:
            sentence = "There is more to complain of from here on."
        if len(self.complaints) <= MOST:
            self.complaints.append(self._complaint((*self._key, name), sentence))

    def _value(self, name: str, usual: object) -> object:
        self._known.append(name)
        return self._data.get(name, usual)

    def _meant(self, name: str) -> str:
        """The setting that was meant, as far as that can be told."""
        from store.search.nearest import near  # noqa: PLC0415  # for mistakes

        meant = near(name, self._known)
        return f"; did you mean {meant}?" if meant else "."
