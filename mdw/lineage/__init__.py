"""Candidates -> answers: which steps can carry a row, under which conditions, and why the others cannot."""
