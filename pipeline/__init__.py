"""Blocks → results: pool, budget, checker, progress, logs. Knows `datasets` and `solvers`."""
