"""What a statement that was not read may write, told by its words alone (rule Q39).

    INSERT INTO core.orders (id) SELCT id FRM src.web     adds rows to CORE.ORDERS
    updat stg set id = 5                                  may change all that it names
    DELETE stg WHER id = 5                                may take rows of all that it names
    GRANT FLUXED ON core.orders TO x                      nothing

A verb that is known says where its target stands; where none is, each name may be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdw.model.query import Effect
from mdw.readers.sql.housekeeping import BRINGING_BACK
from mdw.readers.sql.programs.grammar import CHANGES, QUERIES, STARTS, words
from mdw.readers.sql.programs.spelling import HOLE

LACKING = re.compile(r"rows of |the rules of MODEL\b|NATURAL JOIN ")
"""How what was not resolved begins where a relation or a clause is lacking; all else is a column, or whose it is."""
PART = rf'"(?:[^"]|"")+"|`[^`]+`|\[[^\W\d][^\[\]]*\]|[@#:]*[^\W\d][\w$#@{HOLE}]*|{HOLE}[\w$#@{HOLE}]*'
PARTS = re.compile(PART)
TOKEN = re.compile(
    r"(?s)--[^\n]*|/\*.*?(?:\*/|\Z)|(?P<text>'(?:[^']|'')*'?)"
    rf"|(?P<name>(?:{PART})(?:\s*\.\.?\s*(?:{PART}))*)|(?P<sign>[(),;])|\d[\w.]*|."
)
QUIET = words("""
    GRANT REVOKE DENY COMMENT ANALYZE ANALYSE VACUUM EXPLAIN DESCRIBE DESC SHOW HELP COLLECT REINDEX REFRESH AUDIT
    NOAUDIT LOCK UNLOCK KILL BACKUP CHECKPOINT DBCC PRINT USE
""")
"""First words of statements that write no table, whatever stands behind."""
KNOWN = (
    STARTS
    | CHANGES
    | QUERIES
    | words("""
    SEL SET DECLARE BEGIN END IF ELSE ELSIF ELSEIF WHILE LOOP FOR REPEAT FOREACH RETURN RAISE EXCEPTION FETCH OPEN CLOSE
    COPY LOAD REPLACE UPSERT RENAME EXCHANGE SWAP DEL INS UPD PREPARE DEALLOCATE START STOP SAVEPOINT RELEASE ABORT
    LEAVE ITERATE SIGNAL RESIGNAL GET CASE COMMIT ROLLBACK
""")
    | BRINGING_BACK
)
"""First words that say what a statement, or a piece of a program, is."""
ADDING = words("INSERT COPY LOAD INTO")
CHANGING = words("UPDATE UPD MERGE UPSERT REPLACE OVERWRITE")
MOVING = words("RENAME EXCHANGE SWAP")
TAKING = words("DELETE DEL TRUNCATE")
HOLDING = words("TABLE VIEW SCHEMA DATABASE MATERIALIZED EXTERNAL FOREIGN DYNAMIC TEMPORARY")
"""What a DROP takes rows with."""
ALTERED = MOVING | words("SWITCH ATTACH DETACH APPEND TRANSFER INHERIT UPDATE MOVE")
"""Words of an ALTER that moves rows or names."""
RENAMED = words("CONSTRAINT INDEX KEY PARTITION")
"""What may be called otherwise without any reader's noticing."""
PASSED = words(
    "INTO TABLE ONLY IF NOT EXISTS OVERWRITE LOCAL IGNORE LOW_PRIORITY HIGH_PRIORITY DELAYED OR REPLACE DATA"
)
NO_CHANGE = words("FOR KEY THEN AFTER BEFORE OF OR ON NO") | {","}
"""Behind these INSERT, UPDATE and DELETE write no table that is named next."""
ENDS = words("SELECT SEL VALUES SET FROM USING ON WHERE AS WHEN WITH DEFAULT")
BESIDE = words("""
    INDEX FUNCTION PROCEDURE PROC PACKAGE SCHEMA DATABASE ROLE USER LOGIN SEQUENCE TYPE DOMAIN POLICY STATISTICS
    EXTENSION STAGE TASK PIPE EVENT MACRO AGGREGATE OPERATOR CAST COLLATION SERVER TABLESPACE FORMAT WAREHOUSE LANGUAGE
    SECRET CATALOG PUBLICATION SUBSCRIPTION MASK PERMISSION CONSTRAINT LIBRARY DIRECTORY RESOURCE
""")
"""CREATE of these makes no rows by itself; what their bodies say is looked through."""
NO_TABLES = (
    KNOWN
    | ENDS
    | ADDING
    | CHANGING
    | TAKING
    | ALTERED
    | PASSED
    | words("""
    JOIN INNER LEFT RIGHT FULL OUTER CROSS APPLY LATERAL AND NULL IN BY TO GROUP ORDER HAVING LIMIT UNION LIKE IS
    BETWEEN THEN DISTINCT SCHEMA VIEW TRIGGER RETURNING PARTITION
""")
)
"""Words that no table is called by, unless in quotes."""
NEAR = 8
"""Words of a CREATE among which is what it makes."""


