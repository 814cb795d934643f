"""All that one source holds."""

from msgspec import Struct

from store.findings.journals import AgentFound, EventFound, MeasureFound
from store.findings.memories import AccessFound, Claim, IndexEntry, MemoryFound
from store.findings.pages import DocumentFound, EpisodeFound
from store.findings.transcripts import ConversationFound, MessageFound, SessionFound
from store.findings.words import START, Flaw, Mark


class Findings(Struct, frozen=True, kw_only=True):
    """All that one source holds, or one piece of it."""

    memories: tuple[MemoryFound, ...] = ()
    """Memories."""
    claims: tuple[Claim, ...] = ()
    """Words about edges."""
    episodes: tuple[EpisodeFound, ...] = ()
    """Entries of a daily log."""
    documents: tuple[DocumentFound, ...] = ()
    """Pages that are no memories."""
    accesses: tuple[AccessFound, ...] = ()
    """Counts of use."""
    index: tuple[IndexEntry, ...] = ()
    """Entries of a derived index."""
    messages: tuple[MessageFound, ...] = ()
    """Messages of a transcript."""
    sessions: tuple[SessionFound, ...] = ()
    """What a transcript says about itself: at most one."""
    conversations: tuple[ConversationFound, ...] = ()
    """Conversations that are listed as such."""
    events: tuple[EventFound, ...] = ()
    """Things that happened in sessions."""
    measures: tuple[MeasureFound, ...] = ()
    """Figures that were written down."""
    agents: tuple[AgentFound, ...] = ()
    """Rows of a ledger of agents."""
    flaws: tuple[Flaw, ...] = ()
    """What is wrong with the source."""
    tail: Flaw | None = None
    """What is wrong with its end, as long as nothing follows."""
    mark: Mark = START
    """Where reading may go on later, in a source that grows."""
    more: bool = False
    """Whether this is a piece of what there is now, and reading goes on at the mark."""
    anew: bool = False
    """Whether the source was not what it had been, so that reading began anew."""
