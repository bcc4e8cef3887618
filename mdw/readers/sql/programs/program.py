"""A script as a program: what it runs, tests, repeats and calls, whatever dialect it is written in.

    DECLARE @last DATE                                         Declare(ProgramVariable("@last", "DATE"))
    SELECT @last = MAX(day) FROM log                           Assign(("@last",), the query, query=True, keeps=True)
    IF @last IS NULL RETURN                                    Test(Arm("@last IS NULL", (Jump("return"),)))
    INSERT INTO t SELECT k FROM s WHERE day > @last            Run(the statement)

Names are as the script writes them, quotes included. What is SQL in it, statements, queries and expressions, are pieces
of the text: nobody has looked into them yet. A step that could not be read is a piece as well, whose ``message`` says
why. Of what holds other steps the piece is the head: ``IF c THEN``, ``CREATE PROCEDURE p (a INT) AS``. The pieces of a
program and the gaps between them, which hold blanks, comments, separators and words of control, are the text.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from mdw.model.fixed import fixed
from mdw.readers.sql.pieces import ScriptPiece


@fixed
class Run:
    """An SQL statement; what its RETURNING gives goes ``into`` variables.

    Teradata's UPDATE ... ELSE INSERT has both as ``branches``.
    """

    piece: ScriptPiece
    into: tuple[str, ...] = ()
    branches: tuple[ScriptPiece, ...] = ()


@fixed
class ProgramVariable:
    """What a program declares: a variable, an argument, a cursor with its query, a table of its own.

    ``columns`` are those of a table variable or of a record, as written, each with its type; ``like`` is the table, or
    the cursor, whose columns a record has (``t%ROWTYPE``). ``mode`` is that of an argument: "in", "out", "inout".
    """

    name: str
    type: str = ""
    default: ScriptPiece | None = None
    kind: Literal["variable", "argument", "cursor", "table", "record"] = "variable"
    mode: Literal["in", "out", "inout"] = "in"
    query: ScriptPiece | None = None
    columns: tuple[tuple[str, str], ...] = ()
    like: str = ""
    arguments: tuple[ProgramVariable, ...] = ()
    constant: bool = False


@fixed
class Declare:
    """Variables come into being."""

    variables: tuple[ProgramVariable, ...]
    piece: ScriptPiece


@fixed
class Assign:
    """Variables get values: that of an expression, or, of a ``query``, its columns in order.

    ``keeps``: where the query has no row the variables keep what they had (rule Q27).
    """

    names: tuple[str, ...]
    value: ScriptPiece
    piece: ScriptPiece
    query: bool = False
    keeps: bool = False


@fixed
class Open:
    """A cursor is opened, for a query where it was declared without one.

    ``dynamic``: what it is opened for is an expression that gives the text of a query.
    """

    cursor: str
    piece: ScriptPiece
    query: ScriptPiece | None = None
    arguments: tuple[Argument, ...] = ()
    dynamic: bool = False


@fixed
class Fetch:
    """The next row of a cursor goes into variables, or into one record."""

    cursor: str
    names: tuple[str, ...]
    piece: ScriptPiece


@fixed
class Arm:
    """What runs where a test is true and none before it was; the ELSE has none."""

    test: ScriptPiece | None
    body: Steps


@fixed
class Test:
    """IF or CASE: at most one arm runs. ``CASE x WHEN 1`` has the test ``x = 1``."""

    arms: tuple[Arm, ...]
    piece: ScriptPiece


@fixed
class Loop:
    """What runs again and again: while a test is true, or, ``until``, up to when it is.

    FOR gives a ``record`` each row of a ``query`` or of a ``cursor``, one of the ``elements`` of an array, or, with
    none of them, numbers; of a query that is ``dynamic`` the text is known only to an expression. ``each``: it
    gives the elements of an array, not rows. Several variables, "a, b", get a row's columns in order.
    """

    body: Steps
    piece: ScriptPiece
    label: str = ""
    test: ScriptPiece | None = None
    until: bool = False
    record: str = ""
    query: ScriptPiece | None = None
    cursor: str = ""
    arguments: tuple[Argument, ...] = ()
    dynamic: bool = False
    elements: tuple[ScriptPiece, ...] = ()
    each: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that it gives what it goes through."""
        return tuple(self.record.split(", ")) if self.record else ()


@fixed
class Handler:
    """What runs where a statement of the block fails; ``goes_on``: the block then goes on behind that statement."""

    conditions: str
    body: Steps
    piece: ScriptPiece
    goes_on: bool = False


