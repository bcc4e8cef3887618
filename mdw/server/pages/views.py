"""Pages for people who write no SPARQL, and one for those who do; rendered here from the same answers as the API's."""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from mdw.language.questions import asked_place
from mdw.model.answers.things import THINGS
from mdw.model.name import entity_of, local_of
from mdw.model.tree import lines_of
from mdw.model.visible import visible
from mdw.rdf.vocabulary import PREFIXES
from mdw.render.spoken import OPAQUE
from mdw.render.words import HOW, count
from mdw.resources import QUERIES
from mdw.server.api import answers, parameters
from mdw.server.asked import Wanted
from mdw.server.negotiation import JSON, ROWS, TRIPLES
from mdw.server.protocol.endpoint import query_job
from mdw.server.refusal import Refusal
from mdw.server.responding import collected
from mdw.server.state import State
from mdw.server.workers.jobs import AskAttribute, AskEntity, AskExplanation, AskMapping, AskView, FindNames, Job

FOLDER = Path(__file__).parent
HITS = 50
SHOWN_ROWS = 500
TEXTS = 20
MOST = 200
"""Statements, and files, that the report's page lists."""
RELATIONS = ("=", "<>", "<", "<=", ">", ">=", "LIKE")
PARTS = re.compile(r"(?<=[\w`)][._/:])(?=[\w`])")
"""Between the parts of names of attributes, mappings and files."""
NAMES = re.compile(r"\(?[\w`][\w`./:]*<wbr>(?:[\w`./:-]|<wbr>)*\)?")
"""Names that have such parts."""
TITLES = {400: "This cannot be read", 404: "There is nothing of that name"}
"""What HTTP says in words of its own."""
MEANINGS = {
    "whole": "all of it was understood",
    "partial": "understood but for what is named with it",
    "opaque": "what it does to data is not known: no rule was made of it",
    "failed": "it could not be read at all",
}
"""What the words for statements say to who has not met them."""
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_NOT_FOR_ALL = ("VALUES", "INSERT", "DELETE")
"""What queries have that need values, or change something."""
FORMS = ("page", "svg", "png", "csv", "json")
SECURE = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'none'; form-action 'self'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


async def home(request: Request) -> Response:
    """The search box, and what it found."""
    text = parameters.text(request, "q", most=500)
    if not text.strip():
        _may_read(request)
        return _page(request, "home.html", q="")
    job = FindNames(text=text, kinds=THINGS, limit=HITS)
    hits = [{"attributes": [], **hit} for hit in (await _answer(request, job))["hits"]]
    attributes = {name for hit in hits for name in hit["attributes"] if name.count(".") > 1}
    return _page(request, "home.html", q=text, hits=hits, limit=HITS, attributes=attributes)


async def attribute(request: Request) -> Response:
    """What an attribute is, the rules that fill it, what feeds it and what it feeds."""
    name = answers.name_of(request)
    try:
        found = await _answer(request, AskAttribute(name=name, texts=TEXTS))
    except Refusal as refusal:
        return await _of_entity(request, name, refusal)
    return _page(request, "attribute.html", found_terms=found.pop("terms"), filled=found.pop("filled", False), **found)


async def entity(request: Request) -> Response:
    """What an entity is made of."""
    found = await _answer(request, AskEntity(name=answers.name_of(request)))
    return _page(request, "entity.html", found_terms=found.pop("terms"), **found)


async def mapping(request: Request) -> Response:
    """The text of a mapping."""
    return _page(request, "mapping.html", **await _answer(request, AskMapping(name=answers.name_of(request))))


async def report(request: Request) -> Response:
    """What of SQL was read whole, in part and not at all, why, and what would help."""
    asked = answers.report_of(request)
    found = await _answer(request, asked)
    return _page(
        request,
        "report.html",
        it=found,
        folder=asked.folder,
        dialect=asked.dialect,
        most=MOST,
        link=_link,
        meanings=MEANINGS,
    )


