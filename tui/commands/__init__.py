"""The commands of the browser, said once: keys, hints, help, palette follow from it."""
