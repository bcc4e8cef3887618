"""ALTER TABLE with several actions that the parser does not take together: each is an ALTER of its own.

ALTER TABLE t ADD COLUMN a Int32, DROP COLUMN b, ADD INDEX i (a) TYPE minmax
    ALTER TABLE t ADD COLUMN a Int32        ALTER TABLE t DROP COLUMN b        and an index, which moves nothing
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from mdw.readers.sql.housekeeping import keeps_house
from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.phrases.db2_altering import with_commas
from mdw.readers.sql.phrases.mysql_versions import altered
from mdw.readers.sql.phrases.words import Words, behind_name, parted, spoken
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.work import Work

WRITTEN: Mapping[str, Callable[[Words], Words]] = {"ansi": with_commas, "mysql": altered}
"""How the actions of a dialect are written so that commas part them."""


def actions(one: exp.Expr, work: Work) -> list[exp.Expr]:
    """The trees of the actions of an ALTER TABLE; none where there is one alone, or one that is not known."""
    text = one.sql(dialect=work.flavour.parser)
    # The tokenizer takes what stands behind ALTER for a text where it begins a statement.
    words = work.flavour.parser.tokenize(f"({text})")[1:-1]
    start = 2 + 2 * (spoken(words[2:4]) == ["IF", "EXISTS"])
    end = behind_name(words, start) if start < len(words) else 0
    if spoken(words[end : end + 2]) == ["ON", "CLUSTER"]:
        end = behind_name(words, end + 2)
    if work.flavour.name in WRITTEN:
        words = WRITTEN[work.flavour.name](words)
    several = parted(words[end:])
    if spoken(words[:2]) != ["ALTER", "TABLE"] or len(several) < 2:
        return []
    found: list[exp.Expr] = []
    for action in several:
        piece = ScriptPiece((*words[: behind_name(words, start)], *action), f"({text})")
        try:
            tree = parsed(piece, work.flavour)[1] if action else exp.Command()
        except UnparsedError:
            return []
        # Whether it only keeps a table in order its text tells, which has the other actions in it as well.
        own = " ".join(["ALTER TABLE x", *(token.text for token in action)])
        if not isinstance(tree, exp.Command):
            found.append(tree)
        elif not keeps_house(ScriptPiece(tuple(work.flavour.parser.tokenize(own)), own), work.flavour.name):
            return []
    return found
