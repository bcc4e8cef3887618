"""Mistakes in the clauses of a mapping and in their order."""

from __future__ import annotations

from mdw.language.mistakes.mistake import CLAUSE, END, NAME, C, F, J, M, Mistake, P, W

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
        "CASE is followed by WHEN",
        hint="CASE WHEN S.B = 1 THEN 2 ELSE 3 END",
        before=r"\bCASE",
        at=r".|\Z",
        examples=(f"{W}CASE S.B", f"{W}CASE S.B WHEN 1 THEN 2 END"),
    ),
    Mistake(
        "a WHEN of a CASE without THEN",
        hint="CASE WHEN S.B = 1 THEN 2 ELSE 3 END",
        needs="THEN",
        at=rf"(?:ELSE|END|WHEN)\b|{END}",
        examples=(f"{W}CASE WHEN S.B = 1 ELSE 2 END", f"{W}CASE WHEN S.B = 1"),
    ),
    Mistake(
        "a CASE without END",
        hint="CASE WHEN S.B = 1 THEN 2 ELSE 3 END",
        needs="END",
        at=END,
        examples=(f"{W}CASE WHEN S.B = 1 THEN 2 ELSE 3", f"{C}CASE WHEN S.B = 1 THEN 2 WITH 3"),
    ),
    Mistake(
        "{at} without CASE",
        hint="CASE WHEN … THEN … END; or WITH value IF condition, one for each case, the last without IF",
        at=r"(?:THEN|ELSE|END|ELSIF|ELSEIF)\b",
        examples=(f"{C}S.B = 1 ELSE 2", f"{C}S.B = 1 THEN 2"),
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
        "{at} stands in the wrong place",
        hint="in this order: NAVIGATE and JOIN, GROUP BY, HAVING, QUALIFY, DISTINCT ROWS, ORDER BY, LIMIT, OTHERS",
        # Where a mapping may end any clause may begin, unless an earlier one stands there already.
        needs="$END",
        at=rf"({CLAUSE})",
        examples=(f"{M}HAVING S.A = 1 GROUP BY S.B", f"{M}LIMIT 1 ORDER BY S.B", f"{M}GROUP BY S.B LEFT JOIN R"),
    ),
    Mistake(
        "{at} is SQL",
        hint="write a mapping for each query",
        at=r"(?:UNION|INTERSECT|EXCEPT)\b",
        examples=(f"{W}SUM(S.A) UNION",),
    ),
    Mistake(
        "the keys of a GROUP BY stand without parentheses",
        hint="GROUP BY ROLLUP S.A, S.B",
        before=r"\bBY(?:\s+(?:ROLLUP|CUBE|GROUPING\s+SETS))?\s*\([^()]*",
        at=",",
        examples=(f"{M}GROUP BY ROLLUP (S.A, S.B)", f"{M}GROUP BY (S.A, S.B)"),
    ),
)
