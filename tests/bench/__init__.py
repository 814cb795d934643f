"""The project's own benchmarks, which `make bench` runs from a clone."""
