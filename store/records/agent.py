"""An agent: one row of a ledger of agents."""

from collections.abc import Mapping

from msgspec import Struct

from store.findings import Json


class Agent(Struct, frozen=True, kw_only=True):
    """An agent, in its ledger's own columns."""

    ref: str
    """Names the agent for every other command."""
    store: str
    """The absolute path of the store's root."""
    path: str
    """The ledger, relative to the store."""
    columns: Mapping[str, Json]
    """The ledger's columns, as they are; in JSON they follow the fields above."""
