"""A body as prose: code blanked out, every other character where it was."""

import re

_FENCE = re.compile(r"[ \t]*(?:[-*+>][ \t]+)*(`{3,}|~{3,})(.*)")
_TICKS = re.compile("`+")


def without_code(text: str) -> str:
    """Put spaces where fenced and inline code stands, so that offsets stay true."""
    if "`" not in text and "~~~" not in text:
        return text
    fence = ""
    lines: list[str] = []
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            lines.append(" " * len(line))
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif mark and "`" not in mark[2]:
            lines.append(" " * len(line))
            fence = mark[1]
        else:
            lines.append(_without_spans(line))
    return "\n".join(lines)


def _without_spans(line: str) -> str:
    """Blank inline code: a run of ticks up to the next run that is as long."""
    runs = [match.span() for match in _TICKS.finditer(line)]
    closing: dict[int, tuple[int, int]] = {}
    partner: dict[int, tuple[int, int]] = {}
    for start, end in reversed(runs):
        if end - start in closing:
            partner[start] = closing[end - start]
        closing[end - start] = (start, end)
    kept: list[str] = []
    position = 0
    for start, _ in runs:
        if start >= position and start in partner:
            end = partner[start][1]
            kept += [line[position:start], " " * (end - start)]
            position = end
    return "".join([*kept, line[position:]])
