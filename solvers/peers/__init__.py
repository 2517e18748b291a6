"""Solvers that others wrote, behind our contract. Each is in the table only where its package is installed."""
