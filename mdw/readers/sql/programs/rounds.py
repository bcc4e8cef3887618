"""Loops: each round finds what the one before left (rules Q26 and Q27).

Of what a loop changes a version is made at its head, into which flows what was there before and what each round leaves.

    n := 1;
    WHILE n < 9 LOOP          N is version N2, into which 1 flows, and N3
      INSERT INTO t ...       T gets N2
      n := n + s;             N is version N3, made of N2 and S
    END LOOP;
    INSERT INTO u ...         U gets N2: it ends where the test fails, which is at the head

The body is read once, however often it runs: N2 is all that any round finds (rule Q26: a fixed point).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mdw.model.name import local_of
from mdw.model.query import ALL
from mdw.readers.nodes import null
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.dynamic import rows_of
from mdw.readers.sql.programs.known import KnownWays
from mdw.readers.sql.programs.program import (
    Assign,
    Fetch,
    Loop,
    Open,
    Steps,
)
from mdw.readers.sql.programs.states import (
    CursorQuery,
    Heads,
    ProgramState,
    Rounds,
    assigned,
    made_in,
    parts,
)
from mdw.readers.sql.programs.values import opened, rows_held, value_of
from mdw.readers.sql.variables import Held, held_by

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following


def loop(this: Following, step: Loop, state: ProgramState) -> None:
    """A loop: its head, one round, what flows back to the head, and the ways out of it."""
    this.holding.note(step.piece, "loop")
    before, mark = state.copy(), len(this.frames[-1].ended)
    heads = headed(this, step.body, state, step.piece, step.test)
    # The state at the head, in any round: where no round runs, and where the last one has run.
    entering = state.copy()
    rounds = Rounds(step.label, repeats=True)
    this.frames[-1].loops.append(rounds)
    plain: list[str] = []
    if step.record:
        _rows(this, step, state)
        plain = _columns_seen(this, step, state)
        for key in map(this.key, step.names if step.query is not None else ()):
            if key in entering.variables:
                # The last row stays where the record was declared before.
                last = [entering.variables[key], state.variables[key]]
                entering.variables[key] = this.holding.versions.one_of(last, key, state, step.piece)
                entering.variables = {
                    one: held for one, held in entering.variables.items() if not one.startswith(f"{key}.")
                }
    if step.test is not None and not step.until:
        this.asks(step.test, state)
        state.under(step.test, holds=True)
    moment, first = this.holding.moment(), state.copy()
    this.steps(step.body, state)
    rounds.again.append(state.copy())
    if _reopens(this, step.body):
        # Cursors are for what the round before opened them for, too. They have no versions, so the body is read again;
        # what it does twice is the same blocks with other queries of the cursors.
        first.cursors = this.cursors_of([first, *[end for end in rounds.again if not end.over]])
        this.steps(step.body, first)
        rounds.again.append(first)
    this.holding.reshape([moment, this.holding.moment()])
    this.frames[-1].loops.pop()
    for end in rounds.again:
        if not end.over:
            round_ends(this, heads, end, step.piece)
    this.holding.versions.grown(heads.variables.values())
    # It ends where its test fails, at its head or, until, at the end of a round; or where it is left.
    normal = [one.copy() for one in rounds.again] if step.until else [entering]
    for one in normal:
        if step.test is not None:
            # WHILE ends where its test is not TRUE, UNTIL where it is.
            if step.until:
                this.asks(step.test, one)
            one.under(step.test, holds=step.until)
        # LOOP without a test ends only where it is left.
        one.over = one.over or (step.test is None and not step.record)
    state.over = False
    this.meet(state, [*normal, *rounds.left], step.piece, ended=True)
    _not_left(this, mark, before, state, step.piece)
    for name in plain:
        state.variables.pop(name, None)
    for key in map(this.key, step.names):
        if not before.has(key):
            # What the loop itself declares is no more behind it.
            for own in [name for name in state.variables if name.partition(".")[0] == key]:
                del state.variables[own]


def _not_left(this: Following, mark: int, before: ProgramState, state: ProgramState, piece: ScriptPiece) -> None:
    """Behind a loop it is known that no round left the routine: what is tested for that decides, of whatever row."""
    ended = this.frames[-1].ended[mark:][:MOST_ENDED]
    left = [rest for tests in ended if (rest := tuple([one for one in tests if one not in before.tests]))]
    if left and piece.tokens and not state.over:
        state.this_way(piece)
        *known, way = state.tests
        state.tests = (*known, KnownWays(((way,), *left)))


MOST_ENDED = 10
"""Places in a loop where a routine is left, of which is told what decides."""


def _columns_seen(this: Following, step: Loop, state: ProgramState) -> list[str]:
    """In Db2 and Spark a loop's columns have names of their own: FOR r AS SELECT b FROM s DO ... b ... END FOR."""
    held = state.variables.get(this.key(step.record))
    if (
        this.holding.reading.flavour.name not in ("ansi", "spark", "databricks")
        or step.query is None
        or held is None
        or held.column
    ):
        return []
    shape = this.holding.reading.dictionary.shape(held.entity) if held.entity else None
    names = [name for name in (shape.columns if shape is not None else ()) if name not in state.variables]
    state.variables |= {name: replace(held, column=name) for name in names if name != ALL}
    return names


