"""The catalogues of databases, a module for each kind -> objects with their definitions, and what could not be read."""
