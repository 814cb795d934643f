"""A small healthy cognitive store with one of everything, and its parts."""

import json
from pathlib import Path

from store.files.beneath import Blob, Stamp
from store.findings import Findings, Value
from store.formats.cognitive.format import FORMAT
from store.formats.port import Refused, Source


def write(root: Path, path: str, text: str | bytes) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def scanned(root: Path) -> dict[str, Source | Refused]:
    with FORMAT.open(root) as store:
        return {found.path: found for found in store.scan()}


def read(root: Path, path: str, text: str | bytes | None = None) -> Findings:
    """The findings in one file of a store, written first if given."""
    if text is not None:
        write(root, path, text)
    source = scanned(root)[path]
    assert isinstance(source, Source)
    with FORMAT.open(root) as store:
        return store.read(source)


def codes(findings: Findings) -> list[str]:
    return [flaw.code for flaw in findings.flaws]


def blob(value: object, *, whole: bool = True) -> Blob:
    """A file with a value, or with exactly these bytes."""
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Blob(raw, Stamp(len(raw), 0, 0), whole)


def facts(findings: Findings) -> dict[str, Value]:
    """The facts of the only document."""
    (document,) = findings.documents
    assert document.role == "document"
    assert document.text == ""
    return dict(document.facts)


TIMEOUTS = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
DROPS = "def789ab-0000-4000-8000-00000000000d"
DEPLOY = "0dd0aa11-0000-4000-8000-00000000000e"
EDGE = "edfe0000-0000-4000-8000-00000000000f"

TIMEOUTS_PATH = "graph/solutions/fixed-redis-connection-timeouts-a1b2c3.md"
DROPS_PATH = "graph/problems/redis-connection-drops-def789.md"
DEPLOY_PATH = "vault/deploy-to-production-0dd0aa.md"
EDGE_PATH = "graph/edges/fixed-redis--SOLVES--redis-connection-drops-edfe00.md"


def memory_text(
    identifier: str = TIMEOUTS,
    kind: str = "solution",
    title: str = "Fixed Redis connection timeouts",
    more: str = "",
    body: str = "Added socket_keepalive=True.\n",
) -> str:
    return (
        f'---\nid: {identifier}\ntype: {kind}\ntitle: "{title}"\n'
        "tags: [redis, timeout]\nimportance: 0.8\nconfidence: 0.9\n"
        "created: 2025-12-06T16:25:58+00:00\nupdated: 2025-12-07T08:00:00+00:00\n"
        f"{more}---\n\n{body}"
    )


def relation_text(target: str, direction: str) -> str:
    return (
        f"relations:\n  - target: {target}\n    type: SOLVES\n"
        f"    direction: {direction}\n    strength: 0.8\n"
        f'    context: "Keepalive prevents idle disconnections"\n    edge_id: {EDGE}\n'
    )


def edge_text(kind: str = "SOLVES") -> str:
    return (
        f"---\nid: {EDGE}\ntype: {kind}\nfrom_id: {TIMEOUTS}\n"
        f'from_title: "Fixed Redis connection timeouts"\nto_id: {DROPS}\n'
        'to_title: "Redis connection drops"\nstrength: 0.8\n'
        "created: 2026-02-19T10:00:00+00:00\n"
        "updated: 2026-02-19T10:00:00+00:00\n---\n\n"
        "The keepalive fix directly resolves the problem.\n\nMore about it.\n"
    )


STEPS = (
    'steps:\n  - "Run tests"\n  - "Push to registry"\n'
    'preconditions:\n  - "On main branch"\npostconditions:\n  - "Service healthy"\n'
)

EPISODES = f"""# 2025-12-13

## 10:30 - Fixed Redis timeouts
- **Type:** fix
- **Tags:** redis, homelab
- **Memory:** [fixed-redis](../{TIMEOUTS_PATH})
- **Summary:** Added keepalive

## 11:15 - Looked around
- **Type:** general
- **Summary:** Nothing found
"""

CORE = f"""# Memory Core (auto-generated)
> Last updated: 2025-12-13 | Active memories: 2/3 | Next refresh: daily (systemd timer)

## Critical Solutions
- [Fixed Redis connection timeouts]({TIMEOUTS_PATH}) (redis, timeout)

## Patterns & Workflows
- [Deploy to production]({DEPLOY_PATH}) (deploy)
"""

