"""Trees and rules as RDF and back: names as IRIs, mappings as graphs, rules as texts, lines and documents of RDF.

    names       -> vocabulary -> IRIs, the same on every machine
    tree, rules -> graph      -> one named graph per mapping, as Turtle text; and a tree back from its nodes
    rules       <> codec      <> compact JSON, which a graph carries as literals
    RDF files   -> documents, lines -> N-Triples or N-Quads that the store takes

A mapping's graph holds everything twice on purpose: the parse tree as nodes, for requests and text, and its rules as
JSON, for lineage. Questions about lineage fetch thousands of rules, and one literal for each is cheaper to fetch than
all nodes of its tree.
"""
