"""Lines put behind the last of a file of lines, which need not be read for that."""

from collections.abc import Sequence

from store.edits.draft import AppendStep
from store.files.beneath import Root
from store.files.replacing.ends import NEAR, End

MOST = 64 * 1024
"""So many bytes are written at once; where there are more, the file is made anew."""

_BOM = b"\xef\xbb\xbf"


def behind(root: Root, path: str, lines: Sequence[bytes]) -> AppendStep | None:
    """The step that puts lines behind the last; None where they are too many for that.

    They end like the last line of the file; where that lacks its newline, it is given
    it first. Raises UnreadableError.
    """
    with root.opened(path) as file:
        size = file.stamp.size
        start = max(0, size - NEAR)
        tail = file.at(start, size - start)
    is_open = not tail.endswith(b"\n") and tail not in (b"", _BOM)
    newline = b"\r\n" if tail.removesuffix(b"\n").endswith(b"\r") else b"\n"
    added = b"\n" * is_open + b"".join(line + newline for line in lines)
    if len(added) > MOST:
        return None
    return AppendStep(path=path, end=End(size, tail), lines=added)
