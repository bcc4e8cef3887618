"""The server: a SPARQL endpoint over one store (``mdw serve``).

    request -> who may (access) -> what is asked (asked, graphs) -> a worker's job (service) -> response (responding)

The server itself never touches the engine: processes do that can be killed.
"""
