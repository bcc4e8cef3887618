"""Mistakes in how rows are joined."""

from __future__ import annotations

from mdw.language.mistakes.mistake import END, INSIDE, NAME, J, M, Mistake, W

JOINS = (
    Mistake(
        "there is no {at} JOIN",
        hint="joins are JOIN, LEFT, RIGHT, FULL, CROSS, SEMI, ANTI and MARK JOIN",
        at=r"((?:(?:LEFT|RIGHT|FULL)\s+)?(?:OUTER|NATURAL|LATERAL))\s+JOIN\b",
        examples=(f"{W}S.A LEFT OUTER JOIN R ON S.A = R.A", f"{M}NATURAL JOIN R"),
    ),
    Mistake(
        "a JOIN has ON and a condition",
        hint="JOIN R ON S.ID = R.ID",
        before=rf"\bJOIN\s+{NAME}(?:\s+AS\s+\w+)?",
        at=r"USING\b",
        examples=(f"{M}JOIN R USING (A)",),
    ),
    Mistake(
        "a role stands behind AS",
        hint="FROM S AS role, JOIN R AS role",
        before=rf"\b(?:FROM|JOIN)\s+{NAME}",
        needs="AS",
        at=r"(?!(?:POPULATE|WITH|SELECT|NAVIGATE|ON|WHERE|GROUP|INNER|LEFT|RIGHT|FULL|CROSS|SEMI|ANTI|MARK)\b)[^\W\d]\w*(?=\s+(?:ON|POPULATE|AS)\b|\s*\Z)",
        examples=("WHEN POPULATING T FROM S s POPULATE T.A WITH s.A", f"{M}JOIN R r ON S.A = r.A"),
    ),
    Mistake(
        "JOIN names no entity",
        hint="JOIN R ON S.ID = R.ID",
        before=r"\bJOIN",
        at=rf"ON\b|{END}",
        examples=(f"{M}JOIN",),
    ),
    Mistake("ON without a condition", before=r"\bON", at=END, examples=(f"{M}JOIN R ON",)),
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
