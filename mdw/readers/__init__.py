"""Readers: sources of any kind, each read into named mappings or errors."""
