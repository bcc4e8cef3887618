"""A shell script's here-documents that clients of databases read: what is around them is no SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator

CLIENTS = (
    "bteq|fastload|mload|tpt|sqlplus|psql|mysql|mariadb|isql|sqlcmd|snowsql|hive|beeline|spark-sql|db2|nzsql|vsql|bq"
)
OPENING = re.compile(rf"[^\n#]*\b(?:{CLIENTS})\b[^\n]*?<<-?[ \t]*['\"\\]?(?P<mark>[\w!$.]+)(?![\w!$.]*>>)[^\n]*\n")


def documents(text: str) -> Iterator[tuple[int, int]]:
    """Where what stands around the here-documents of a shell script begins and ends; nothing of any other text.

    >>> text = "#!/bin/sh\\nbteq <<EOF\\nSELECT 1;\\nEOF\\necho 'done'\\n"
    >>> [text[start:end] for start, end in documents(text)]
    ['#!/bin/sh\\nbteq <<EOF\\n', "EOF\\necho 'done'\\n"]
    """
    start, at = 0, text.find("<<")
    while at >= 0:
        found = OPENING.match(text, text.rfind("\n", 0, at) + 1)
        end = found and re.compile(rf"(?m)^[ \t]*{re.escape(found['mark'])}[ \t]*$").search(text, found.end() - 1)
        if found and end:
            yield start, found.end()
            start = end.start()
        at = text.find("<<", end.end() if found and end else at + 2)
    if start:
        yield start, len(text)
