"""What is known of a function: whether it repeats what it gave, and whether its value comes from no attribute."""

from __future__ import annotations

import re

from mdw.model.expressions import NULL, Aggregate, Attr, Call, Condition, Const, Expression, Window
from mdw.model.function_names import CHOICE, GENERATING, STRICT
from mdw.model.name import local_of
from mdw.model.walks import walk

FLOATING_TYPE = re.compile(r"(Nullable\()?(float|double|real|binary_(float|double))", re.IGNORECASE)
CALLED = re.compile(r"\w*(\.\w+)*|(CAST AS|FIELD|COLLATED|EXISTS) .+", re.DOTALL)
"""What functions can be called in SQL, and what stands for words of its own there."""
PARAMETER = re.compile(r"[^A-Z0-9_\"'(?\s].+", re.DOTALL)


def parameter(call: Call) -> bool:
    """Whether a call stands for a parameter: one value throughout a mapping, whose name is its argument.

    >>> parameter(Call(":FROM_DAY", (Const("string", "m"),))), parameter(Call("UPPER", (Const("string", "m"),)))
    (True, False)
    """
    named = PARAMETER.fullmatch(call.function.upper()) is not None
    return named and all(isinstance(one, Const) for one in call.arguments)


def repeats(call: Call) -> bool:
    """Whether a function gives the same wherever its arguments are the same, and NULL where one of them is.

    >>> repeats(Call("UPPER", (Attr("A.X"),))), repeats(Call("RANDOM", ()))
    (True, False)
    """
    if parameter(call):
        return True
    name = call.function.upper()
    if not call.arguments:
        return False
    # Of others nobody knows what they give for NULL: CONCAT(A, "x") may be a text where A is none.
    return name in STRICT or name.startswith(("CAST AS ", "FIELD ")) or name.partition(" ")[0] == "COLLATED"


def speakable(item: Expression | Condition) -> bool:
    """Whether SQL has words for all of something: it has none for a parameter, nor for what is no function's name.

    >>> speakable(Call("UPPER", (Attr("A.X"),))), speakable(Call(":LIMIT", ())), speakable(Call("V (1)", ()))
    (True, False, False)
    """
    calls = [one for one in walk(item) if isinstance(one, Call)]
    return all(CALLED.fullmatch(one.function) and not (one.function.startswith(CHOICE) or whose(one)) for one in calls)


def whose(call: Call) -> bool:
    """Whether a call stands for a column that several tables may have (rule Q23): X(A.X, B.X).

    >>> whose(Call("X", (Attr("A.X"), Attr("B.X")))), whose(Call("X", (Attr("A.X"),)))
    (True, False)
    >>> whose(Call("", (Attr("A.X"), Const("string", ","))))
    False
    """
    names = [local_of(one.name) if isinstance(one, Attr) else "" for one in call.arguments if one != NULL]
    return bool(call.function) and len(call.arguments) > 1 and {*names} == {call.function}


def floating(type_: str) -> bool:
    """Whether values of a type of some database are floating numbers.

    >>> floating("DOUBLE PRECISION"), floating("Nullable(Float64)"), floating("DECIMAL(9, 2)")
    (True, True, False)
    """
    return FLOATING_TYPE.match(type_) is not None


def generates(expression: Expression) -> bool:
    """Whether an expression that takes no attribute's value gives one that is no constant: a count, a rank, a clock."""
    if isinstance(expression, (Attr, Const)):
        return False
    return any(
        isinstance(one, (Aggregate, Window))
        or (isinstance(one, Call) and (one.function.upper() in GENERATING or not (one.arguments or repeats(one))))
        for one in walk(expression)
    )


def changing(item: Expression | Condition) -> bool:
    """Whether something is another one each time it is asked for: RANDOM(), a clock."""
    return any(isinstance(one, Call) and one.function.upper() in GENERATING for one in walk(item))
