"""The lineage of all attributes at once: states of rows, and ends spread over them."""
