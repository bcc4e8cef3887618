"""The words of ALTER TABLE -> what columns it defines anew, and whether all its words are known (rule Q32).

ALTER TABLE t ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (START WITH 1)       ID is counted
ALTER TABLE t OWNER TO me, ADD CONSTRAINT k UNIQUE (a)                              known, and of no column
ALTER TABLE t FLUX COLUMN a                                                         not known: A may be filled now
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mdw.model.fixed import fixed
from mdw.readers.sql.phrases.clauses import brackets, compiled
from mdw.readers.sql.phrases.definition import COUNTED, ITEM, TAIL, DefinedColumn, column_definition, is_rule
from mdw.readers.sql.phrases.levels import Level, items_of
from mdw.readers.sql.phrases.patterns import NAME, any_of, pattern
from mdw.readers.sql.phrases.words import Words, behind_name, closed, spoken, top
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of

ADDED = compiled(pattern(r"(ADD|MODIFY)( COLUMNS| COLUMN)?( IF NOT EXISTS)?"))
DROPPED = compiled(rf"(?: COLUMN| CONSTRAINT)?{NAME}")
RETYPED = compiled(pattern(r"(ALTER COLUMN|CHANGE( COLUMN)? {N})"))
COUNTING = pattern(r"ALTER( COLUMN)? {N} (ADD|SET)") + f"(?:{COUNTED})"
DEFAULTS = any_of(r"""
    ALTER( COLUMN)? {N} (SET DEFAULT{V}|DROP DEFAULT|SET NOT NULL|DROP NOT NULL|DROP IDENTITY( IF EXISTS)?)
    ADD( CONSTRAINT{N})? DEFAULT{V} FOR {N}( WITH VALUES)?
