"""The command line and the browser, which connect widgets to the library."""
