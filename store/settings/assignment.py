"""One assignment of a TOML file, changed without touching what surrounds it."""

import json
import re
import tomllib

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def key_text(name: str) -> str:
    """A name as it stands before an equals sign."""
    return name if _BARE.fullmatch(name) else value_text(name)


def value_text(text: str) -> str:
    """A text as it stands after one: as in JSON, but for one control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def with_value(assignment: str, text: str) -> str:
    """The assignment with another value; the comment behind it stays."""
    head, _, tail = _parts(assignment)
    return f"{head}= {value_text(text)}{tail}"


def with_name(assignment: str, name: str) -> str:
    """The assignment with another last name before its equals sign."""
    head, value, tail = _parts(assignment)
    last = _last_name(head)
    before, blanks = head[: len(head) - len(last)], last[len(last.rstrip()) :]
    return f"{before}{key_text(name)}{blanks}={value}{tail}"


def _parts(assignment: str) -> tuple[str, str, str]:
    """What stands before the equals sign, behind it, and behind the value."""
    equals = next(
        at
        for at, character in enumerate(assignment)
        if character == "=" and _is_toml(f"{assignment[:at]}= 0")
    )
    head, behind = assignment[:equals], assignment[equals + 1 :]
    end = next(
        at
        for at, character in enumerate(behind + "#")
        if character == "#" and _is_toml(f"x ={behind[:at]}")
    )
    value = behind[:end].rstrip()
    return head, value, behind[len(value) :]


def _last_name(head: str) -> str:
    """The last of the names that dots join, and the blanks behind it."""
    dots = [at for at, character in enumerate(head) if character == "."]
    whole = head[len(head) - len(head.lstrip()) :]
    behind = (head[at + 1 :] for at in dots if _is_toml(f"{head[:at]} = 0"))
    return min((name.lstrip() for name in behind), key=len, default=whole)


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except ValueError:
        return False
    return True
