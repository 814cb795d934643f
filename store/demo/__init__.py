"""Sample stores with eight months of one developer's work; see README.md."""
