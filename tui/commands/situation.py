"""What of the browser's state decides which commands are possible now."""

from collections.abc import Mapping

from msgspec import Struct, field


class Situation(Struct, frozen=True):
    """How things stand at the moment a key is pressed or help is asked for."""

    rows: int = 0
    """Rows of the list that is looked at."""
    has_record: bool = False
    """Whether the cursor is on a record."""
    is_memory: bool = False
    """Whether it is a memory."""
    is_conversation: bool = False
    """Whether it is a conversation, which can be kept whatever its store allows."""
    is_append_only: bool = False
    """Whether it is an entry of a log, which nobody changes."""
    marked: int = 0
    """How many records are marked."""
    links: int = 0
    """What the record points to and what points to it."""
    leads: int = 0
    """Links in the text that is read, or more text in which there may be some."""
    hits: int = 0
    """Places in the reader that the query found."""
    query: str = ""
    """What is typed in the query bar."""
    is_past: bool = False
    """Whether one looks back at another time."""
    behind: int = 0
    """Places that one can go back to."""
    ahead: int = 0
    """Places that one went back from."""
    stores: int = 0
    """Stores that are looked at."""
    possible: Mapping[str, str] = field(default_factory=dict[str, str])
    """What can be done with the record: word by word, why it cannot be done now."""
    is_mendable: bool = False
    """Whether it is a problem that can be mended from here."""
    undoable: int = 0
    """Changes that can be taken back."""
    redoable: int = 0
    """Changes that were taken back and can be made again."""
    drafts: int = 0
    """Texts that were written and not saved."""
    read_only: str = ""
    """Why its store may not be changed; empty where it may."""
    has_file: bool = False
    """Whether the record lies in a file that can be named."""
    is_journal: bool = False
    """Whether keys go to a list of journals, which has sections even where empty."""
