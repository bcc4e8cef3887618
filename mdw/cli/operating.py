"""What whoever runs the server needs to know, as `mdw serve --help` says it after its options."""

from __future__ import annotations

GUIDE = """
\b
What is served where:
  /                  pages: search, attributes, lineage and impact as pictures; /ask takes SPARQL
  /api               the same as JSON; takes mappings and terms; described at /api/openapi.json
  /sparql            SPARQL 1.1 queries and updates; /query and /update take only one of them
  /store             graphs (SPARQL 1.1 Graph Store): ?graph=IRI, ?default, or an address below it
  /health            200 if it can answer, 503 if not; "read-only", and why, while nothing can be
                     changed; asks for no token
  /metrics           figures for Prometheus
  /admin/running     what is being worked on (GET); DELETE /admin/running/ID ends one of them
  /admin/backup      a copy of the store in its folder backups (POST, ?name=NAME; with
                     &copy=true it shares no file with the store)
  /admin/compact     smaller, faster files (POST)

\b
Who may do what:
  Without tokens everyone who reaches the server may read. Nobody may change anything; with
  --allow-update this machine may, and may use /admin. An address that others reach needs tokens.
  As soon as there is a token (mdw token NAME --role ROLE) every request but /health needs one:
    read             pages, questions, queries, figures
    update           the same, and changes
    admin            the same, and /admin
  401: the token is missing or unknown. 403: its role is not enough.
  The server speaks plain HTTP. Beyond this machine, put a proxy with TLS before it; a proxy on
  this machine is believed when it says who asks (X-Forwarded-For).

\b
What ends a request:
  --timeout          the longest a request may take; a client may ask for less with &timeout=SECONDS.
                     It is answered with 503 and its process killed; if a part had been sent, the
                     connection is cut, so that no part is taken for the whole. The same happens if
                     an administrator ends it; if its client goes away, nobody is answered.
  --max-rows         more rows than that: 413, or the connection is cut as above
  --max-bytes        more bytes than that: likewise
  --max-memory       what needs more of a worker, or of the one that writes: 413, and a new process.
                     RDF/XML that declares entities is refused. Where the machine itself has no
                     memory left, the kernel ends a worker (503), not the server. On macOS and
                     Windows no process is kept to a limit; the log says so at the start.
  --workers          so many requests at a time; 200 more wait, at most 10 seconds, then 503 with
                     Retry-After. A query of one triple pattern with a short answer waits for nobody.
  Not to be changed: a query has 1 MiB, an upload 256 MiB (413; mdw load takes more), the lines
  before a request's body 64 KiB and 100 headers (400) and 30 seconds, a body 600 seconds (408).
  Whoever sends a body, or reads an answer, at less than 1000 bytes a second for 30 seconds is cut
  off. There is room for 1000 connections, or half as many as the process may have descriptors,
  and for half of these from one address: where there are more, the one that has said nothing for
  longest goes, and if all are being answered, who comes is told 503.

\b
What is refused unless you allow it:
  SERVICE and LOAD   they make the server call others: --allow-call URL
  free paths         paths of any length with two open ends (?x p+ ?y) compare everything with
                     everything: --allow-free-paths
  other sites        pages of other sites may not read (--allow-origin) and never change anything;
                     at an address of this machine, only its own names are answered

\b
What readers see:
  Each answer is of one moment, a snapshot. It holds every change that was acknowledged before the
  question. While a change is under way, questions are answered from the snapshot before it. A
  change is whole or not at all. Nobody else can open the store to change it meanwhile; what mdw
  spark-load puts in its place is served from then on.
  Where the disk is full, changes are answered with 503, and so are questions if no snapshot holds
  all that was acknowledged; when there is space again the server goes on by itself.
  Answers bear an ETag: 304 if nothing has changed; If-Match at /store: 412 if something has.

\b
Forms of answers, as accepted or named by &format=:
  rows               json, xml, csv, tsv; sheet: CSV in which a spreadsheet sees no formulas
  graphs             turtle, ntriples, rdfxml, jsonld, nquads, trig
  A query without FROM looks into all graphs; with &union-default-graph=false into the default one.

\b
Logs:
  A line of JSON for each request, change and error on standard error; --quiet leaves out requests.
  --audit FILE keeps who changed what, who was not let in, and what was ended; where it takes no
  line more, the log says so.
"""
