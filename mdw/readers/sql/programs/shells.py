"""A shell script's here-documents that clients of databases read: what is around them is no SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator

CLIENTS = (
    "bteq|fastload|mload|tpt|sqlplus|psql|mysql|mariadb|isql|sqlcmd|snowsql|hive|beeline|spark-sql|db2|nzsql|vsql|bq"
)
DOCUMENT = re.compile(
    rf"(?m)^(?P<lead>[^\n#]*\b(?:{CLIENTS})\b[^\n]*?<<-?[ \t]*(?P<q>['\"\\]?)(?P<mark>[\w!$.]+)[^\n]*\n)"
    r"(?P<body>(?:[^\n]*\n)*?)[ \t]*(?P=mark)[ \t]*(?:\n|\Z)"
)


def documents(text: str) -> Iterator[tuple[int, int]]:
    """Where what stands around the here-documents of a shell script begins and ends; nothing of any other text.

    >>> text = "#!/bin/sh\\nbteq <<EOF\\nSELECT 1;\\nEOF\\necho 'done'\\n"
    >>> [text[start:end] for start, end in documents(text)]
    ['#!/bin/sh\\nbteq <<EOF\\n', "EOF\\necho 'done'\\n"]
    """
    if "<<" not in text:
        return
    found = list(DOCUMENT.finditer(text))
    start = 0
    for one in found:
        yield start, one.start("body")
        start = one.end("body")
    if found and start < len(text):
        yield start, len(text)