""")
"""What the walk over the tree tells of defaults."""
TYPED = pattern(r"ALTER( COLUMN)? {N} (SET DATA )?TYPE{T}( COLLATE{P})?( USING{X})?")
BESIDES = any_of(r"""
    (SET|RESET) {o}
    OWNER TO {P}
    SET (TABLESPACE|SCHEMA|LOGGED|UNLOGGED) {N}
    SET (LOGGED|UNLOGGED)
    SET TBLPROPERTIES {o}
    CLUSTER ON {N}
    SET WITHOUT (CLUSTER|OIDS)
    REPLICA IDENTITY( FULL| NOTHING| DEFAULT| USING INDEX {N})
    (ENABLE|DISABLE|FORCE|NO FORCE) ROW LEVEL SECURITY
    (ENABLE|DISABLE)( REPLICA| ALWAYS)? (TRIGGER|RULE) {N}
    ATTACH PARTITION {P} (DEFAULT|FOR VALUES FROM {e} TO {e}|FOR VALUES IN {e}|FOR VALUES WITH {e})
    DETACH PARTITION {P}( CONCURRENTLY| FINALIZE)?
    (INHERIT|NO INHERIT) {P}
    VALIDATE CONSTRAINT {N}
    (CHECK|NOCHECK|ENABLE|DISABLE) CONSTRAINT {N}
    (ENABLE|DISABLE)( NOVALIDATE| VALIDATE)? (PRIMARY KEY|UNIQUE {c}|CONSTRAINT {N}|KEYS|TRIGGER {N})
    ALTER( COLUMN)? {N} (SET STATISTICS( [-+])? 0|SET STORAGE {N}|SET COMPRESSION {N}|SET {o}|RESET {o})
    ALTER( COLUMN)? {N} (RESTART( WITH 0)?|SET GENERATED (ALWAYS|BY DEFAULT)|COMMENT '|SET VISIBLE|SET INVISIBLE)
    DROP( CONSTRAINT| COLUMN| INDEX| KEY| FOREIGN KEY| CHECK)?( IF EXISTS)? {N}( CASCADE| RESTRICT)?
    DROP (PRIMARY KEY|PARTITION {P}|CLUSTERING KEY)
    DROP( COLUMN)? {c}
    RENAME( COLUMN| CONSTRAINT| INDEX| KEY)?( {N})?( TO| AS)? {P}
    (SWAP WITH|EXCHANGE WITH) {P}
    (ADD|DROP)( IF NOT EXISTS| IF EXISTS)? PARTITION {e}( LOCATION ')?
    ALTER (DISTKEY {N}|DISTSTYLE {N}|ENCODE AUTO|SORTKEY (AUTO|NONE)|(COMPOUND )?SORTKEY {c})
    ADD {p}
    (SUSPEND|RESUME) RECLUSTER
    APPEND FROM {P}
    COMMENT( =)? '
    ORDER BY {c}
    CONVERT TO CHARACTER SET {N}( COLLATE {N})?
    REBUILD( PARTITION = {N})?( WITH {o})?
    SWITCH( PARTITION 0)? TO {P}( PARTITION 0)?
    ADD SUPPLEMENTAL LOG DATA {c} COLUMNS
    MOVE( TABLESPACE {N})?( COMPRESS| NOCOMPRESS)?
    SHRINK SPACE( CASCADE| COMPACT)?
    DEALLOCATE UNUSED
    RECOVER PARTITIONS
    (TRUNCATE|OPTIMIZE|ANALYZE|CHECK|REPAIR|REBUILD|COALESCE) (SUB)?PARTITION( {N}| 0)
    EXCHANGE PARTITION {N} WITH TABLE {P}( (INCLUDING|EXCLUDING) INDEXES)?( (WITH|WITHOUT) VALIDATION)?
    (ENABLE|DISABLE) ALL TRIGGERS
    UNSET TBLPROPERTIES( IF EXISTS)? {e}
    (ADD|DROP) SEARCH OPTIMIZATION
    (SET|UNSET) TAG( {g}|{P} = '|{P})
    (ADD|DROP) ROW ACCESS POLICY {P}( ON {c})?
    (ALTER|MODIFY)( COLUMN)? {N} (SET|UNSET) (MASKING|PROJECTION) POLICY( {P})?( USING {c})?
    (MATERIALIZE|DROP|CLEAR) (INDEX|PROJECTION)( IF EXISTS)? {N}
    MODIFY (TTL{X}|SETTING {N} =( 0| '|{N})|COMMENT '|ORDER BY{X})
    (FREEZE|ATTACH|DETACH) PARTITION( 0| '|{P}| {e})
    DROP PARTITION( 0| '| {e})
""")
"""What says nothing of what a column holds where an INSERT leaves it out."""


@fixed
class AlteredTable:
    """The table, by its words, and the columns it defines anew; ``known``: there is no word that is not understood.

    ``counting``: all it does is let columns count; ``plain``: it says nothing of what columns hold.
    """

    table: Words
    columns: tuple[DefinedColumn, ...]
    known: bool
    counting: bool
    plain: bool


def table_alteration(piece: ScriptPiece, dialect: str) -> AlteredTable | None:
    """What ALTER TABLE says of columns; None of anything else."""
    if not piece.tokens or word_of(piece.tokens[0]) != "ALTER":
        return None
    words = list(piece.tokens)
    start = 2 + (spoken(words[:2]) == ["ALTER", "FOREIGN"])
    if spoken(words[start - 1 : start]) != ["TABLE"] or len(words) <= start:
        return None
    start += 2 * (spoken(words[start : start + 2]) == ["IF", "EXISTS"])
    start += spoken(words[start : start + 1]) == ["ONLY"]
    end = behind_name(words, start)
    lead = spoken(words[end : end + 2])
    behind = end + 2 * (lead in (["WITH", "CHECK"], ["WITH", "NOCHECK"])) + 3 * (lead == ["ON", "CLUSTER"])
    if spoken(words[behind : behind + 1]) in (["UPDATE"], ["DELETE"]):
        # ClickHouse's changes of rows.
        return None
    found: list[DefinedColumn] = []
    known, counting, plain, before = len(words) > behind, True, True, ""
    for action in items_of(words[behind:]):
        text = Level(action, brackets()).text
        # T-SQL says ADD once for several columns.
        if before == "DROP" and DROPPED.fullmatch(text):
            continue
        added = ADDED.match(text)
        if added is None and before == "ADD" and not (_beside(text) or compiled(DEFAULTS).fullmatch(text)):
            columns = list(_defined(action, piece.text, dialect))
        else:
            before = spoken(action[:1])[0] if action else ""
            columns = list(_altered(action, text, piece.text, dialect))
        known = known and None not in columns
        counting = counting and compiled(COUNTING).fullmatch(text) is not None
        plain = plain and bool(_beside(text))
        found += [one for one in columns if one is not None]
    return AlteredTable(words[start:end], tuple(found), known, counting, plain)


def _beside(text: str) -> bool:
    """Whether an action says nothing of what columns hold."""
    return bool(compiled(BESIDES).fullmatch(text) or compiled(TAIL).fullmatch(text.removeprefix(" SET")))


def _altered(action: Words, text: str, script: str, dialect: str) -> Iterator[DefinedColumn | None]:
    """The columns of an action; None for one that is not understood."""
    name = action[1 + (spoken(action[1:2]) == ["COLUMN"])] if len(action) > 2 else None
    if compiled(COUNTING).fullmatch(text):
        yield DefinedColumn(name, identity=True)
    elif compiled(TYPED).fullmatch(text):
        at = next(n for n, one in enumerate(action) if n and word_of(one) == "TYPE")
        yield column_definition([name, *action[at + 1 : top(action, {"COLLATE", "USING"})]], script, dialect)
    elif _beside(text) or compiled(DEFAULTS).fullmatch(text):
        return
    elif (match := ADDED.match(text) or RETYPED.match(text)) is not None:
        rest = action[len(Level(action, brackets()).words(0, match.end())) :]
        yield from _defined(rest, script, dialect, typed=not text.startswith(" MODIFY"))
    else:
        yield None


def _defined(words: Sequence[Any], text: str, dialect: str, *, typed: bool = True) -> Iterator[DefinedColumn | None]:
    """The columns and rules that ADD lists, in parentheses or not."""
    inside = bool(words) and words[0].token_type is TokenType.L_PAREN and closed(words, 0) == len(words)
    for item in items_of(words[1:-1]) if inside else [list(words)]:
        said = Level(item, brackets()).text
        placed = compiled(r"(?P<own>.*?)(?: FIRST| AFTER [^\s()]+)").fullmatch(said)
        own = item[: len(Level(item, brackets()).words(0, placed.end("own")))] if placed else item
        if compiled(DEFAULTS).fullmatch(f" ADD{said}"):
            continue
        if not is_rule(item):
            yield column_definition(own, text, dialect, typed=typed) if own else None
        elif compiled(ITEM).fullmatch(said) is None:
            yield None