class TokenWord(NamedTuple):
    """A name as it is written, of any parts, with its capitals if it may be a word of SQL, or a sign."""

    written: str
    said: str


class PossibleTargets(NamedTuple):
    """The names of what may be written, as they are written, what may become of it, and all names there are."""

    names: tuple[str, ...] = ()
    effect: Effect = "changes"
    mentioned: tuple[str, ...] = ()


def possible_targets(text: str, *, runs: bool = False) -> PossibleTargets:
    """What a statement that was not read may write; ``runs``: it is a text that is run, or calls what nobody knows.

    >>> possible_targets("insert into core.orders (id) selct id frm src.web")[:2]
    (('core.orders',), 'adds')
    >>> possible_targets("merge intu orders o using s on o.id = s.id whn matched then delete")[:2]
    (('intu', 'orders'), 'changes')
    >>> possible_targets("updat stg s set id = 5").names
    ('updat', 'stg', 's', 'id')
    >>> [possible_targets(one).names for one in ("select a frm t", "deny fluxed on t", "create fluxed index i on t")]
    [(), (), ()]
    >>> possible_targets("load_it('core.orders', 5)", runs=True).names
    ('load_it', 'core.orders')
    """
    every = _run(list(_words(text, inside=runs)))
    first = next((one.said for one in every if one.said != "("), "")
    names = tuple(dict.fromkeys(one.written for one in every if _is_name(one)))
    if first in QUIET or [one.said for one in every[:2]] == ["UPDATE", "STATISTICS"]:
        return PossibleTargets()
    found = dict.fromkeys(_found(every, first))
    said = {one.said for one in every}
    if first in QUERIES or not (runs or (first and first not in KNOWN) or (first == "SET" and _reads(every))):
        effect = _effect(said, first)
        if not found and effect is None:
            return PossibleTargets()
        if not found and first in ADDING | CHANGING and not _exports(first, said):
            # The verb is known, and nothing stands where its target should.
            found = dict.fromkeys(names)
        if first in TAKING | {"DROP"} and not found:
            return PossibleTargets(names, "takes", names)
        written = tuple(one for one in found if HOLE not in one)
        return PossibleTargets(written, effect or "adds", names) if found else PossibleTargets()
    return PossibleTargets(names, "changes", names)


CALLED = re.compile(rf"(?P<name>(?:{PART})(?:\s*\.\s*(?:{PART}))+)\s*\((?P<given>(?:'[^']*'|[^()'])*)\)")
TOLD = re.compile(rf"'((?:{PART})(?:\.(?:{PART}))*)'")