@fixed
class BeginEnd:
    """Steps with variables and handlers of their own; ``undoes``: a failure takes back what the block wrote.

    ``timing`` is when it runs where it is a part of a trigger: BEFORE EACH ROW, AFTER STATEMENT; or << where it is a
    here-document of a shell script, which a client runs for itself.
    """

    body: Steps
    piece: ScriptPiece
    label: str = ""
    handlers: tuple[Handler, ...] = ()
    undoes: bool = False
    timing: str = ""


@fixed
class Argument:
    """What a call gives an argument, by place or by name; ``out``: the call says that it gets it back."""

    value: ScriptPiece
    name: str = ""
    out: bool = False


@fixed
class RoutineCall:
    """A routine runs. ``into`` has the variables that get what it returns, ``insert`` the INSERT that gets its rows."""

    name: str
    piece: ScriptPiece
    arguments: tuple[Argument, ...] = ()
    into: tuple[str, ...] = ()
    insert: ScriptPiece | None = None


@fixed
class Dynamic:
    """A text runs that an expression gives (rule Q31); ``declared`` is the text that names what is bound to it."""

    text: ScriptPiece
    piece: ScriptPiece
    using: tuple[Argument, ...] = ()
    into: tuple[str, ...] = ()
    insert: ScriptPiece | None = None
    declared: ScriptPiece | None = None


JumpKind: TypeAlias = Literal[
    "return", "give", "exit", "continue", "goto", "label", "raise", "fail", "commit", "rollback"
]


@fixed
class Jump:
    """The program goes on elsewhere, always or where a test is true; ``value`` is what a routine returns.

    ``label`` names the loop that EXIT or CONTINUE means, and where GOTO goes; a "label" is where it goes to.
    RETURN of rows is "return", RETURN NEXT and PIPE ROW, after which it goes on, are "give". ``query``: the value is a
    query; ``dynamic``: an expression that gives its text, to which ``using`` is bound. RAISE is "raise", RAISERROR,
    behind which it may go on, "fail": ``using`` is what they tell handlers, by the words that these ask for it with.
    """

    kind: JumpKind
    piece: ScriptPiece
    label: str = ""
    test: ScriptPiece | None = None
    value: ScriptPiece | None = None
    query: bool = False
    dynamic: bool = False
    using: tuple[Argument, ...] = ()


@fixed
class Trigger:
    """When a trigger runs: for rows of a table that ``events`` write, "insert", "update" or "delete".

    ``columns`` are those of UPDATE OF; ``new`` and ``old`` are what it calls the rows written, and what they were.
    ``function`` is the routine it runs where it has no body of its own.
    """

    table: str
    events: tuple[str, ...]
    timing: Literal["before", "after", "instead"]
    columns: tuple[str, ...] = ()
    when: ScriptPiece | None = None
    each: bool = True
    new: str = ""
    old: str = ""
    function: str = ""
    enabled: bool = True


@fixed
class Routine:
    """A procedure, function, trigger or package is made, or a block without a name runs; not of SQL: ``body`` is None.

    ``returns`` is the type of what a function returns, ``columns`` those of the table it returns. The routines of a
    package are in its body, its variables too. ``variables_first``: of a name that is a column and a variable the
    script says that the variable is meant (rule Q28), None where it says nothing.
    """

    kind: Literal["procedure", "function", "trigger", "package", "block"]
    name: str
    piece: ScriptPiece
    body: Steps | None
    arguments: tuple[ProgramVariable, ...] = ()
    returns: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    language: str = ""
    trigger: Trigger | None = None
    variables_first: bool | None = None

    @property
    def prefers_variables(self) -> bool:
        """Whether a plain name that may be a column is the variable; in PL/pgSQL both at once are an error.

        In SQL functions it is the column where there is one (rule Q28).
        """
        if self.variables_first is None:
            return self.language.upper() == "PLPGSQL"
        return self.variables_first

    @property
    def is_query(self) -> bool:
        """Whether it is a query with arguments, and no more: a view."""
        body = self.body or ()
        return len(body) == 1 and isinstance(body[0], Jump) and body[0].query


@fixed
class Client:
    """What is no SQL: a line for the program that runs the script, data, shell; ``runs`` is the file that it runs."""

    piece: ScriptPiece
    runs: str = ""


@fixed
class Aside:
    """What moves no data: NULL, PRINT, CLOSE, RAISE NOTICE."""

    piece: ScriptPiece


Step: TypeAlias = (
    Aside
    | Run
    | Declare
    | Assign
    | Open
    | Fetch
    | Test
    | Loop
    | BeginEnd
    | RoutineCall
    | Dynamic
    | Jump
    | Routine
    | Client
)
Steps: TypeAlias = tuple[Step, ...]