REFLECTION = f"""# Reflection Summary (auto-generated)
> Last updated: 2026-02-13 | Last reflection: 2026-02-13 | Total reflections: 2

## Themes
Top tag co-occurrences revealing recurring themes:

- **fix + python**: 52 memories ("Fix S3 upload...", "fix_cardpositions.py...")

## Cross-Project Patterns
Tags that span multiple projects:

- **fix**: appears in major-domo (38), vagabond-rpg (22), paper-dynasty (19)

## Most Accessed
Top 10 memories by access count:

1. [Fixed Redis connection timeouts]({TIMEOUTS_PATH}) - 5 accesses

## Recent Insights
Insight-type memories:

- [Redis connection drops]({DROPS_PATH}) - Idle connections...

## Consolidation History

- Total merges performed: 7
"""


def index_entry(title: str, kind: str, path: str) -> dict[str, object]:
    return {
        "title": title,
        "type": kind,
        "tags": ["redis", "timeout"],
        "importance": 0.8,
        "confidence": 0.9,
        "created": "2025-12-06T16:25:58+00:00",
        "updated": "2025-12-07T08:00:00+00:00",
        "path": path,
        "content_preview": "Added socket_keepalive=True.",
        "relations": [],
    }


def index() -> dict[str, object]:
    edge = {"type": "SOLVES", "from_id": TIMEOUTS, "to_id": DROPS, "strength": 0.8}
    titles = ("Fixed Redis connection timeouts", "Redis connection drops", "Deploy")
    return {
        "version": 2,
        "updated": "2025-12-13T10:30:00+00:00",
        "count": 3,
        "edges": {EDGE: {**edge, "path": EDGE_PATH}},
        "entries": {
            TIMEOUTS: index_entry(titles[0], "solution", TIMEOUTS_PATH),
            DROPS: index_entry(titles[1], "problem", DROPS_PATH),
            DEPLOY: index_entry(titles[2], "procedure", DEPLOY_PATH),
        },
    }


STATE = {
    "version": 1,
    "updated": "2025-12-13T10:30:00+00:00",
    "entries": {
        TIMEOUTS: {
            "access_count": 5,
            "last_accessed": "2025-12-13T10:15:00+00:00",
            "decay_score": 0.75,
        }
    },
}

EMBEDDINGS = {
    "model": "nomic-embed-text",
    "updated": "2026-02-13T12:00:00+00:00",
    "entries": {TIMEOUTS: [0.25] * 768, DROPS: [-0.5] * 768},
}

CONFIG = {
    "embedding_provider": "ollama",
    "openai_api_key": None,
    "ollama_model": "nomic-embed-text",
    "openai_model": "text-embedding-3-small",
}

IGNORED = "_state.json\n_index.json\n_embeddings.json\n_config.json\n"


def make_small_store(root: Path) -> dict[str, int]:
    """A healthy store with one of everything; returns its counts."""
    outgoing = relation_text(DROPS, "outgoing")
    incoming = relation_text(TIMEOUTS, "incoming")
    drops = memory_text(DROPS, "problem", "Redis connection drops", incoming)
    for path, text in {
        TIMEOUTS_PATH: memory_text(
            more=outgoing, body="See [[deploy to production]].\n"
        ),
        DROPS_PATH: drops,
        DEPLOY_PATH: memory_text(DEPLOY, "procedure", "Deploy to production", STEPS),
        EDGE_PATH: edge_text(),
        "episodes/2025-12-13.md": EPISODES,
        "CORE.md": CORE,
        "REFLECTION.md": REFLECTION,
        "_index.json": json.dumps(index()),
        "_state.json": json.dumps(STATE),
        "_embeddings.json": json.dumps(EMBEDDINGS),
        "_config.json": json.dumps(CONFIG),
        ".gitignore": IGNORED,
        ".git/HEAD": "ref: refs/heads/main\n",
    }.items():
        write(root, path, text)
    (root / "MEMORY.md").symlink_to("CORE.md")
    return {
        "memories": 3,
        "claims": 5,
        "episodes": 2,
        "documents": 8,
        "accesses": 1,
        "index": 4,
    }
