"""Words to be searched for, and which texts they may be found in."""

import re
from collections.abc import Sequence

from msgspec import Struct

from store.errors import WrongUseError
from store.formats.claudia.search_index import Findable
from store.times import Instant, parse

_FILTER = re.compile(r"(category|cwd|from|to):(.*)", re.DOTALL)
_PART = re.compile(r'"([^"]*)"?|(\S+)')


class Query(Struct, frozen=True):
    """What is looked for."""

    words: tuple[str, ...]
    """Words and phrases that all have to be there."""
    category: str | None = None
    cwd: str | None = None
    since: Instant | None = None
    until: Instant | None = None

    @classmethod
    def of(cls, words: Sequence[str]) -> "Query":
        """Understand the words of a question; raises WrongUseError."""
        filters: dict[str, str] = {}
        wanted: list[str] = []
        for word in words:
            found = _FILTER.fullmatch(word)
            if found:
                filters[found[1]] = found[2]
            else:
                wanted += (phrase or one for phrase, one in _PART.findall(word))
        parts = tuple(part for part in wanted if part.strip())
        if not parts:
            raise WrongUseError("`search` needs a word to look for.")
        return cls(
            parts,
            filters.get("category"),
            filters.get("cwd"),
            _moment("from", filters),
            _moment("to", filters),
        )

    @property
    def match(self) -> str:
        """The words as FTS5 is asked for them: each quoted, so that none is syntax."""
        return " ".join('"' + word.replace('"', '""') + '"' for word in self.words)

    def admits(self, text: Findable) -> bool:
        """Whether a text is one of those that may be found."""
        if self.category not in {None, text.category}:
            return False
        if self.cwd is not None and self.cwd not in text.cwd:
            return False
        at = parse(text.at)
        if self.since and at < self.since:
            return False
        return not (self.until and at > self.until)

    def occurs_in(self, text: str) -> bool:
        """Whether all words occur as they are, case aside."""
        folded = text.casefold()
        return all(word.casefold() in folded for word in self.words)


def _moment(name: str, filters: dict[str, str]) -> Instant | None:
    """The instant that a filter names; a day that it reaches to is there to its end."""
    value = filters.get(name)
    if value is None:
        return None
    whole_day = name == "to" and len(value) == len("YYYY-MM-DD")
    moment = parse(f"{value}T23:59:59.999999Z" if whole_day else value)
    if moment.micros is None:
        raise WrongUseError(f"{value!r} after `{name}:` is no date.")
    return moment
