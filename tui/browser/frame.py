"""The frame: where the panes are, by the width and the height of the terminal."""

WIDTHS = [(0, "-narrow"), (100, "-wide"), (150, "-wider"), (180, "-widest")]
"""From which width on the screen has which class."""

HEIGHTS = [(0, "-flat"), (18, "-low"), (30, "-high")]
"""From which height on."""

CSS = """
Screen { layout: vertical; }
#tabs, #status, #hints { height: 1; background: $panel; }
#query { height: 1; }
#body { height: 1fr; layout: vertical; }
#lists { height: 2fr; }
#side { height: 3fr; border-top: solid $panel; }
#links { display: none; height: 11; border-top: solid $panel; }

Screen.-wide #body, Screen.-wider #body, Screen.-widest #body { layout: horizontal; }
Screen.-wide #lists, Screen.-wider #lists, Screen.-widest #lists {
    width: 1fr; height: 1fr;
}
Screen.-wide #side, Screen.-wider #side, Screen.-widest #side {
    width: 1fr; height: 1fr; border-top: none; border-left: solid $panel;
}
Screen.-wide.-high #links, Screen.-wider.-high #links, Screen.-widest.-high #links {
    display: block;
}
Screen.-wider #links, Screen.-widest #links { height: 16; }
#facets { display: none; width: 34; height: 1fr; border-right: solid $panel; }
#body.facets #facets { display: block; }
Screen.-narrow #facets { dock: left; background: $background; }

Screen.-flat #side { display: none; }
Screen.-flat #lists { height: 1fr; }
Screen.-flat #status { display: none; }

#body.list-up #lists { height: 4fr; width: 3fr; }
#body.list-up #side { height: 2fr; width: 2fr; }
#body.list-down #lists { height: 1fr; width: 2fr; }
#body.list-down #side { height: 4fr; width: 3fr; }

#body.zoom-lists #side { display: none; }
#body.zoom-lists #lists { height: 1fr; }
#body.zoom-side #lists { display: none; }
#body.zoom-side #side { display: block; height: 1fr; border: none; }
#body.zoom-side #links { display: none; }
"""

SPLITS = ("list-down", "", "list-up")
"""The steps of the split, from much reader to much list."""
