"""What an agent was for, told beside its trace."""

from msgspec.structs import replace

from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.json_document import load
from store.findings import Findings, Rank, TitleFound


def with_purpose(root: Root, path: str, found: Findings) -> Findings:
    """The findings of a trace, named after what its agent was sent off for."""
    if not found.sessions or found.sessions[0].agent is None:
        return found
    try:
        told = load(root.read(f"{path.removesuffix('.jsonl')}.meta.json").raw)
    except UnreadableError:
        return found
    match told:
        case {"description": str() as words} | {"agentType": str() as words} if words:
            about = found.sessions[0]
            title = TitleFound(rank=Rank.AGENT, text=words, line=0)
            named = replace(about, titles=(title, *about.titles))
            return replace(found, sessions=(named,))
        case _:
            return found
