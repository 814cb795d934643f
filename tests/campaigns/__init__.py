"""Long runs, of which the suite only samples a few rounds, with printed seeds."""
