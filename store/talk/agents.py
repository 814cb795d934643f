"""The conversations of sub-agents."""

from store.catalogue.reader import Reader


def agent_of(reader: Reader, ref: str, agent: str) -> str | None:
    """The conversation of a sub-agent, told by its name and by who started it.

    One that another conversation of the same session started goes by that name too.
    """
    row = reader.ask(
        "SELECT agents.ref FROM conversations AS agents JOIN conversations AS one "
        "ON one.session = agents.session WHERE one.ref = ? AND agents.agent = ? "
        "ORDER BY agents.parent IS NOT one.id, agents.first_at LIMIT 1",
        (ref, agent),
    ).fetchone()
    return None if row is None else str(row[0])
