"""What a memory says about other memories: wikilinks, file links, a header's list."""

from collections.abc import Iterator

from store.files.frontmatter import Page
from store.files.links import inside
from store.findings import Claim, Flaw, Severity, Side, Value
from store.formats.notes.links import Link, called, links, wikilinks


def claims_and_flaws(
    path: str, page: Page, prose: str
) -> tuple[tuple[Claim, ...], tuple[Flaw, ...]]:
    """One claim for each memory that is named, a flaw for each line that leads out.

    `prose` is the body without its code, as long as the body itself.
    """
    claims: dict[str, Claim] = {}
    leading_out: dict[int, Flaw] = {}
    for end, label, line in _named(page, prose):
        claims.setdefault(end, _claim(path, end, label, line))
    folder = path.rpartition("/")[0]
    for link, line in _placed(_notes(prose), prose, page.body_line):
        target = inside(folder, link.target)
        if target is None:
            leading_out.setdefault(line, _leads_out(line))
        else:
            end = f"path:{target}"
            claims.setdefault(end, _claim(path, end, link.label, line))
    return tuple(claims.values()), tuple(leading_out.values())


def _named(page: Page, prose: str) -> Iterator[tuple[str, str, int | None]]:
    """The memories that are called by name: key, text and line of each."""
    listed = _listed(page.fields.get("links"))
    first = page.line_of("links") if listed else None
    for name in listed:
        yield called(name), name, first
    for link, line in _placed(wikilinks(prose), prose, page.body_line):
        yield called(link.target), link.label, line


def _listed(value: Value | None) -> list[str]:
    """The names of a header's `links:`, with or without brackets around each."""
    items = value if isinstance(value, list) else [value]
    names = [item.strip().strip("[]") for item in items if isinstance(item, str)]
    return [name for name in names if name]


def _notes(prose: str) -> Iterator[Link]:
    return (link for link in links(prose) if link.names_a_note)


def _placed(
    found: Iterator[Link], prose: str, first_line: int
) -> Iterator[tuple[Link, int]]:
    """Each link with the line of the file that it stands on."""
    line, position = first_line, 0
    for link in found:
        line += prose.count("\n", position, link.start)
        position = link.start
        yield link, line


def _claim(path: str, end: str, label: str, line: int | None) -> Claim:
    return Claim(
        start=f"path:{path}",
        end=end,
        type="link",
        side=Side.WIKILINK,
        end_title=label,
        line=line,
    )


def _leads_out(line: int) -> Flaw:
    return Flaw(
        code="link-leads-out",
        message="A link leads out of the store; it is not followed.",
        severity=Severity.NOTE,
        line=line,
    )
