"""Phrases that sqlglot does not read, in words that it reads, dialect by dialect."""
