"""Trees and rules as RDF and back: names as IRIs, mappings as graphs, rules as texts, lines and documents of RDF."""
