"""Traces derived from plans: a plan rewritten so that its rows carry the ids of the source rows they were made of."""
