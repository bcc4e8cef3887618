"""What mdw answers: lineage and impact, reports, what a search or a request found; values that show themselves."""
