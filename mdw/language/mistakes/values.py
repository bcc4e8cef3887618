"""Mistakes in conditions, expressions and names."""

from __future__ import annotations

from mdw.language.mistakes.mistake import COMPARED, CONST, DOTS, END, INSIDE, NAME, SUMS, C, F, J, M, Mistake, P, W

CONDITIONS = (
    Mistake("equal is a single =", before="=", at="=", examples=(f"{C}S.B == 1", f"{F}S.B == S.C")),
    Mistake(
        "no such operator",
        hint="the operators are = != < <= > >=",
        before=r"(?P<here>[<>=!]+)",
        at=r"[<>=!~]+",
        examples=(f"{C}S.B => 1", f"{C}S.B =< 1", f"{C}S.B > = 1"),
    ),
    Mistake(
        "no such operator",
        hint="the operators are = != < <= > >=",
        needs="NE",
        at=r"[!~^:]",
        examples=(f"{C}S.B ! = 1", f"{C}S.B ~ 'x'", f"{C}S.B := 1"),
    ),
    Mistake(
        "BETWEEN takes two values joined by AND",
        hint="BETWEEN 1 AND 5",
        before=rf"\bBETWEEN(?:\s+(?:{CONST}|{NAME})(?:\s+AND)?)?",
        at=r".|\Z",
        examples=(f"{C}S.B BETWEEN 1, 5", f"{C}S.B BETWEEN 1", f"{C}S.B BETWEEN S.C"),
    ),
    Mistake(
        "dates are written 31.12.2013 or 2013-12-31",
        before=r"(?<![\w.])(?P<here>\d[\d.]*)",
        at=r"\.\d+",
        examples=(f"{C}S.B = 31.12.13",),
    ),
    Mistake(
        "numbers are written with a point and without exponent",
        hint="1234.5",
        before=r"(?<![\w.,])(?P<here>\d+(?:\.\d+)?)",
        at=r",\d|'\d|[eE][+-]?\d|_\d",
        examples=(f"{C}S.B = 1,5", f"{W}1e6", f"{W}1,5"),
    ),
    Mistake(
        "conditions are joined by AND and OR, not by {at}",
        needs="AND",
        at=r"&&|\|\||&|\||,",
        examples=(f"{C}S.B = 1 && S.C = 2", f"{C}S.B = 1, S.C = 2"),
    ),
    Mistake(
        "conditions are joined by AND and OR, not by ||",
        before=r"(?:[=<>]|\bNULL\b)[^=<>|]*(?P<here>\|\|)[^=<>|]*",
        at=r"[=<>!]|IS\b|(?:NOT\s+)?(?:IN|LIKE|BETWEEN)\b",
        examples=(f"{C}S.B = 1 || S.C = 2",),
    ),
    Mistake(
        "IS is followed by NULL, TRUE or DISTINCT FROM, perhaps with NOT before it",
        needs="ISNULL",
        at=r"IS\b|ISNULL|NOTNULL",
        examples=(f"{C}S.B IS 5", f"{C}S.B IS NOT 'x'"),
    ),
    Mistake(
        "there are no subqueries",
        hint="join the entity by NAVIGATE and compare its attributes",
        before=r"\(",
        at=r"SELECT\b",
        examples=(f"{C}S.B IN (SELECT R.B FROM R)", f"{W}(SELECT 1)"),
    ),
    Mistake(
        "LIKE takes a pattern in quotes",
        before=r"\bLIKE",
        at=r".|\Z",
        examples=(f"{C}S.B LIKE A%", f"{C}S.B NOT LIKE"),
    ),
    Mistake(
        "IN takes values in parentheses",
        hint='IN (1, 2) or IN ("a", "b")',
        before=r"\bIN",
        at=r"[^(]|\Z",
        examples=(f"{C}S.B IN 1, 2", f"{C}S.B IN S.C"),
    ),
    Mistake("an IN without values", before=r"\bIN\s*\(", at=r"\)", examples=(f"{C}S.B IN ()",)),
    Mistake(
        "a comparison without its right side",
        before=r"(?P<here>[<>=]+)",
        at=rf"{END}|(?:AND|OR)\b(?!\.)|\)",
        examples=(f"{C}S.B =", f"{C}S.B > AND S.C = 1"),
    ),
    Mistake(
        "a text without quotes",
        hint="texts stand in quotes, attributes with their entity: ENTITY.ATTRIBUTE",
        # A name with a point is an attribute, one with a parenthesis a function: other rows speak of those.
        before=rf"{COMPARED}|\bIN\s*\((?:[^()]*,)?",
        needs="STRING",
        at=r"[^\W\d]\w*(?![\w.(`])(?!\s*\()",
        examples=(f"{C}S.B = ACTIVE", f"{C}S.B < high AND S.C = 1", f"{C}S.B IN (1, high)"),
    ),
    Mistake(
        "an attribute alone is no condition",
        hint="compare it: S.B = 'Y' or S.B IS TRUE",
        before=rf"(?P<here>\(?{NAME})\s*\)*",
        needs="NE",
        at=rf"{END}|(?:AND|OR)\b|\)",
        examples=(f"{C}S.B", f"{C}S.B AND S.C = 1", f"{C}(S.B) WITH 2", f"{C}TRUE"),
    ),
)

