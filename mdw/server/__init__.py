"""The server: a SPARQL endpoint over one store, its questions as JSON, and pages (``mdw serve``).

    connection -> a point query is looked up and answered at once (protocol.point)
               -> who may (access) -> what is asked (asked, graphs) -> a worker's job (service) -> response (responding)

What may take long is done by workers, processes that can be killed. What cannot take long, one triple pattern of few
quads, the server looks up itself in a snapshot that nobody changes.
"""