async def explained(request: Request) -> Response:
    """What was understood of the statement at a place."""
    place = answers.place_of(request)
    found = await _answer(request, AskExplanation(place=place))
    line, column = map(int, found["start"].split(":"))
    lines = list(enumerate(lines_of(" " * (column - 1) + found["text"]), line))
    return _page(request, "explain.html", it=found, lines=lines, asked=asked_place(place).line)


async def lineage(request: Request) -> Response:
    """Where an attribute's values come from."""
    return await _traced(request, "lineage")


async def impact(request: Request) -> Response:
    """What an attribute's values feed."""
    return await _traced(request, "impact")


async def ask(request: Request) -> Response:
    """SPARQL: a box, the result as a table, and queries to start from."""
    _may_read(request)
    loaded = parameters.text(request, "load")
    library = _library()
    query = parameters.text(request, "query", most=100_000) or next(
        (one["text"] for one in library if one["name"] == loaded), ""
    )
    shown: dict[str, Any] = {"problem": None, "boolean": None, "text": "", "columns": None, "rows": [], "more": False}
    if query and not loaded:
        try:
            shown |= await _result(request, query)
        except Refusal as refusal:
            shown["problem"] = {"line": 0, "column": 0, **refusal.to_dict()}
    forms = ("turtle", "ntriples", "jsonld") if shown["text"] else tuple(ROWS.values())
    return _page(request, "ask.html", query=query, library=library, prefixes=PREFIXES, forms=forms, **shown)


def problem(refusal: Refusal) -> Response:
    """What went wrong, for a person."""
    return _refused(None, refusal)


def _refused(request: Request | None, refusal: Refusal, *, back: str = "") -> Response:
    told = refusal.to_dict() | {"title": TITLES.get(refusal.status, str(refusal.to_dict()["title"]))}
    return _page(request, "problem.html", back=back, **told)


async def _traced(request: Request, direction: str) -> Response:
    form = parameters.choice(request, "form", FORMS)
    asked = answers.question(request, direction)
    column, value = parameters.text(request, "column"), parameters.text(request, "value")
    if column and value:
        relation = parameters.choice(request, "relation", RELATIONS)
        return RedirectResponse(_link(request, when=_narrowed(asked.when, column, relation, value)), 303)
    chosen = "shown" in request.query_params
    job = AskView(
        **vars(asked),
        form=form,
        open=tuple(request.query_params.getlist("open")),
        levels=parameters.number(request, "levels", 1, 1, 1000),
        indirect=not chosen or "indirect" in request.query_params,
        dropped=not chosen or "dropped" in request.query_params,
        here=_link(request),
    )
    if form != "page":
        return await answers.answered(request, job)
    try:
        found = await _answer(request, job)
    except Refusal as refusal:
        return await _of_entity(request, job.name, refusal)
    # Of what was found, not of what was typed: that may be the end of a name.
    about = await _answer(request, AskEntity(name=entity_of(found["attribute"])))
    return _page(
        request,
        "lineage.html",
        noun=direction.capitalize(),
        columns=[local_of(one) for one in about["attributes"]],
        relations=RELATIONS,
        link=lambda **changed: _link(request, **changed),
        when=job.when,
        levels=job.levels,
        wanted=list(job.open),
        mode=job.mode,
        indirect=job.indirect,
        dropped_too=job.dropped,
        caveats=(),  # they are among the notes of the answer
        **found,
    )


async def _of_entity(request: Request, name: str, refusal: Refusal) -> Response:
    """The page of an entity, where one is named instead of an attribute; else what was refused."""
    if request.query_params.get("when", "").strip() and refusal.status in (400, 404):
        return _refused(request, refusal, back=_link(request, when=[]))
    if refusal.status != 404:
        raise refusal
    try:
        await _answer(request, AskEntity(name=name))
    except Refusal:
        raise refusal from None
    return RedirectResponse(f"/entity/{quote(name)}", 303)