def told_names(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The functions of a schema that a text calls, each with the names it is given in quotes, if any.

    >>> [*told_names("select etl.load('core.f', 5), lower('core.f'), a.b(c)")]
    [('etl.load', ('core.f',))]
    """
    for called in CALLED.finditer(text):
        if names := tuple(TOLD.findall(called["given"])):
            yield called["name"], names


def _run(every: list[TokenWord]) -> list[TokenWord]:
    """The words of a statement, or of what EXPLAIN ANALYZE runs."""
    said = [one.said for one in every]
    if said[:1] != ["EXPLAIN"] or not {"ANALYZE", "ANALYSE"} & set(said[:NEAR]):
        return every
    at = next((at for at, one in enumerate(said) if one in STARTS | CHANGES and one not in QUIET), 0)
    return every[at:]


def _reads(every: Sequence[TokenWord]) -> bool:
    """Whether a FROM stands in no parentheses: SET a = 5 FROM orders o is what is left of an UPDATE."""
    depth = 0
    for one in every:
        depth += (one.said == "(") - (one.said == ")")
        if one.said == "FROM" and not depth:
            return True
    return False


def _is_name(one: TokenWord) -> bool:
    """Whether a word may be a table's name, and all of it is known."""
    return bool(one.written) and HOLE not in one.written and one.said not in NO_TABLES


def _effect(said: set[str], first: str) -> Effect | None:
    """What the verbs of a statement do with rows, None where it has none that does anything."""
    if first in TAKING or (first == "DROP" and said & HOLDING):
        return "takes" if not said & (ADDING | CHANGING) else "changes"
    changing = CHANGING - {"REPLACE", "OVERWRITE"} if first == "CREATE" else CHANGING
    if first in BRINGING_BACK or (first == "ALTER" and said & ALTERED):
        return "changes"
    if said & (changing | MOVING | {"TRIGGER", "RULE"}):
        return "changes"
    return "adds" if said & ADDING or first in ("CREATE", "ALTER") else None


def _words(text: str, *, inside: bool) -> Iterator[TokenWord]:
    """The names, words and signs of a text, comments left out; ``inside``: those within texts in quotes, too."""
    for token in TOKEN.finditer(text):
        if token["name"]:
            plain = re.fullmatch(r"\w+", token["name"])
            yield TokenWord(re.sub(r"\s*\.\s*", ".", token["name"]), token["name"].upper() if plain else "")
        elif token["sign"]:
            yield TokenWord("", token["sign"])
        elif token["text"] and inside:
            yield from _words(token["text"].strip("'").replace("''", "'"), inside=inside)


def _found(every: Sequence[TokenWord], first: str) -> Iterator[str]:
    """The names that stand where targets do."""
    if first in BRINGING_BACK:
        yield from _next(every, 0, 1)
    elif first in MOVING:
        yield from (one.written for one in every if _is_name(one))
    elif first == "ALTER":
        yield from _altered(every)
    else:
        if first == "CREATE":
            yield from _created(every)
        yield from _scanned(every)


def _scanned(every: Sequence[TokenWord]) -> Iterator[str]:
    """The names behind verbs, and the tables that such a name is short for: UPDATE a SET ... FROM orders a."""
    exports = _exports(every[0].said if every else "", {one.said for one in every})
    for at, (_, verb) in enumerate(every):
        before = every[at - 1].said if at else ""
        if verb not in ADDING | CHANGING or before in NO_CHANGE or exports:
            continue
        if verb in ("INSERT", "MERGE", "REPLACE", "UPSERT", "COPY", "LOAD") and "INTO" in {
            one.said for one in every[at + 1 : at + NEAR]
        }:
            continue
        if verb == "REPLACE" and (before == "OR" or at):
            continue
        if verb == "LOAD":
            # LOAD DATA INFILE 'x' INTU TABLE t
            yield from (name for here, one in enumerate(every) if one.said == "TABLE" for name in _next(every, here, 1))
            continue
        # LOAD DATA INFILE 'x' INTO TABEL t
        for name in _next(every, at, 1 if verb == "INTO" and every[0].said != "LOAD" else 2):
            yield name
            yield from _short_for(every, name)


def _exports(first: str, said: set[str]) -> bool:
    """COPY t TO 'file' writes no table."""
    return first == "COPY" and "TO" in said and not said & {"FROM", "INTO"}


def _next(every: Sequence[TokenWord], at: int, most: int) -> Iterator[str]:
    """The names behind a word, at most so many that stand side by side."""
    at += 1
    if [one.said for one in every[at : at + 2]] == ["TOP", "("]:
        # INSERT TOP (5) INTOO t
        at = next((end + 1 for end in range(at, len(every)) if every[end].said == ")"), at)
    while at < len(every) and every[at].said in PASSED:
        at += 1
    for one in every[at : at + most]:
        if not one.written or one.said in ENDS:
            return
        yield one.written


def _short_for(every: Sequence[TokenWord], alias: str) -> Iterator[str]:
    """The tables that are called so."""
    for at, one in enumerate(every):
        called = every[at + 1 : at + 3]
        if called and called[0].said == "AS":
            called = called[1:]
        if one.written and one.said not in NO_TABLES and called and called[0].written.upper() == alias.upper():
            yield one.written


def _created(every: Sequence[TokenWord]) -> Iterator[str]:
    """What a CREATE makes rows of, or changes rows of as they are written."""
    said = [one.said for one in every]
    head = said[:NEAR]
    if "TRIGGER" in head and "ON" in said:
        yield from _next(every, said.index("ON"), 1)
    elif "RULE" in head and "TO" in said:
        yield from _next(every, said.index("TO"), 1)
    elif kind := next((one for one in head if one in ("TABLE", "VIEW")), ""):
        yield from _next(every, said.index(kind), 2)
    elif not BESIDE & set(head):
        yield from _next(every, 0, NEAR)


def _altered(every: Sequence[TokenWord]) -> Iterator[str]:
    """What an ALTER moves rows or names of; what else it says of tables is none of this."""
    said = [one.said for one in every]
    if "TABLE" in said[:3] or not {"VIEW", "TRIGGER", "PROCEDURE", "PROC", "FUNCTION", "TASK"} & set(said[:3]):
        moves = any(
            one in ALTERED and said[at - 1] not in NO_CHANGE and not (one == "RENAME" and said[at + 1] in RENAMED)
            for at, one in enumerate(said[:-1])
        )
        yield from (one.written for one in every if moves and _is_name(one))
    elif "VIEW" in said[:3]:
        yield from _next(every, said.index("VIEW"), 1) if "AS" in said or MOVING & set(said) else ()
    else:
        yield from _created(every)
        yield from _scanned(every)
