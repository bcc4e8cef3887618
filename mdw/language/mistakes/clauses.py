"""Mistakes in how a mapping starts, in its clauses, their order and its joins."""

from __future__ import annotations

from mdw.language.mistakes.mistake import END, INSIDE, NAME, C, F, J, M, Mistake, P, W

STARTS = (
    Mistake(
        "this is SQL, not mapping text",
        hint="a mapping begins with WHEN POPULATING … FROM …",
        # SELECT ROWS is ours; any other SELECT where a mapping should begin is a query.
        at=r"(?:SELECT\b(?!\s+ROWS\b)|INSERT|CREATE|UPDATE|DELETE|MERGE|WITH|ALTER|DROP|TRUNCATE|USE)\b",
        needs="WHEN",
        examples=(
            "SELECT A, B FROM S WHERE A = 1",
            "INSERT INTO T SELECT A FROM S",
            "WITH X AS (SELECT 1) SELECT * FROM X",
        ),
    ),
    Mistake(
        "POPULATING without WHEN",
        at="POPULATING",
        needs="WHEN",
        examples=("POPULATING T FROM S POPULATE T.A WITH S.A",),
    ),
    Mistake(
        "{at} before any WHEN POPULATING … FROM …",
        at=r"POPULATE\b|FROM\b|SELECT ROWS|NAVIGATE\b",
        needs="WHEN",
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
        needs="WHEN",
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
        before=r"WHEN",
        at=r".|\Z",
        needs="POPULATING",
        examples=("WHEN POPULATE T FROM S",),
    ),
    Mistake(
        "WHEN POPULATING names no target entity",
        before=r"POPULATING(?:\s+FROM)?",
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
        hint="join the others by NAVIGATE FROM … TO … USING …",
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

CLAUSES = (
    Mistake(
        "a POPULATE gives one attribute",
        hint="write a POPULATE for each",
        before=rf"\bPOPULATE\s+{NAME}",
        at=",",
        examples=(f"{M}POPULATE T.A, T.B WITH S.A",),
    ),
    Mistake(
        "a value is given by WITH, not by {at}",
        before=rf"\bPOPULATE\s+{NAME}",
        at=r":?=|<-|(?:AS|BY|FROM|USING)\b",
        examples=(f"{P}= S.A", f"{P}:= 1", f"{P}FROM S.A"),
    ),
    Mistake(
        "POPULATE names no attribute",
        hint="POPULATE ENTITY.ATTRIBUTE WITH …",
        before=r"\bPOPULATE",
        at=END,
        examples=(f"{M}POPULATE WITH S.A", f"{M}POPULATE"),
    ),
    Mistake(
        "POPULATE without WITH",
        hint="POPULATE ENTITY.ATTRIBUTE WITH value",
        before=rf"\bPOPULATE\s+{NAME}",
        needs="WITH",
        at=r"[\w\"'(`]|\Z",
        examples=(P, f"{P}IF S.A = 1", f"{P}S.A", f'{P}"a"', f"{P}POPULATE T.B WITH 1"),
    ),
    Mistake("WITH gives no value", before=r"\bWITH", at=END, examples=(W, f"{W}IF S.A = 1", f"{W}POPULATE T.B WITH 1")),
    Mistake("IF without a condition", before=r"\bIF", at=END, examples=(C, f"{C}WITH 2")),
    Mistake(
        "SELECT ROWS WHERE without a condition", before=r"\bWHERE", at=END, examples=(F, f"{F}NAVIGATE FROM S TO R")
    ),
    Mistake(
        "nothing follows the last operator",
        hint="a condition ends with a comparison, not with AND, OR or NOT",
        before=r"(?P<here>\b(?:AND|OR|NOT))",
        at=rf"{END}|\)",
        examples=(f"{C}S.B = 1 AND", f"{F}S.B = 1 OR NAVIGATE FROM S TO R", f"{C}(S.B = 1 AND) WITH 1", f"{C}NOT"),
    ),
    Mistake(
        "{at} is SQL",
        hint="WITH value IF condition, one for each case; the last WITH without IF is the ELSE",
        at=r"(?:CASE|THEN|ELSE|END|ELSIF|ELSEIF)\b",
        examples=(f"{C}S.B = 1 ELSE 2", f"{W}CASE S.B", f"{C}S.B = 1 THEN 2"),
    ),
    Mistake(
        "the condition of a WITH begins with IF",
        # No IF since the WITH: what looks like a condition stands where only the value may.
        before=r"\bWITH\b(?:(?!\b(?:IF|POPULATE)\b).)*",
        needs="IF",
        at=r"(?:WHEN|AND|OR|NOT|IN|LIKE|BETWEEN|IS)\b|[=<>!]",
        examples=(f"{W}S.A AND S.B = 1", f"{W}S.A = 1"),
    ),
    Mistake(
        "a WITH has one IF",
        hint="join conditions by AND or OR",
        needs="AND",
        at=r"IF\b",
        examples=(f"{C}S.B = 1 IF S.C = 2",),
    ),
    Mistake(
        "POPULATE stands before SELECT ROWS and NAVIGATE",
        at=r"POPULATE\b",
        before=r"\b(?:SELECT\s+ROWS|NAVIGATE)\b.*",
        examples=(f"{F}S.B = 1 POPULATE T.B WITH 1", f"{J}S.A = R.A POPULATE T.B WITH 1"),
    ),
    Mistake(
        "SELECT ROWS stands before NAVIGATE",
        at=r"SELECT\s+ROWS",
        before=r"\bNAVIGATE\b.*",
        examples=(f"{J}S.A = R.A SELECT ROWS WHERE S.A = 1",),
    ),
    Mistake(
        "a mapping has one SELECT ROWS",
        hint="join conditions by AND",
        at=r"SELECT\s+ROWS",
        before=r"\bSELECT\s+ROWS\b.*",
        examples=(f"{F}S.B = 1 SELECT ROWS WHERE S.C = 2",),
    ),
    Mistake("WITH without POPULATE", before=rf"\bFROM\s+{NAME}", at=r"WITH\b", examples=(f"{M}WITH S.A",)),
    Mistake(
        "WHERE stands only in SELECT ROWS WHERE",
        hint="the condition of a single WITH begins with IF",
        at=r"WHERE\b",
        examples=(
            f"{W}S.A WHERE S.B = 1",
            f"{C}S.B = 1 WHERE S.C = 2",
            f"{M}WHERE S.A = 1",
            f"{M}SELECT WHERE S.A = 1",
        ),
    ),
    Mistake(
        "SELECT is followed by ROWS WHERE",
        before=r"\bSELECT(?:\s+ROWS)?",
        at=r".|\Z",
        examples=(f"{M}SELECT S.A FROM S", f"{M}SELECT ROWS IF S.A = 1", f"{M}SELECT"),
    ),
    Mistake(
        "{at} is SQL",
        hint="what is not aggregated is grouped by; conditions stand in IF and SELECT ROWS WHERE",
        at=r"(?:HAVING|GROUP|ORDER|LIMIT|QUALIFY|UNION|DISTINCT)\b",
        examples=(f"{W}SUM(S.A) GROUP BY S.B",),
    ),
)

JOINS = (
    Mistake(
        "{at} is SQL",
        hint="NAVIGATE FROM S TO R USING S.ID = R.ID",
        at=r"(?:(?:LEFT|RIGHT|FULL|INNER|OUTER|CROSS)\s+)*JOIN\b",
        examples=(f"{M}JOIN R ON S.A = R.A", f"{W}S.A LEFT JOIN R"),
    ),
    Mistake(
        "NAVIGATE is followed by FROM",
        before=r"\bNAVIGATE",
        at=r".|\Z",
        examples=(f"{M}NAVIGATE TO R USING S.A = R.A", f"{M}NAVIGATE S TO R"),
    ),
    Mistake(
        "NAVIGATE FROM … TO is missing",
        hint="NAVIGATE FROM S TO R USING S.ID = R.ID",
        needs="TO",
        at=r".|\Z",
        examples=(f"{M}NAVIGATE FROM S USING S.A = R.A", f"{M}NAVIGATE FROM S, R"),
    ),
    Mistake(
        "NAVIGATE without USING",
        hint="NAVIGATE FROM S TO R USING S.ID = R.ID",
        needs="USING",
        at=r".|\Z",
        examples=(f"{M}NAVIGATE FROM S TO R ON S.A = R.A", f"{M}NAVIGATE FROM S TO R"),
    ),
    Mistake(
        "the pairs of a USING are separated by commas",
        before=rf"\bUSING\b{INSIDE}",
        at=r"AND\b|&",
        examples=(f"{J}S.A = R.A AND S.B = R.B",),
    ),
    Mistake(
        "a USING compares by = only",
        hint="write other conditions in SELECT ROWS WHERE",
        before=rf"\bUSING\s{INSIDE}",
        at=r"[<>!]|OR\b|LIKE\b|IN\b|BETWEEN\b|IS\b",
        examples=(f"{J}S.A > R.A", f"{J}S.A = R.A OR S.B = R.B"),
    ),
    Mistake(
        "a USING compares attributes only",
        hint="write conditions on constants in SELECT ROWS WHERE",
        # Behind a comma, an equals sign or the last letter of USING, where an attribute has to stand.
        before=rf"\bUSING\b{INSIDE}[,=G]",
        at=r"[\"'\d-]",
        examples=(f"{J}S.A = 5", f"{J}S.A = R.A, 'x' = R.B"),
    ),
    Mistake("USING without a pair of attributes", before=r"\bUSING", at=END, examples=(J,)),
)
