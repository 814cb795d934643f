"""A file of lines while it is changed: lines that nobody touches stay as they are."""

_BOM = b"\xef\xbb\xbf"


class Sheet:
    """The lines of a file, by the numbers that they had when it was read.

    Removing a line changes no other line's number. Whether the last line has its
    newline stays as it was, unless a line is added: what is added ends with one.
    """

    def __init__(self, raw: bytes) -> None:
        self._mark = _BOM if raw.startswith(_BOM) else b""
        raw = raw.removeprefix(_BOM)
        self._ended = raw.endswith(b"\n")
        pieces = raw.split(b"\n")
        if not pieces[-1]:
            pieces.pop()
        self._lines: list[bytes | None] = [*pieces]
        self._newline = b"\r\n" if pieces and pieces[-1].endswith(b"\r") else b"\n"

    def line(self, number: int) -> bytes:
        """A line without its newline; empty where it is gone or was never there."""
        within = 0 < number <= len(self._lines)
        return (self._lines[number - 1] if within else None) or b""

    def replace(self, number: int, raw: bytes) -> None:
        """Put another text on a line."""
        self._lines[number - 1] = raw

    def remove(self, number: int) -> None:
        """Take a line away, newline and all."""
        self._lines[number - 1] = None

    def add(self, raw: bytes) -> None:
        """Put a line behind the last; one that lacks its newline is given it first."""
        self._lines.append(raw + self._newline[:-1])
        self._ended = True

    @property
    def raw(self) -> bytes:
        """The file as it is by now."""
        lines = [line for line in self._lines if line is not None]
        end = b"\n" if lines and self._ended else b""
        return self._mark + b"\n".join(lines) + end