EXPRESSIONS = (
    Mistake(
        "an aggregation takes one value",
        hint="SUM(ENTITY.ATTRIBUTE); of several: AGGREGATE name(value, value)",
        before=rf"\b{SUMS}\s*\(\s*(?:{NAME})?",
        at=r"[,)*]",
        examples=(f"{W}COUNT()", f"{W}SUM(S.A, S.B)", f"{W}SUM(*)"),
    ),
    Mistake(
        "SUBSTR takes an attribute and two numbers",
        hint="SUBSTR(S.A, 1, 3)",
        before=r"\bSUBSTR(?:ING)?\s*\([^()]*",
        at=r"[^)]|\)",
        examples=(f"{W}SUBSTR(S.A, 1)", f"{W}SUBSTR('abc', 1, 2)", f"{W}SUBSTR(S.A FROM 1)"),
    ),
    Mistake(
        "strings are joined by ||, not by {at}",
        before=r"[\"']",
        at=r"&",
        examples=(f"{W}'a' & S.B",),
    ),
    Mistake(
        "what || joins calculates in parentheses only",
        hint='S.A || (S.B + 1) || "x"',
        before=r"\|\|[^|]*[\w)`\"']",
        at=r"[+*/-]",
        examples=(f"{W}S.A || S.B + 1", f"{C}S.B = S.A || S.C / 2"),
    ),
    Mistake(
        "nothing follows the last operator",
        before=r"(?P<here>[+*/-]|\|\|)",
        at=rf"{END}|\)",
        examples=(f"{W}S.A +", f"{W}S.A || IF S.B = 1", f"{W}(S.A *) IF S.B = 1"),
    ),
    Mistake(
        "a parenthesis is not closed",
        hint="add ) here",
        needs="RPAR",
        at=rf"{END}|,",
        examples=(
            f"{W}(S.A + S.B",
            f"{C}(S.B = 1 OR S.C = 2 WITH 1",
            f"{C}S.B IN (1, 2 SELECT ROWS WHERE S.C = 1",
            f"{W}SUM(S.A",
        ),
    ),
    Mistake(
        "a closing parenthesis without an opening one",
        at=r"\)",
        examples=(f"{C}S.B = 1)", f"{W}S.A + S.B)", f"{J}S.A = R.A)"),
    ),
    Mistake(
        "a WITH gives one value",
        hint="strings are joined by ||",
        before=rf"\bWITH\b{INSIDE}",
        needs="WITH",
        at=r",",
        examples=(f"{W}S.A, S.B", f'{W}"a", 1'),
    ),
    Mistake("clauses are not separated by commas", at=",", needs="POPULATE", examples=(f"{M}, POPULATE T.A WITH 1",)),
)

# Last: a damaged name fits nearly anywhere, and most rows above know better what it was meant to be.
NAMES = (
    Mistake(
        "a name stands in back quotes, not in {at}",
        hint="`any name`.`another`",
        before=r"\b(?:POPULATING|POPULATE|FROM|TO)|\.|",
        needs="NAME QUALIFIED",
        at=rf"{DOTS}([\"'\[])",
        examples=(
            'WHEN POPULATING "T" FROM S',
            f'{M}POPULATE "T"."A" WITH 1',
            f'{W}S."A"',
            f"{M}POPULATE [T].[A] WITH 1",
        ),
    ),
    Mistake(
        "a name stands in back quotes",
        hint="`any name`.`another`",
        before=r"(?P<here>\"[^\"]*\"|'[^']*')",
        at=r"\.",
        examples=(f'{W}"S"."A"', f"{C}S.B = 'R'.'C'"),
    ),
    Mistake(
        "a name that begins with a digit stands in back quotes",
        hint="`2ND`",
        needs="NAME QUALIFIED",
        at=r"(?:[^\W\d]\w*\.|\.)*\d",
        examples=("WHEN POPULATING 2T FROM S", f"{W}S.2A", f"{M}POPULATE 2T.A WITH 1"),
    ),
    Mistake(
        "a name that begins with a digit stands in back quotes",
        hint="`2ND`",
        before=r"(?<![\w.])(?P<here>\d+)(?!\s)",
        at=r"[^\W\d]",
        examples=(f"{W}2A.B", f"{C}S.B = 2nd"),
    ),
    Mistake(
        "a name with {at} in it stands in back quotes",
        hint="`any name`.`another`",
        before=r"[\w`.]|\b(?:POPULATING|POPULATE|FROM|TO|WITH|IF|WHERE)",
        at=rf"{DOTS}([^\x00-\x7f]|[$@?%\\{{}}\[\]:^~-])",
        examples=("WHEN POPULATING T-X FROM S", f"{W}S.GRÖSSE", f"{M}POPULATE T.$A WITH 1", "WHEN POPULATING Ä FROM S"),
    ),
    Mistake(
        "a part of the name is missing",
        hint="ENTITY.ATTRIBUTE",
        at=r"\w+(?:\.\w+)*\.(?![\w`])|\.",
        examples=(f"{W}S..A", f"{P}WITH S. IF S.B = 1", f"{M}POPULATE T.A. WITH 1"),
    ),
    Mistake(
        "an attribute without its entity",
        needs="QUALIFIED",
        at=r"(?!(?:POPULATE|WITH|IF|SELECT|NAVIGATE|AND|OR)\b)[^\W\d]\w*(?!\w|\.)",
        examples=(f"{M}POPULATE A WITH S.A", f"{W}A", f"{C}B = 1", f"{J}A = R.A"),
    ),
)
