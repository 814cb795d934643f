"""The frame: where the panes are, by the width and the height of the terminal."""

WIDTHS = [
    (0, "-speck"),
    (20, "-slim"),
    (60, "-narrow"),
    (100, "-wide"),
    (150, "-wider"),
    (180, "-widest"),
]
"""From which width on the screen has which class."""

HEIGHTS = [
    (0, "-sliver"),
    (4, "-shallow"),
    (10, "-dense"),
    (14, "-flat"),
    (18, "-low"),
    (24, "-tall"),
    (30, "-high"),
]
"""From which height on."""

WIDE, HIGH = 100, 30
"""Columns and rows from which on links stand beneath the text; else in its place."""

DENSE = 14
"""Rows below which one bar tells what status and hints do."""

ROOMY = 150
"""Columns from which on facets are shown unless somebody hides them."""

PANORAMIC = 180
"""Columns from which on a pane tells where a memory is seen; below a tab does."""

CSS = """
Screen { layout: vertical; }
#tabs, #status, #hints, #small { height: 1; background: $panel; }
#query { height: 1; }
#small { display: none; }
Bar.away { display: none; }
#body { height: 1fr; layout: vertical; layers: default over; }
#lists { height: 9fr; }
#side { height: 11fr; }
#around { display: none; height: 11; border-top: solid $panel; layout: horizontal; }
#links { width: 5fr; height: 1fr; }
#seen { display: none; width: 4fr; height: 1fr; border-left: solid $panel; }
#transcript { display: none; }
#body.talk #reader { display: none; }
#body.talk #transcript { display: block; }

Screen.-wide #body, Screen.-wider #body, Screen.-widest #body { layout: horizontal; }
Screen.-wide #lists, Screen.-wider #lists, Screen.-widest #lists {
    width: 1fr; height: 1fr;
}
Screen.-wide #side, Screen.-wider #side, Screen.-widest #side {
    width: 1fr; height: 1fr; border-left: solid $panel;
}
Screen.-wide.-high #around, Screen.-wider.-high #around, Screen.-widest.-high #around {
    display: block;
}
Screen.-wider #around, Screen.-widest #around { height: 16; }
Screen.-widest #seen { display: block; }
#facets {
    display: none; width: 34; height: 1fr; border-right: solid $panel;
    layer: over; dock: left; background: $background;
}
#body.facets #facets { display: block; }
Screen.-wider #facets, Screen.-widest #facets { layer: default; dock: none; }

Screen.-wide .by-time > #lists, Screen.-wider .by-time > #lists,
Screen.-widest .by-time > #lists { width: 13fr; }
Screen.-wide .by-time > #side, Screen.-wider .by-time > #side,
Screen.-widest .by-time > #side { width: 12fr; }
#body.list-up #lists { height: 4fr; }
#body.list-up #side { height: 2fr; }
#body.list-down #lists { height: 1fr; }
#body.list-down #side { height: 4fr; }
Screen.-wide .list-up > #lists, Screen.-wider .list-up > #lists,
Screen.-widest .list-up > #lists, Screen.-wide .list-down > #side,
Screen.-wider .list-down > #side, Screen.-widest .list-down > #side { width: 3fr; }
Screen.-wide .list-up > #side, Screen.-wider .list-up > #side,
Screen.-widest .list-up > #side, Screen.-wide .list-down > #lists,
Screen.-wider .list-down > #lists, Screen.-widest .list-down > #lists { width: 2fr; }

#calendar { display: none; dock: top; height: 1; }
#body.by-days #calendar { display: block; }
Screen.-tall #calendar, Screen.-high #calendar { height: 9; }
Screen.-shallow #body.by-days #calendar { display: none; }
#body.by-days #side #around { display: none; }
Screen.-narrow #body.by-days #side { display: none; }
Screen.-narrow #body.by-days.list-down #side { display: block; }

Screen.-narrow #body.by-time #side { display: none; }
Screen.-narrow #body.by-time.list-down #side { display: block; }

Screen.-narrow #body.by-figures #side { display: none; }
Screen.-narrow #body.by-figures.list-down #side { display: block; }
Screen.-wide #body.by-figures, Screen.-wider #body.by-figures,
Screen.-widest #body.by-figures { layout: vertical; }
Screen .by-figures > #lists { width: 1fr; height: 9fr; }
Screen .by-figures > #side { width: 1fr; height: 5fr; border-left: none; }
Screen .by-figures > #side > #around { display: none; }
Screen #body.by-figures > #facets { dock: left; }
Screen.-widest #body.by-figures Histogram { width: 98; }
Screen.-widest #body.by-figures Distribution { display: block; }

Screen.-wide #body.by-ends, Screen.-wider #body.by-ends,
Screen.-widest #body.by-ends { layout: vertical; }
Screen.-wide .by-ends > #lists, Screen.-wider .by-ends > #lists,
Screen.-widest .by-ends > #lists { width: 1fr; height: 9fr; }
Screen.-wide .by-ends > #side, Screen.-wider .by-ends > #side,
Screen.-widest .by-ends > #side {
    width: 1fr; height: 5fr; layout: horizontal;
    border-left: none; border-top: solid $panel;
}
Screen .by-ends > #side > #reader { width: 1fr; }
Screen.-wide .by-ends > #side > #around, Screen.-wider .by-ends > #side > #around,
Screen.-widest .by-ends > #side > #around {
    width: 1fr; height: 1fr; border-top: none; border-left: solid $panel;
}
Screen .by-ends > #side > #around > #seen { display: none; }
Screen #body.by-ends > #facets { dock: left; }

Screen.-slim #side, Screen.-speck #side { display: none; }
Screen.-flat #side, Screen.-dense #side, Screen.-shallow #side { display: none; }
Screen.-slim #lists, Screen.-flat #lists, Screen.-dense #lists, Screen.-shallow #lists {
    height: 1fr; width: 1fr;
}
Screen.-flat JournalRoom > .charts, Screen.-dense JournalRoom > .charts,
Screen.-shallow JournalRoom > .charts, Screen.-dense JournalRoom > .sections,
Screen.-shallow JournalRoom > .sections, Screen.-dense TimelineRoom > ActivityBar,
Screen.-shallow TimelineRoom > ActivityBar, Screen.-dense HealthRoom > .score,
Screen.-shallow HealthRoom > .score, Screen.-flat EdgeRoom > .types,
Screen.-dense EdgeRoom > .types, Screen.-shallow EdgeRoom > .types { display: none; }
Screen.-dense #hints, Screen.-shallow #hints { display: none; }
Screen.-slim #first, Screen.-dense #first, Screen.-shallow #first { display: none; }
Screen.-shallow #tabs { display: none; }

#body.zoom-lists #side { display: none; }
#body.zoom-lists #lists { height: 1fr; }
#body.zoom-side #lists { display: none; }
#body.zoom-side #side { display: block; height: 1fr; width: 1fr; border: none; }
#body.by-days.zoom-lists #calendar, #body.by-days.zoom-side #calendar { display: none; }
Screen.-narrow #body.by-days.zoom-side #side { display: block; }
Screen.-narrow #body.by-time.zoom-side #side { display: block; }
Screen.-narrow #body.by-figures.zoom-side #side { display: block; }
#body.zoom-side #around { display: none; }

#body.bare #side, Screen.-narrow #body.bare #side { display: block; }
#body.linked #side { layout: vertical; }
#body.linked #reader { height: 1; }
#body.linked #side #around { display: block; height: 1fr; border-top: none; }

Screen.-speck #small, Screen.-sliver #small { display: block; }
Screen.-speck #tabs, Screen.-sliver #tabs { display: none; }
Screen.-speck #query, Screen.-sliver #query { display: none; }
Screen.-speck #body, Screen.-sliver #body { display: none; }
Screen.-speck #status, Screen.-sliver #status { display: none; }
Screen.-speck #hints, Screen.-sliver #hints { display: none; }
Screen.-speck #strip, Screen.-sliver #strip { display: none; }
Screen.-speck #first, Screen.-sliver #first { display: none; }
"""

SPLITS = ("list-down", "", "list-up")
"""The steps of the split, from much reader to much list."""
