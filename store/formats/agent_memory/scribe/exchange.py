"""Memories as one JSON document: taken in, given out, and version 1.0 made lines."""

import json
from collections.abc import Mapping
from typing import cast

from store.edits.refusals import NotPossibleError
from store.files.jsonl import parse
from store.files.jsonl.exact import exact, spelt_exact
from store.findings import Json
from store.formats.agent_memory.document import LISTS
from store.formats.agent_memory.layout import KINDS, STEM_OF, Role, role_of
from store.formats.agent_memory.memory import is_memory
from store.formats.agent_memory.schema import Thing, faults
from store.formats.agent_memory.scribe.draft import Manner
from store.formats.agent_memory.scribe.held import Held
from store.formats.agent_memory.scribe.making import spelt_thing
from store.formats.agent_memory.scribe.putting import kind_of_memory
from store.formats.agent_memory.scribe.work import Work

DEFAULT = "default.json"


def take_in(work: Work, document: Mapping[str, Json]) -> int:
    """Add every memory of a document that is not there yet, each to its kind.

    How many these are.
    """
    known = {str(held.thing.get("id")).casefold() for held in work.all_held()}
    taken = passed = 0
    for part, kind in LISTS.items():
        things = document.get(part, [])
        if not isinstance(things, list):
            raise NotPossibleError(f"`{part}` ought to be a list of memories.")
        for thing in things:
            if not is_memory(thing):
                raise NotPossibleError(f"An item of `{part}` is no memory.")
            own = str(cast("Thing", thing).get("id")).casefold()
            if own in known:
                passed += 1
                continue
            known.add(own)
            _take_in(work, kind, cast("Thing", thing))
            taken += 1
    if passed:
        work.warnings.append(f"{passed} are there already and are passed over.")
    if not taken and not passed:
        known_lists = ", ".join(LISTS)
        raise NotPossibleError(f"There is no memory in it; lists are {known_lists}.")
    return taken


def given_out(work: Work) -> dict[str, Json]:
    """Every memory of the store as one document, a list for each kind."""
    lists: dict[str, list[Json]] = {part: [] for part in LISTS}
    for held in work.all_held():
        values = parse(work.file(held.path).raw(held), exact=True).values
        lists[STEM_OF[kind_of_memory(held)]] += values[:1]
    return {part: cast("Json", things) for part, things in lists.items()}


def as_lines(work: Work) -> Manner:
    """Put the memories of all documents of version 1.0 on lines; the documents go.

    An identifier that is there already is passed over. Whose they were is kept, where
    they were not everybody's.
    """
    documents = [p for p in work.paths() if role_of(p) is Role.AGENT]
    if not documents:
        raise NotPossibleError("There is no document of version 1.0 to be converted.")
    lines = [p for p in work.paths() if role_of(p) is Role.LINES]
    known = {
        str(held.thing.get("id")).casefold()
        for path in lines
        for held in work.file(path).held()
    }
    for path in documents:
        for held in work.file(path).held():
            own = str(held.thing.get("id")).casefold()
            if own in known:
                sentence = f"“{own}” of {path} is there already and is passed over."
                work.warnings.append(sentence)
                continue
            known.add(own)
            _convert(work, held)
        del work.files[path]
    return Manner(is_grave=True, removes=tuple(documents))


def _convert(work: Work, held: Held) -> None:
    value = exact(work.file(held.path).raw(held))
    raw = spelt_exact(value, escaped=False)
    if held.path != DEFAULT and "agent_id" not in held.thing:
        agent = json.dumps(held.path.removesuffix(".json"), ensure_ascii=False)
        raw = raw[:-1] + b',"agent_id":' + agent.encode() + b"}"
    kind = kind_of_memory(held)
    work.add(f"{STEM_OF[kind]}.jsonl", kind, raw)


def _take_in(work: Work, kind: str, thing: Thing) -> None:
    told = thing.get("type")
    kind = str(told) if told in KINDS else kind
    for fault in faults(thing, kind):
        if fault.code.startswith("bad-"):
            raise NotPossibleError(f"{thing.get('id')}: {fault.message}")
    work.add(work.live_file(kind), kind, spelt_thing(thing))
