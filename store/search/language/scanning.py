"""A text and how far it was read."""

import re

from msgspec import Struct, field

from store.search.language.query import Complaint, Part, What
from store.search.language.tree import Span

_SPACE = re.compile(r"\s*")


class Scanner(Struct):
    """Goes through a text once, and notes what stands where."""

    text: str
    """What somebody typed."""
    is_finished: bool
    """Whether nobody types on."""
    position: int = 0
    """How far it was read."""
    depth: int = 0
    """How many groups are open."""
    parts: list[Part] = field(default_factory=list[Part])
    """What was found."""
    complaints: list[Complaint] = field(default_factory=list[Complaint])
    """What was not understood."""

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left."""
        return self.position >= len(self.text)

    def peek(self, ahead: int = 0) -> str:
        """A character that comes, or nothing behind the end."""
        at = self.position + ahead
        return self.text[at : at + 1]

    def is_boundary(self, ahead: int = 0) -> bool:
        """Whether a term ends before a character that comes."""
        char = self.peek(ahead)
        return not char or char.isspace() or char == "|" or self._closes(char)

    def is_closing(self) -> bool:
        """Whether the group ends here."""
        return self._closes(self.peek())

    def is_typing(self) -> bool:
        """Whether somebody is right here, and likely to type on."""
        return self.is_at_end and not self.is_finished

    def space(self) -> None:
        """Pass over space."""
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match else self.position

    def take(self, length: int, what: What) -> Span:
        """Pass over some characters that are one part."""
        span = Span(self.position, self.position + length)
        self.position = span.end
        self.parts.append(Part(span, what))
        return span

    def run(self, stops: str = "") -> int:
        """How long the text is that goes on up to a boundary, or one of some stops.

        A parenthesis that was opened in it is closed in it.
        """
        length = opened = 0
        while not (
            self.is_boundary(length) and not (opened and self.peek(length) == ")")
        ):
            char = self.peek(length)
            if char in stops:
                break
            opened += (char == "(") - (char == ")" and opened > 0)
            length += 1
        return length

    def quoted(self, what: What) -> str:
        """Pass over text in quotes, of which the last may be missing; what it says."""
        end = self.position + 1
        while (end := self.text.find('"', end)) >= 0:
            if self.text[end + 1 : end + 2] != '"':
                break
            end += 2
        inner = self.text[self.position + 1 : end if end >= 0 else None]
        whole = (end + 1 if end >= 0 else len(self.text)) - self.position
        self.take(whole, what)
        return inner.replace('""', '"')

    def said(self, span: Span) -> str:
        """The text of a span."""
        return self.text[span.start : span.end]

    def complain(self, complaint: Complaint) -> None:
        """Note what was not understood."""
        self.complaints.append(complaint)

    def spoil(self) -> None:
        """The part that was passed over last turned out to be no good."""
        self.parts[-1] = Part(self.parts[-1].span, What.BAD)

    def _closes(self, char: str) -> bool:
        return char == ")" and self.depth > 0
