"""The lineage of all attributes, shared out among executors."""
