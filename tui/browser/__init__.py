"""The browser: one module per topic, composed in `app`."""
