"""Markdown with a YAML header: read tolerantly, rewritten byte for byte.

Reading is `read_page`; what edits need (`locate`, `set_scalar`) is in `header` and
`splice`, and is loaded only by who edits.
"""

from store.files.frontmatter.page import Page, read_page

__all__ = ["Page", "read_page"]
