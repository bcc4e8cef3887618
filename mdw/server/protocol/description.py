"""What the SPARQL endpoint says of itself (SPARQL 1.1 Service Description)."""

from __future__ import annotations

from mdw.rdf.documents import convert
from mdw.server.negotiation import ROWS, TRIPLES

FORMS = {
    "application/sparql-results+json": "SPARQL_Results_JSON",
    "application/sparql-results+xml": "SPARQL_Results_XML",
    "text/csv": "SPARQL_Results_CSV",
    "text/tab-separated-values": "SPARQL_Results_TSV",
    "text/turtle": "Turtle",
    "application/n-triples": "N-Triples",
    "application/rdf+xml": "RDF_XML",
    "application/n-quads": "N-Quads",
    "application/trig": "TriG",
    "application/ld+json": "JSON-LD",
}
TURTLE = """
@prefix sd: <http://www.w3.org/ns/sparql-service-description#> .
@prefix form: <http://www.w3.org/ns/formats/> .

[] a sd:Service ;
    sd:endpoint <{endpoint}> ;
    sd:supportedLanguage sd:SPARQL11Query, sd:SPARQL11Update ;
    sd:feature sd:UnionDefaultGraph, sd:EmptyGraphs ;
    sd:resultFormat {results} ;
    sd:inputFormat {inputs} ;
    sd:defaultDataset [ a sd:Dataset ; sd:defaultGraph [ a sd:Graph ] ] .
"""


def described(endpoint: str, media: str) -> bytes:
    """The description of the endpoint at an address, in a media type for RDF."""
    results = ", ".join(f"form:{FORMS[one]}" for one in (*ROWS, *TRIPLES))
    inputs = ", ".join(f"form:{FORMS[one]}" for one in TRIPLES)
    turtle = TURTLE.format(endpoint=endpoint, results=results, inputs=inputs)
    return convert(turtle.encode(), "text/turtle", media)
