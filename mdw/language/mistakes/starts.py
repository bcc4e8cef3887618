"""Mistakes in how a mapping starts."""

from __future__ import annotations

from mdw.language.mistakes.mistake import NAME, Mistake

STARTS = (
    Mistake(
        "this is SQL, not mapping text",
        hint="a mapping begins with WHEN POPULATING … FROM …",
        # SELECT ROWS is ours; any other SELECT where a mapping should begin is a query.
        at=r"(?:SELECT\b(?!\s+ROWS\b)|INSERT|CREATE|UPDATE|DELETE|MERGE|WITH|ALTER|DROP|TRUNCATE|USE)\b",
        needs="MAPPING",
        examples=(
            "SELECT A, B FROM S WHERE A = 1",
            "INSERT INTO T SELECT A FROM S",
            "WITH X AS (SELECT 1) SELECT * FROM X",
        ),
    ),
    Mistake(
        "POPULATING without WHEN",
        at="POPULATING",
        needs="MAPPING",
        examples=("POPULATING T FROM S POPULATE T.A WITH S.A",),
    ),
    Mistake(
        "{at} before any WHEN POPULATING … FROM …",
        at=r"POPULATE\b|FROM\b|SELECT ROWS|NAVIGATE\b",
        needs="MAPPING",
        examples=("POPULATE T.A WITH S.A", "SELECT ROWS WHERE S.A = 1"),
    ),
    Mistake(
        "no mapping begins here",
        hint="a mapping begins with WHEN POPULATING … FROM … or with MAPPING name: and a comment with --",
        # A word that only begins like MAPPING was read as the keyword, and the parser stopped behind it.
        before=r"\A\s*(?P<here>MAPPING\w.*)",
        at=r".|\Z",
        needs="COLON",
        examples=("Mappings of the core layer\n\nWHEN POPULATING T FROM S",),
    ),
    Mistake(
        "no mapping begins here",
        hint="a mapping begins with WHEN POPULATING … FROM … or with MAPPING name: and a comment with --",
        at=r"\w|\W",
        needs="MAPPING",
        examples=("Core layer\n\nWHEN POPULATING T FROM S", "<mapping>"),
    ),
    Mistake(
        "MAPPING without a name",
        hint="write MAPPING name: or leave the header away",
        before=r"MAPPING(?:\s+WHEN)?",
        at=r":|POPULATING|\Z",
        examples=("MAPPING : WHEN POPULATING T FROM S", "MAPPING WHEN POPULATING T FROM S"),
    ),
    Mistake(
        "the header of a mapping ends with a colon",
        hint="MAPPING name:",
        before=rf"\bMAPPING\s+(?P<here>{NAME})",
        at=r"WHEN\b|\Z",
        examples=("MAPPING load WHEN POPULATING T FROM S", "MAPPING load\nWHEN POPULATING T FROM S"),
    ),
    Mistake(
        "the name of this mapping stands in back quotes",
        hint="MAPPING `any name`:",
        before=r"\bMAPPING\b[^:\n]*",
        at=r"[^:]",
        examples=("MAPPING load customers: WHEN POPULATING T FROM S", "MAPPING 2nd: WHEN POPULATING T FROM S"),
    ),
    Mistake(
        "WHEN is followed by POPULATING",
        hint="or by UPDATING or DELETING, where rows are there already",
        before=r"WHEN",
        at=r".|\Z",
        needs="_POPULATING",
        examples=("WHEN POPULATE T FROM S",),
    ),
    Mistake(
        "WHEN POPULATING names no target entity",
        before=r"(?:POPULATING|UPDATING|DELETING)(?:\s+FROM)?",
        at=rf"(?:FROM|POPULATE)\b|{NAME}\s+POPULATE|\Z",
        examples=("WHEN POPULATING FROM S POPULATE T.A WITH S.A", "WHEN POPULATING"),
    ),
    Mistake(
        "no comma stands before FROM",
        before=rf"\bPOPULATING\s+{NAME}",
        at=r",\s*FROM\b",
        examples=("WHEN POPULATING T, FROM S",),
    ),
    Mistake(
        "a mapping populates one entity",
        hint="write a mapping for each",
        before=rf"\bPOPULATING\s+{NAME}",
        at=",",
        examples=("WHEN POPULATING T, U FROM S",),
    ),
    Mistake(
        "a mapping is driven by one entity",
        hint="join the others by NAVIGATE FROM … TO … USING … or by JOIN … ON …",
        before=rf"\bPOPULATING\s+{NAME}\s+FROM\s+{NAME}",
        at=r",(?!\s*(?:POPULATE|SELECT|NAVIGATE)\b)",
        examples=("WHEN POPULATING T FROM S, R",),
    ),
    Mistake(
        "FROM names no driving entity",
        # POPULATE was taken for the name of the entity, so the parser may stop one word later.
        before=r"\bFROM(?:\s+POPULATE)?",
        at=rf"{NAME}\s+WITH\b|(?:POPULATE|SELECT|NAVIGATE)\b|\Z",
        examples=("WHEN POPULATING T FROM POPULATE T.A WITH S.A", "WHEN POPULATING T FROM"),
    ),
    Mistake(
        "FROM is missing: which entity drives the mapping?",
        hint="WHEN POPULATING target FROM driving",
        needs="FROM",
        before=rf"\bPOPULATING\s+{NAME}",
        at=r"[\w`\"'(]|\Z",
        examples=("WHEN POPULATING T POPULATE T.A WITH S.A", "WHEN POPULATING T"),
    ),
    Mistake(
        "ENTITY is a label here",
        hint="Entity: name; an entity of that name stands in back quotes",
        before=r"ENTITY",
        needs="COLON",
        at=r".|\Z",
        examples=("WHEN POPULATING T FROM ENTITY POPULATE T.A WITH 1",),
    ),
)
