"""Pages of the sample format: `title | type | link, link`, one a page or one a line."""

from store.findings import (
    Claim,
    Findings,
    Flaw,
    Mark,
    MemoryFound,
    Severity,
    Side,
    name_key,
)

_PARTS = 3


def read_single(path: str, raw: bytes) -> Findings:
    """The one memory of a page."""
    return _together([_line(path, None, raw)], 0)


def read_log(raw: bytes, since: int) -> Findings:
    """The memories that a log gained since an offset; a torn last line waits."""
    end = raw.rfind(b"\n") + 1
    number = raw.count(b"\n", 0, since)
    lines = raw[since:end].splitlines()
    found = [
        _line("log", number + count, line) for count, line in enumerate(lines, start=1)
    ]
    return _together(found, end)


def _line(path: str, line: int | None, raw: bytes) -> Findings:
    """One memory and its links."""
    try:
        title, kind, links = (part.strip() for part in raw.decode().split("|"))
    except ValueError:
        message = f"A memory is `title | type | links`, in {_PARTS} parts."
        flaw = Flaw(
            code="no-sample", message=message, severity=Severity.ERROR, line=line
        )
        return Findings(flaws=(flaw,))
    own = name_key(title)
    claims = tuple(
        Claim(
            start=own,
            end=name_key(name),
            type="link",
            side=Side.WIKILINK,
            end_title=name.strip(),
            line=line,
        )
        for name in links.split(",")
        if name.strip()
    )
    memory = MemoryFound(
        title=title or path, type=kind, names=(own,), line=line, body=raw.decode()
    )
    return Findings(memories=(memory,), claims=claims)


def _together(found: list[Findings], offset: int) -> Findings:
    """The findings of all lines."""
    return Findings(
        memories=tuple(memory for one in found for memory in one.memories),
        claims=tuple(claim for one in found for claim in one.claims),
        flaws=tuple(flaw for one in found for flaw in one.flaws),
        mark=Mark(offset),
    )
