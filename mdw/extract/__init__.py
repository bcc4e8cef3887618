"""A database -> a folder of plain files: what it tells of its tables, and the definitions of all that moves data."""
