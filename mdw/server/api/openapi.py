"""The JSON API in OpenAPI 3.1: served at /api/openapi.json, and what the tests hold the API to."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from mdw.model.answers.things import THINGS
from mdw.model.rules import MODES, POLICIES
from mdw.server.negotiation import CAVEAT, TRIPLES

PROBLEM = {
    "type": "object",
    "required": ["status", "title", "detail"],
    "properties": {"status": {"type": "integer"}, "title": {"type": "string"}, "detail": {"type": "string"}},
}
TEXTS = {"type": "array", "items": {"type": "string"}}
OBJECTS = {"type": "array", "items": {"type": "object"}}
WORD = {"type": "string"}


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties}


# The first errors of each file; behind them one stands for the rest, whose number is its count.
MISTAKE = _object(
    ["message", "location", "hint", "count"], message=WORD, location=WORD, hint=WORD, count={"minimum": 1}
)
ERRORS = {"type": "array", "items": MISTAKE}


def _parameter(name: str, schema: dict[str, Any], said: str, *, where: str = "query", needed: bool = False) -> Any:
    found: dict[str, Any] = {"name": name, "in": where, "required": needed or where == "path"}
    return found | {"schema": schema, "description": said}


CAVEATS = {
    CAVEAT: {
        "description": "Which graphs of the store are not believed, where there are any; backslashes as in Python",
        "schema": {"type": "string"},
    }
}


def _answers(said: str, schema: str, *others: str) -> dict[str, Any]:
    good = {
        "description": said,
        "headers": CAVEATS,
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}},
    }
    bad = {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    reasons = {"400": "The request cannot be read", "404": "There is nothing of that name", "304": "It has not changed"}
    reasons |= {"401": "A token is needed", "403": "It is not allowed", "503": "Not done in time"}
    reasons |= {"413": "Too long", "415": "The content type is another one", "422": "Not all of it can be read"}
    found = {"200": good} | {code: {"description": reasons[code], **(bad if code != "304" else {})} for code in others}
    if "422" in found:
        found["422"] = good | {"description": reasons["422"]}
    return found


def _get(summary: str, schema: str, *parameters: Any) -> dict[str, Any]:
    codes = ("304", "400", "401", "404", "413", "503")
    return {"get": {"summary": summary, "parameters": list(parameters), "responses": _answers(summary, schema, *codes)}}


NAME = _parameter("name", {"type": "string", "minLength": 1}, "Its qualified name", where="path")
PLACE = _parameter(
    "place", {"type": "string", "minLength": 1}, "FILE:LINE; FILE may be the end of a path", where="path"
)
QUESTION = (
    NAME,
    _parameter("when", {"type": "string", "maxLength": 2_000}, "Only rows for which this condition holds"),
    _parameter("mode", {"enum": [*MODES], "default": "active"}, "Whether conditions are looked at"),
    _parameter("unpopulated", {"enum": ["", *POLICIES]}, "What an attribute that nobody fills is"),
    _parameter("sql_dialect", {"type": "string", "maxLength": 40}, "In whose SQL conditions are told: ansi, tsql …"),
)
FROM = _parameter("from", {"type": "string", "maxLength": 2_000}, "Only the ways of rows that come from this attribute")
TO = _parameter("to", {"type": "string", "maxLength": 2_000}, "Only the ways of rows that go to this attribute")
ANSWER = _object(
    ["question", "attribute", "when", "mode", "steps", "dropped"],
    question=WORD,
    attribute=WORD,
    when=WORD,
    mode=WORD,
    golden=OBJECTS,
    final=OBJECTS,
    constants=OBJECTS,
    generated=OBJECTS,
    interrupted=OBJECTS,
    unused=OBJECTS,
    unwritten=OBJECTS,
    stopped=OBJECTS,
    steps=OBJECTS,
    dropped=OBJECTS,
    basis={"type": "object"},
    written=OBJECTS,
)
SCHEMAS = {
    "Problem": PROBLEM,
    "Hits": _object(["text", "hits"], text=WORD, hits=OBJECTS),
    "Attribute": _object(
        ["name", "entity", "terms", "told", "mappings", "fed_by", "feeds"],
        name=WORD,
        entity=WORD,
        terms=OBJECTS,
        told={"type": "object"},
        mappings=TEXTS,
        fed_by=OBJECTS,
        feeds=OBJECTS,
    ),
    "Entity": _object(
        ["name", "terms", "attributes", "told", "filled_by", "read_by"],
        name=WORD,
        terms=OBJECTS,
        attributes=TEXTS,
        told={"type": "object"},
        filled_by=TEXTS,
        read_by=TEXTS,
    ),
    "Mapping": _object(["name", "text"], name=WORD, text=WORD),
    "Mappings": _object(["mappings"], mappings=OBJECTS, next=WORD),
    "Matches": _object(["request", "matches"], request=WORD, matches=OBJECTS),
    "Answer": ANSWER,
    "Terms": _object(["terms"], terms={"type": "integer"}),
    "Statements": _object(
        ["files", "statements", "statuses", "folders", "dialects", "causes", "help", "unclear", "empty"],
        files={"type": "integer"},
        definitions_in_part={"type": "integer"},
        statements={"type": "integer"},
        statuses={"type": "object"},
        folders=OBJECTS,
        dialects=OBJECTS,
        causes=OBJECTS,
        help=OBJECTS,
        unclear=OBJECTS,
        empty=TEXTS,
    ),
    "Explanation": _object(
        ["kind", "status", "location", "text", "reads", "writes", "mappings", "assumed", "help", "calls", "called_by"],
        kind=WORD,
        status=WORD,
        location=WORD,
        text=WORD,
        reads=OBJECTS,
        writes=TEXTS,
        mappings=OBJECTS,
        assumed=TEXTS,
        help=TEXTS,
        calls=OBJECTS,
        called_by=OBJECTS,
        beside=OBJECTS,
    ),
    "Report": _object(["loaded", "replaced", "unchanged", "errors"], loaded={"type": "integer"}, errors=ERRORS),
}
LIMIT = _parameter("limit", {"type": "integer", "minimum": 1, "maximum": 1000}, "How many at most")
LOAD = {
    "summary": "Read mapping text and load what can be read",
    "requestBody": {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}},
    "responses": _answers("What became of it", "Report", "400", "401", "403", "413", "415", "422", "503"),
}
DOCUMENTS = {media: {"schema": {} if "json" in media else {"type": "string"}} for media in TRIPLES}
TERMS = {
    "summary": "Take business terms (RDF, SKOS) in the place of those there are",
    "requestBody": {"required": True, "content": DOCUMENTS},
    "responses": _answers("How many there are now", "Terms", "400", "401", "403", "413", "415", "503"),
}
OPENAPI: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "mdw",
        "version": version("mdw"),
        "description": "Where data really comes from, and what it feeds",
    },
    "paths": {
        "/api/search": _get(
            "Names and business terms by words",
            "Hits",
            _parameter("q", {"type": "string", "maxLength": 500}, "Words, begun or mistyped", needed=True),
            _parameter("kind", {"type": "array", "items": {"enum": list(THINGS)}}, "Only these kinds of things"),
            LIMIT,
        ),
        "/api/attributes/{name}": _get("What is known of an attribute", "Attribute", NAME),
        "/api/entities/{name}": _get("What is known of an entity", "Entity", NAME),
        "/api/mappings": _get(
            "Mappings in order of name, page by page",
            "Mappings",
            _parameter("after", {"type": "string", "maxLength": 2_000}, "The last name of the page before"),
            LIMIT,
        )
        | {"post": LOAD},
        "/api/mappings/{name}": _get("A mapping's text", "Mapping", NAME),
        "/api/terms": {"put": TERMS},
        "/api/report": _get(
            "What of SQL was read whole, in part and not at all, why, and what would help",
            "Statements",
            _parameter("folder", {"type": "string", "maxLength": 2_000}, "Only files in this folder and below it"),
            _parameter("dialect", {"type": "string", "maxLength": 40}, "Only files that were read in this dialect"),
        ),
        "/api/explain/{place}": _get("What was understood of the statement at a place", "Explanation", PLACE),
        "/api/requests": _get(
            "What a request over semantic contexts finds",
            "Matches",
            _parameter("text", {"type": "string", "maxLength": 2_000}, "The request", needed=True),
        ),
        "/api/lineage/{name}": _get("Where the values of an attribute come from", "Answer", *QUESTION, FROM),
        "/api/impact/{name}": _get("What the values of an attribute feed", "Answer", *QUESTION, TO),
    },
    "components": {
        "schemas": SCHEMAS,
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    },
}
