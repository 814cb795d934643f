"""The project's own measurements: each figure beside a floor from the same run."""
