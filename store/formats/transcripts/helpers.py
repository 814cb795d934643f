"""What a sub-agent said, told by its session's transcript where it has no other."""

from msgspec.structs import replace

from store.findings import MessageFound
from store.transcript import At, Record, message_of


def helper_message(
    record: Record, data: Record, agent: str, place: At
) -> MessageFound | None:
    """The message that a progress line carries: words to be found, counted nowhere.

    Its tokens, tools and errors are the agent's and not its session's; what the session
    told the agent was typed by nobody. The calls that write files are kept, and what
    was answered, so that it is known who wrote what.
    """
    carried = data.get("message")
    if not isinstance(carried, dict):
        return None
    inherited = {key: record[key] for key in _INHERITED if key in record}
    found = message_of({**inherited, **carried}, place)
    if found is None:
        return None
    name = found.uuid or record.get("uuid") or place.key
    return replace(
        found,
        key=f"agent:{agent[:64]}:{name}",
        kind="meta" if found.kind == "prompt" else found.kind,
        tokens=None,
        tools=(),
        calls=found.calls if found.writes else (),
        errors=0,
        entries=0,
    )


_INHERITED = ("sessionId", "cwd", "gitBranch", "timestamp")