def _narrowed(when: str, column: str, relation: str, value: str) -> str:
    """A condition with one more part; what is no number, and every pattern, is a text."""
    # As the language writes numbers: to Python "nan" and "1e5" are some too, which may be names of customers.
    if relation == "LIKE" or not NUMBER.fullmatch(value):
        value = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    part = f"{column} {relation} {value}"
    return f"({when}) AND {part}" if " OR " in when.upper() else f"{when} AND {part}" if when.strip() else part


def _link(request: Request, **changed: Any) -> str:
    """The same page with other parameters."""
    dropped = {"column", "relation", "value", *changed}
    kept = [(name, value) for name, value in request.query_params.multi_items() if name not in dropped and value]
    for name, value in changed.items():
        kept += [(name, one) for one in (value if isinstance(value, list) else [value])]
    return f"{quote(request.url.path)}?{urlencode(kept)}" if kept else quote(request.url.path)


async def _result(request: Request, query: str) -> dict[str, Any]:
    """What a query found, as the page shows it."""
    job = query_job(request, Wanted("query", query), accept=f"{JSON}, text/turtle", rows=0)
    content, media = await _content(request, job)
    if media in TRIPLES:
        return {"text": content.decode()}
    found = json.loads(content)
    if "boolean" in found:
        return {"boolean": found["boolean"]}
    columns, rows = found["head"]["vars"], found["results"]["bindings"]
    some = [[row.get(name, {}).get("value", "") for name in columns] for row in rows[:SHOWN_ROWS]]
    return {"columns": columns, "rows": some, "more": len(rows) > SHOWN_ROWS}


@cache
def _library() -> list[dict[str, str]]:
    """The queries that come with mdw and need no values, each with the question in its first line."""
    found = []
    for path in sorted(QUERIES.rglob("*.rq")):
        text = path.read_text(encoding="utf-8")
        if not any(word in text for word in _NOT_FOR_ALL):
            name = str(path.relative_to(QUERIES).with_suffix(""))
            found.append({"name": name, "says": text.partition("\n")[0].lstrip("# "), "text": text})
    return found


def _may_read(request: Request) -> str:
    state: State = request.app.state.mdw
    return state.access.require(request, "read")


async def _answer(request: Request, job: Job) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((await _content(request, job))[0])
    return found


async def _content(request: Request, job: Job) -> tuple[bytes, str]:
    state: State = request.app.state.mdw
    client = _may_read(request)
    content, head = await collected(request, state.opening(job, client), state.service.limits.seconds)
    # A page made of several answers says it once.
    request.state.caveats = head.get("caveats", ())
    return content, str(head["media"])


@cache
def _environment() -> Environment:
    found = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["field"] = _field
    found.filters["parted"] = _parted
    found.globals["counted"] = count
    found.globals["opaque"] = OPAQUE
    found.globals["how"] = lambda kind: HOW.get(kind, "") or "copied"
    return found


def _parted(value: object, *, whole: bool = False) -> str:
    """A text as HTML; a name that is longer than a line goes on between its parts. ``whole``: it is one name."""
    text = PARTS.sub("<wbr>", escape(str(value)))
    return text if whole else NAMES.sub(r'<span class="name">\g<0></span>', text)


def _field(value: object) -> str:
    """A value as HTML, which comes back as it is, whatever characters it holds: elsewhere pages show them escaped."""
    return "".join(c if c.isprintable() or c in "\t\n" else f"&#{ord(c)};" for c in escape(str(value)))


def _page(request: Request | None, template: str, *, status: int = 200, **values: Any) -> Response:
    caveats = getattr(request.state, "caveats", ()) if request else ()
    text = _environment().get_template(template).render(**{"q": "", "request": request, "caveats": caveats, **values})
    return HTMLResponse(visible(text), status, SECURE)
