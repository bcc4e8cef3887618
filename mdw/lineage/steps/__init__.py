"""The candidates of a question as numbered steps, in order."""
