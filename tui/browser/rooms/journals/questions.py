"""What journals can be asked beside being listed, and the queries that were saved."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from store.library import Library
from tui.browser.facets.gathered import counts_of

_FORMAT = "kei"
"""The format whose stores keep journals."""

_FIRST = {
    "events-of-class": ("Q1", "tool_use:Bash"),
    "events-per-session": ("Q2", ""),
    "errors-per-session": ("Q3", ""),
    "task-median": ("Q4", "audit"),
    "token-outliers": ("Q5", ""),
}
"""The questions that the format's own description puts, and what it asks there."""

_RECIPES = ("classes", "session-durations", "task-medians", "commands")
"""What it gives recipes for besides."""


class Asked(Struct, frozen=True):
    """A question, or a query, as somebody chose it."""

    name: str
    """The word for the question; of a query what it was saved as."""
    query: str = ""
    """The query, where it is one."""
    words: str = ""
    """What may follow the question's name, as a usage line would say it."""
    usual: str = ""
    """What stands there to begin with."""
    help: str = ""
    mark: str = ""
    """What the format's description calls it."""
    count: int | None = None
    """How much the query finds."""

    @property
    def needs_words(self) -> bool:
        """Whether something must follow its name."""
        return bool(self.words) and not self.words.startswith("[")


def questions_of(library: Library) -> list[Asked]:
    """What stores can be asked: as the format's description has it, then the rest."""
    known = {
        question.name: question
        for found, question in library.questions()
        if found.format.name == _FORMAT
    }
    order = [*_FIRST, *_RECIPES]
    names = [name for name in order if name in known]
    names += [name for name in known if name not in order]
    return [
        Asked(
            name,
            words=known[name].words,
            usual=_FIRST.get(name, ("", ""))[1],
            help=known[name].help,
            mark=_FIRST.get(name, ("recipe" if name in _RECIPES else "", ""))[0],
        )
        for name in names
    ]


def queries_of(
    library: Library, kind: str, saved: Mapping[str, str]
) -> Sequence[Asked]:
    """The saved queries, with how much each finds of a kind where that makes sense."""
    counts = counts_of(library, kind, saved)
    texts: dict[str, str] = {}
    for name, text in saved.items():
        texts.setdefault(text, name)
    return [
        Asked(name, query=text, help=text, count=counts.get(name))
        for text, name in texts.items()
    ]
