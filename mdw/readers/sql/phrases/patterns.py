"""Patterns of words, as levels have them (`levels`): names, types, values, and what may stand in parentheses.

In a pattern a name in braces stands for a shape: {N} a name, {P} one with dots, {V} a value that needs no row, {X} any,
{T} a type; a small letter is a parenthesis, by what may be in it. All of these begin with the blank before their word.
"""

from __future__ import annotations

import re

NAME = r' (?:# ){0,2}@?(?!0(?![^\s()]))(?:"?[\w$@#][^\s()]*|")'
"""No number; T-SQL's #t is two words."""
PATH = rf"{NAME}(?: [.-]{NAME})*"
UNIT = r"(?:YEAR|MONTH|DAY|HOUR|MINUTE|SECOND|WEEK|QUARTER)"
ZONE = r" (?:WITH|WITHOUT)(?: LOCAL)? TIME ZONE"
FIRST_WORDS = (
    r"(?: (?:CHARACTER|BIT|NATIONAL|DOUBLE|LONG|BINARY|CHAR)(?= (?:VARYING|CHARACTER|CHAR|PRECISION|RAW|LARGE)\b))*"
)
SHAPED = (
    r"(?: (?:STRUCT|TUPLE|NESTED|ROW|UNION|OBJECT) \(\w*f\w*\)"
    r"| (?:ARRAY|MAP|LIST|NULLABLE|LOWCARDINALITY|UNIONTYPE|VARIANT|RANGE|PERIOD|VECTOR"
    r"|(?:SIMPLE)?AGGREGATEFUNCTION) \(\w*t\w*\))"
)
"""Types of other types, and of fields with names."""
TYPE = (
    rf"(?P<type>{FIRST_WORDS}{PATH})(?: LARGE OBJECT| VARYING)?(?: \((?P<of>\w*[ntfe]\w*)\))?"
    rf"(?:{ZONE}| UNSIGNED| SIGNED| ZEROFILL| ARRAY| \[\w*e\w*\]| FOR BIT DATA"
    rf"| {UNIT}(?: \(\w*n\w*\))?(?: TO {UNIT}(?: \(\w*n\w*\))?)?)*"
)
"""A type, whether it is one of the database's own or a domain."""
CAST = (
    rf"(?:{SHAPED}| (?:CHARACTER VARYING|BIT VARYING|DOUBLE PRECISION)|{PATH})(?: \(\w*[ne]\w*\))?"
    rf"(?:{ZONE}| \[\w*e\w*\])*"
)
"""The same within a value or a type."""

PREFIX = (
    r"(?: (?:NOT|DISTINCT|[-+~]|CASE(?: WHEN)?|INTERVAL(?= (?:'|0))|(?:DATE|TIMESTAMP|TIME|[NEBX]|_\w+)(?= ')"
    r"|ARRAY(?= [\[(])))*"
)
SUFFIX = (
    rf"(?: ::{CAST}| AS{CAST}| \[\w*e\w*\]| END| IS(?: NOT)? NULL| AT TIME ZONE '"
    rf"| COLLATE(?:{PATH}| ')| ESCAPE ')*"
)
CONSTANT = rf" (?:0|')(?: {UNIT}S?)?"
OPERAND = (
    rf"(?:{PREFIX}(?:{CONSTANT}| \(\w*e\w*\)|{PATH}(?: \(\w*[ent]\w*\)){{0,2}}| \*| \[\w*e\w*\]| NO RANGE"
    rf"| NEXT VALUE FOR{PATH}){SUFFIX})"
)
OPERATOR = (
    r" (?:[-+*/%<>=!|&^~@?:.#]+|AND|OR|XOR|(?:NOT )?(?:LIKE|ILIKE|IN|BETWEEN|SIMILAR TO|REGEXP|RLIKE)"
    r"|IS(?: NOT)?(?: DISTINCT FROM)?|DIV|MOD|WHEN|THEN|ELSE|FROM|FOR|USING|EACH)"
)
EXPRESSION = rf"(?:{OPERAND}(?:{OPERATOR}{OPERAND})*)"
MOMENT = (
    r"CURRENT_(?:TIMESTAMP|DATE|TIME|USER|ROLE|SCHEMA|CATALOG)|SESSION_USER|SYSTEM_USER|USER|SYSDATE|SYSTIMESTAMP|UID"
    r"|LOCALTIME(?:STAMP)?|CURRENT (?:TIMESTAMP|DATE|TIME)|NULL|TRUE|FALSE|DATE|TIME"
)
ONE_VALUE = (
    rf"(?:{PREFIX}(?:{CONSTANT}| \(\w*e\w*\)| (?:{MOMENT})(?: \(\w*e\w*\))?|{PATH} \(\w*e\w*\)|{NAME} \.{PATH}"
    rf"| NEXT VALUE FOR{PATH}| \[\w*e\w*\]){SUFFIX})"
)
VALUE = rf"(?:{ONE_VALUE}(?: (?:[-+*/%|]|\|\|){ONE_VALUE})*)"

SHAPES = {"N": NAME, "P": PATH, "T": CAST, "V": VALUE, "X": EXPRESSION}


def pattern(text: str) -> str:
    """A pattern with shapes in the place of their names.

    >>> pattern("STORAGE {s}")
    ' STORAGE \\\\(\\\\w*s\\\\w*\\\\)'
    """
    return re.sub(
        r" ?\{([A-Za-z])\}", lambda found: SHAPES.get(found[1], rf" \(\w*{found[1]}\w*\)"), f" {text.strip()}"
    )


def any_of(text: str) -> str:
    """One of the patterns that stand on the lines of a text; a backslash at its end has a line go on."""
    lines = re.sub(r"\\\n\s*", "", text).strip().splitlines()
    return f"(?:{'|'.join(map(pattern, lines))})"


def listed(one: str) -> str:
    """A list of what one pattern says, with commas."""
    return f"(?:{one})(?: ,(?:{one}))*"
