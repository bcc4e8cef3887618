"""What sqlglot does not read, in words that it reads; every word keeps its place, made ones have that of a neighbour.

MERGE ... UPDATE SET a = s.a DELETE WHERE t.z = 2        ... WHEN MATCHED AND (t.z = 2) THEN DELETE
UPDATE t SET b += 1                                      UPDATE t SET b = b + 1
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mdw.readers.sql.dialects import TRANSACT, Flavour
from mdw.readers.sql.phrases import oracle, others, teradata, transact
from mdw.readers.sql.phrases.creating import without_virtual
from mdw.readers.sql.phrases.words import Words, made_words, spoken
from mdw.readers.sql.pieces import ScriptPiece, word_of


def written_out(piece: ScriptPiece, flavour: Flavour) -> tuple[Words, list[Words]]:
    """The words of a statement in a form that sqlglot reads, and the OUTPUTs of a T-SQL change as statements."""
    creates = word_of(piece.tokens[0]) == "CREATE"
    words = without_virtual(piece.tokens) if creates and piece.mentions("VIRTUAL") else list(piece.tokens)
    if spoken(words[:2]) == ["REPLACE", "INTO"]:
        # It inserts, whatever it takes away before.
        words[:1] = made_words(words[0], "INSERT")
    for change in REWRITTEN.get(flavour.name, ()):
        words = change(words)
    if flavour.name in TRANSACT and word_of(words[0]) in transact.CHANGES:
        return transact.without_output(words)
    return words, []


Rewriting = Callable[[Words], Words]

REWRITTEN: Mapping[str, Sequence[Rewriting]] = {
    "teradata": (
        teradata.unlocked,
        teradata.without_phrases,
        teradata.without_normalize,
        teradata.without_reset,
        teradata.updating,
    ),
    "oracle": (oracle.branching, oracle.through, oracle.modelled),
    "bigquery": (others.without_snapshot,),
    "clickhouse": (others.mutated,),
    "duckdb": (others.without_defaults,),
    "mysql": (others.without_outfile, others.infile),
    **dict.fromkeys(("spark", "databricks"), (others.plain_clone,)),
    "redshift": (others.deduplicated,),
    **dict.fromkeys(TRANSACT, (transact.assigned, transact.bulk, transact.unhinted, transact.executed)),
}
