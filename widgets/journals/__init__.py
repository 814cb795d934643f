"""Figures that journals hold: charts by day, how long things took, and tables."""
