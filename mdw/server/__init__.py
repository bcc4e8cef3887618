"""The server: a SPARQL endpoint over one store, its questions as JSON, and pages (``mdw serve``).

    connection -> a desk: a point query is looked up and answered at once (point)
               -> back to the server: who may (access) -> what is asked (asked, graphs) -> a worker's job (service)
               -> response (responding)

The server itself never touches the engine. What may take long is done by workers, processes that can be killed; what
cannot take long, one triple pattern of few quads, by desks, processes that share the server's connections.
"""
