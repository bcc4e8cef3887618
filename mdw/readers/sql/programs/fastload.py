"""FastLoad's DEFINE, which tells the fields of a file; what is inserted behind it comes from there.

DEFINE a (VARCHAR(9)), b (CHAR(2)) FILE = in.txt;        rows come from in.txt, which has A and B
INSERT INTO t (x, y) VALUES (:b, :a);                    INSERT INTO t (x, y) SELECT b, a FROM "in.txt"
INSERT INTO t.*;                                         INSERT INTO t SELECT a, b FROM "in.txt"
"""

from __future__ import annotations

import re

from mdw.readers.sql.pieces import TokenType
from mdw.readers.sql.programs.program import Aside, Steps
from mdw.readers.sql.programs.words import Words

FILE = re.compile(r"(?is)\bFILE\s*=\s*'?([^\s;,']+)")


def defined(this: Words) -> Steps | None:
    """DEFINE a (VARCHAR(9)), b (CHAR(2)) FILE = in.txt."""
    first, last = this.at, this.stop()
    found = FILE.search(this.written(first, last))
    if this.flavour.name != "teradata" or found is None:
        return None
    this.rows_from, this.fields = found[1], ()
    at = first + 1
    while at < last and this.spoken[at] != "FILE":
        # Behind the name of a field stands its type, in parentheses.
        if at == first + 1 or this.types[at - 1] is TokenType.COMMA:
            this.fields += (this.tokens[at].text,)
        at = this.closed(at) if this.types[at] is TokenType.L_PAREN else at + 1
    this.at = last
    return (Aside(this.piece(first, last)),)


STEPS = {"DEFINE": defined}
