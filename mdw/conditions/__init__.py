"""Conditions as values: regions, the diagram of their combinations, and the solver for the rest."""