def _reopens(this: Following, body: Steps) -> bool:
    """Whether rows of a cursor are asked for before it is opened, which is then what the round before did.

    ``LOOP FETCH c INTO x; ... CLOSE c; OPEN c FOR other; END LOOP`` fetches from OTHER in the second round.
    """
    fetches: set[str] = set()
    for one in parts(body):
        if isinstance(one, Fetch | Loop) and one.cursor:
            fetches.add(this.key(one.cursor))
        elif (isinstance(one, Open) and this.key(one.cursor) in fetches) or (
            isinstance(one, Assign) and not fetches.isdisjoint(map(this.key, one.names))
        ):
            return True
    return False


def headed(
    this: Following, body: Steps, state: ProgramState, piece: ScriptPiece, test: ScriptPiece | None = None
) -> Heads:
    """A place is reached again: what the steps change that may run in between is what any round left of it."""
    versions, remade = this.holding.versions, made_in(body)
    found = Heads({
        key: versions.version(key, [held], state, piece, record=key in this.frames[-1].records)
        for key, held in _before(this, body, test, state)
    }, since=this.holding.undoing.moment())  # fmt: skip
    # Only tables that the body may make again get heads: each head costs a block, and hides what is known of columns.
    tables = {name: entity for name, entity in state.tables.items() if local_of(name).strip("`").upper() in remade}
    heads = {entity: versions.table_head(entity, state, piece) for entity in dict.fromkeys(tables.values())}
    found.tables = {name: heads[entity] for name, entity in tables.items()}
    state.variables |= found.variables
    state.tables |= found.tables
    return found


def round_ends(this: Following, heads: Heads, end: ProgramState, piece: ScriptPiece) -> None:
    """A round ends here: what there is now the next one finds."""
    this.holding.undoing.again(heads.since)
    for key, head in heads.variables.items():
        this.holding.versions.flows(held_by(key, end.variables), head, key, end, piece)
    for name, head_of in heads.tables.items():
        this.holding.versions.table_flows(end.tables.get(name, ""), head_of, end, piece)


def _before(
    this: Following, body: Steps, test: ScriptPiece | None, state: ProgramState
) -> Iterator[tuple[str, Held | None]]:
    """What steps give values, with what they are before it: of a row that is given anew its parts, too."""
    given = {this.key(name) for name in assigned(body)}
    pieces = (one for one in parts((body, test)) if isinstance(one, ScriptPiece))
    given |= this.applying.given_back(pieces, state)
    given |= {key for key in state.variables if key.partition(".")[0] in given}
    # In T-SQL what is declared within a loop is declared once, and has in the next round what it had.
    stays = this.holding.reading.flavour.name in TRANSACT
    for key in sorted(given):
        held = held_by(key, state.variables)
        # A variable of MySQL's session comes into being where it is first given a value.
        if (held is not None or state.has(key) or stays or key[:1] == "@") and held not in this.packages.shared:
            yield key, Held(value=null()) if held is None and stays else held


def _rows(this: Following, step: Loop, state: ProgramState) -> None:
    """FOR r IN (SELECT ...): within a round there is a row; FOR a, b IN (SELECT ...): there are its columns."""
    keys = [this.key(name) for name in step.names]
    key = keys[0]
    if step.elements:
        each = [value_of(this, one, key, state) for one in step.elements]
        this.gives(key, this.holding.versions.one_of(each, key, state, step.piece), state, step.piece)
        return
    several: Sequence[CursorQuery] = ()
    if step.query is not None and step.dynamic:
        several = [CursorQuery(None, rows_of(this, step.query, step.arguments, state, step.piece))]
    elif step.query is not None:
        several = [CursorQuery(step.query, state.variables)]
        if step.cursor:
            # FOR r AS c CURSOR FOR SELECT ... DO: C is known by its name within the loop (Db2, Teradata).
            state.cursors[this.key(step.cursor)] = (CursorQuery(step.query, dict(state.variables)),)
    elif step.cursor:
        several = opened(this, step.cursor, step.arguments, state)
    if not several:
        if step.cursor and this.key(step.cursor) not in state.variables:
            message = f"what the cursor {step.cursor} is for is not known"
            this.holding.note(step.piece, "loop", "opaque", message)
        state.variables |= dict.fromkeys(keys)
        return
    if len(keys) > 1:
        given = [held for one in several for held in rows_held(this, one, keys, state, step.piece)]
        for place, name in enumerate(keys):
            held = this.holding.versions.one_of([one[place] for one in given], name, state, step.piece)
            this.gives(name, held, state, step.piece)
        return
    found: list[Held | None] = []
    for one in several:
        if one.query is None:
            found += one.variables.values()
        else:
            seen, names = state.seeing(one.variables), this.frames[-1].records.get(key, ())
            found += this.holding.query(one.query, [key], seen, step.piece, record=not step.each, names=names)
    held = this.holding.versions.one_of(found, key, state, step.piece) if found else None
    this.gives(key, held, state, step.piece)
