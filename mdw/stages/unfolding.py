"""The SQL of an answer without inner entities: CTEs, derived tables and subqueries as the queries they are."""

from __future__ import annotations

from collections.abc import Callable

from mdw.model.candidates import Candidates
from mdw.model.errors import InputError
from mdw.model.name import parts
from mdw.model.query import ONE_ROW
from mdw.model.quoting import Quoting
from mdw.model.rules import Population, Rules
from mdw.render.sql import query


def unfolding(found: Candidates) -> Callable[[str], tuple[str, bool]]:
    """What puts into the SQL of a condition the queries of inner entities it names; the rules are the candidates'.

    It says, too, whether the SQL says as much as before: a query may not tell all of an entity.
    """
    made: dict[str, list[Rules]] = {}
    quoting = Quoting(found.heads.values())
    for _, head in sorted(found.heads.items()):
        if head.inner:
            made.setdefault(head.target, []).append(Rules(quoting.weakened(head), ()))
    if not made:
        return lambda text: (text, True)
    populations: dict[str, list[Population]] = {}
    for one in found.populations:
        populations.setdefault(one.mapping, []).append(one)

    def unfold(text: str) -> tuple[str, bool]:
        # sqlglot is slow to import, and most conditions name tables only.
        if not any(_quoted(entity) in text for entity in made):
            return text, True
        from mdw.readers.sql.unfolding import unfolded

        queries = {_name(ONE_ROW): "SELECT 1 AS one"}
        for entity, some in made.items():
            whole = [Rules(one.head, tuple(populations.get(one.head.mapping, ()))) for one in some]
            try:
                queries[_name(entity)] = query(whole)
            except InputError:
                queries[_name(entity)] = ""
        return unfolded(text, queries)

    return unfold


def _name(entity: str) -> tuple[str, ...]:
    return tuple(part.strip("`") for part in parts(entity))


def _quoted(entity: str) -> str:
    """The beginning of an inner entity's name in SQL, which has the label of its statement."""
    return f'"{_name(entity)[0]}".'
