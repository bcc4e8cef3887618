"""SPARQL 1.1 over HTTP: its protocol, its graph store protocol, and the description of the service."""
