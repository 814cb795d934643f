"""The parts of a message: what is thought, said, called, and what else there is."""

from collections.abc import Iterator, Sequence

from store.talk.apart import apart
from store.talk.said import Outcome, Said, Written
from tui.browser.first.counting import counted
from tui.faces.quantities import compact, sized
from widgets.columns.types import code
from widgets.reader.bodies import Body, Joined, Markdown, Plain
from widgets.reader.runs import Run, Target
from widgets.transcript.entry import CALL, FAILED, MARK, NOTE, SAID, THOUGHT, Part
from widgets.transcript.heads import Told, call, folded
from widgets.transcript.outputs import GUIDE, Indented, Output

AGENT = "agent"
"""The kind of target that names a call which started a sub-agent."""

_STARTING = frozenset({"Agent", "Task"})
"""The tools that start sub-agents."""

_USED = "[Used tools: {}]"
"""How stores say which tools a message used that keep nothing else of its calls."""

_HELPING = {"meta": "asked", "reply": "says", "tool_result": "↳"}
"""What a sub-agent does, in a word."""

_ASKED = Run("▎ ", "edge")
_SHORT = 60
"""Characters of an aside that need not be folded."""


def parts_of(said: Said, cwd: str | None) -> tuple[Part, ...]:
    """The parts of a message, in the order in which they came to be."""
    if said.agent is not None:
        return (_helper(said),)
    words, lines = apart(said.text, said.tools)
    used = _USED.format(", ".join(said.tools))
    if not lines and said.tools and words.endswith(used):
        words = words.removesuffix(used).rstrip()
        return (*_thought(said), *_words(said, words), *_named(said))
    return (*_thought(said), *_words(said, words), *_calls(said, lines, cwd))


def marks_of(written: Sequence[Written]) -> tuple[Part, ...]:
    """What leads to the memories that a message wrote."""
    return tuple(
        Part(
            f"wrote {one.ref}",
            MARK,
            folded(_mark(one)),
            target=Target("ref", one.ref),
            text=one.title,
        )
        for one in written
    )


def _mark(written: Written) -> Told:
    letters, tone = code(written.type)
    return Told(
        f"→ {letters}",
        written.title,
        sign="◆ ",
        sign_tone="vault",
        tone=tone,
        can_fold=False,
        leads=True,
    )


def _thought(said: Said) -> Iterator[Part]:
    """What its writer thought; some of it is hidden from everybody."""
    if said.thoughts:
        words = compact(len(said.thoughts.split()))
        told = Told("thinking", asides=(f"{words} words",), sign="∴ ")
        body = Indented(Markdown(said.thoughts), GUIDE)
        yield Part("thoughts", THOUGHT, folded(told), body, text=said.thoughts)
    elif said.kind == "thinking":
        told = Told("thinking", asides=("not told",), sign="∴ ", can_fold=False)
        yield Part("thoughts", THOUGHT, folded(told))


def _helper(said: Said) -> Part:
    """A message of a sub-agent that has no transcript of its own: a line each."""
    words = said.text or said.thoughts
    first, _, more = words.strip().partition("\n")
    name, colon, about = first.partition(": ")
    if said.kind != "tool_use" or not colon:
        name, about = _HELPING.get(said.kind, said.kind), first
    lines = (counted(words.count("\n") + 1, "lines"),) if more else ()
    told = Told(name, about, lines, sign="┊ ", tone="faint")
    return Part("words", NOTE, folded(told), Indented(Output(words), GUIDE), text=words)


def _words(said: Said, words: str) -> Iterator[Part]:
    """What it says."""
    if not words:
        return
    if said.kind == "prompt":
        yield Part("words", SAID, body=Indented(Plain(words), _ASKED), text=words)
    elif said.kind in {"reply", "tool_use", "thinking"}:
        yield Part("words", SAID, body=Indented(Markdown(words)), text=words)
    else:
        yield _aside(said, words)


def _aside(said: Said, words: str) -> Part:
    """What nobody says: what a program put in, what a command wrote."""
    first, _, more = words.strip().partition("\n")
    is_short = not more and len(first) <= _SHORT
    has_failed = said.has_failed or said.kind == "interrupt"
    told = Told(
        said.kind.replace("_", " "),
        first,
        (counted(words.count("\n") + 1, "lines"),) if more else (),
        tone="error_type" if has_failed else "muted",
        can_fold=not is_short,
    )
    body = None if is_short else Indented(Output(words), GUIDE)
    kind = FAILED if has_failed else NOTE
    return Part("words", kind, folded(told), body, text=words)


def _calls(said: Said, lines: Sequence[str], cwd: str | None) -> Iterator[Part]:
    """The calls that it makes; those of which more is known than a line."""
    first = len(said.tools) - len(lines)
    for number, line in enumerate(lines, first):
        name = " ".join(said.tools[number].split()) or "tool"
        about = line.removeprefix(name).removeprefix(": ")
        has_id = number < len(said.calls)
        key = said.calls[number] if has_id else f"call {number}"
        outcome = said.outcomes[number] if number < len(said.outcomes) else None
        yield _call(key, name, _short(about, cwd), outcome)


def _named(said: Said) -> Iterator[Part]:
    """The calls that it makes, where nothing but the tools' names is kept."""
    for number, name in enumerate(said.tools):
        told = Told(" ".join(name.split()), can_fold=False)
        yield Part(f"call {number}", CALL, call(told, has_failed=None), text=name)


def _call(key: str, name: str, about: str, outcome: Outcome | None) -> Part:
    has_failed = outcome.has_failed if outcome else None
    starts = name in _STARTING
    follows = ("l follows",) if starts else ()
    told = Told(name, about, (*_asides(outcome), *follows))
    answer = outcome.text if outcome else ""
    bodies: list[Body] = [Output(about)]
    if answer:
        bodies.append(Output(answer, "error_type" if has_failed else ""))
    return Part(
        key,
        FAILED if has_failed else CALL,
        call(told, has_failed=has_failed),
        Indented(Joined(*bodies), GUIDE),
        is_whole=False,
        target=Target(AGENT, key) if starts else None,
        text=f"{about}\n{answer}",
    )


def _asides(outcome: Outcome | None) -> Iterator[str]:
    """How a call ended: what went wrong, or how much it brought."""
    if outcome is None:
        yield "no answer"
        return
    if outcome.has_failed:
        yield outcome.text.strip().partition("\n")[0] or "failed"
    if outcome.is_cut:
        yield f"up to {sized(outcome.extent)}"
    elif outcome.text:
        yield counted(outcome.text.rstrip("\n").count("\n") + 1, "lines")
        yield sized(len(outcome.text.encode("utf-8", "replace")))


def _short(about: str, cwd: str | None) -> str:
    """What a call is about; a path within the folder without that folder."""
    return about.removeprefix(f"{cwd.rstrip('/')}/") if cwd else about
