"""Rules in texts, such as «always use tabs», and the ones that contradict them."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Rule(NamedTuple):
    """A sentence that says what to do, or not to do."""

    ref: str
    """The memory; empty for instructions that are not a memory."""
    title: str
    """Where it is said."""
    text: str
    """The sentence."""
    subject: frozenset[str]
    """The words that say what it is about."""
    value: str
    """What it wants for its subject: `yes`, `no`, or the words before «for»."""


_SENTENCE = re.compile(r"[^\n.;!?]{6,160}")
_NEVER = (
    r"never|do not|don't|must not|mustn't|should not|shouldn't|avoid|stop|no longer|"
    r"not allowed to"
)
_ALWAYS = r"always|must|should|prefer|do"
_RULE = re.compile(
    r"^\W*(?:we |you |please |\w+: )?"
    rf"(?:(?P<no>{_NEVER})|(?P<yes>{_ALWAYS}))\b(?P<what>.+)",
    re.IGNORECASE,
)
_USE = re.compile(
    r"^\W*(?:always |we |please )*use (?P<value>[\w`.+#-]+(?: [\w`.+#-]+)?) "
    r"for (?:the |all |any |our )?(?P<what>[^,(]+)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_EMPTY = frozenset(
    _WORD.findall(
        "a an the to of in on at for with and or any all every this that it its be is "
        "are please always never use using when if as by from into"
    )
)
_LEAST, _MOST = 2, 9


def rules_in(ref: str, title: str, text: str) -> Iterator[Rule]:
    """The rules in a text."""
    for sentence in _SENTENCE.findall(text):
        used = _USE.match(sentence)
        if used:
            about = _subject(used["what"])
            if about:
                value = used["value"].strip("`").casefold()
                yield Rule(ref, title, sentence.strip(), about | {"use"}, value)
        said = _RULE.match(sentence)
        if said:
            about = _subject(said["what"])
            if _LEAST <= len(about) <= _MOST:
                value = "no" if said["no"] else "yes"
                yield Rule(ref, title, sentence.strip(), about, value)


def _subject(text: str) -> frozenset[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(word for word in words if word not in _EMPTY)


def opposites(rules: Iterable[Rule]) -> Iterator[tuple[Rule, Rule]]:
    """Pairs of rules that want different things for one subject; each memory once."""
    first: dict[tuple[frozenset[str], bool], Rule] = {}
    told: set[tuple[str, str]] = set()
    for rule in rules:
        is_yes_or_no = rule.value in {"yes", "no"}
        other = first.setdefault((rule.subject, is_yes_or_no), rule)
        pair = (rule.ref, other.title)
        if not rule.ref or rule.ref == other.ref or rule.value == other.value:
            continue
        if pair not in told:
            told.add(pair)
            yield rule, other
