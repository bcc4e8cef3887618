"""How what stands in a FROM comes to the rows before it: by which join, under which condition, in which role.

FROM s, s AS b, x.s        S; CROSS JOIN S in the role B; CROSS JOIN X.S: each a role of its own (rule Q7)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from mdw.model.fixed import fixed
from mdw.model.name import parts
from mdw.model.query import ALL, Read
from mdw.model.tree import Location, Node
from mdw.readers.sql.scopes import HIDDEN, OF_STREAMS, RowSource, SelectScope
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.work import Work


@fixed
class Joining:
    """A join's word, and its condition: asked for when what it joins is in the scope."""

    word: str = ""
    on: Callable[[], Node | None] | None = None

    def condition(self) -> Node | None:
        """The condition, if there is one."""
        return self.on() if self.on is not None else None


FIRST = Joining()


def attach(
    entity: str,
    alias: Any,
    shape: Shape,
    scope: SelectScope,
    join: Joining,
    at: Location | None,
    names: Sequence[str] = (),
) -> None:
    """Join an entity to the block, under its alias; ``names`` are the parts of its name where it has one."""
    work, block = scope.work, scope.block
    assert block is not None
    own = name_of_alias(alias, work)
    # What the text calls otherwise than its entity is called, as a CTE, has the role of that name.
    inner = not names or names[-1] != parts(entity)[-1] or entity in work.inner_entities
    role = own or (names[-1] if inner and names else "") or (work.role() if inner else "")
    # FROM s, s without an alias is an error in most databases; two rows of S all the same.
    if any((read.entity == entity and read.role in (role, "")) or read.role == role != "" for read in block.reads):
        role = work.role()
    hidden = OF_STREAMS if work.flavour.name == "clickhouse" else HIDDEN
    relation = RowSource(((own,),) if own else (tuple(names),), role or entity, shape, entity, hidden=hidden)
    columns = columns_of_alias(alias, work)
    if columns:
        _rename(relation, columns, work)
    # Into the scope first: the condition speaks of it.
    scope.relations.append(relation)
    condition = join.condition()
    word = "CROSS JOIN" if condition is None and join.word == "INNER JOIN" else join.word or "CROSS JOIN"
    block.reads.append(Read(entity, "" if role == entity else role, word if block.reads else "", condition, at))


def name_of_alias(alias: Any, work: Work) -> str:
    """The name an alias gives, if it gives one."""
    identifier = alias.this if isinstance(alias, exp.TableAlias) else alias
    return work.naming.part(identifier) if isinstance(identifier, exp.Expr) and identifier.name else ""


def columns_of_alias(alias: Any, work: Work) -> tuple[str, ...]:
    """The columns an alias names."""
    if not isinstance(alias, exp.TableAlias):
        return ()
    found = [part.this if isinstance(part, exp.ColumnDef) else part for part in alias.args.get("columns") or ()]
    return tuple(work.naming.part(part) for part in found)


def _rename(relation: RowSource, names: Sequence[str], work: Work) -> None:
    """Call an entity's columns by other names, in order, as far as the order is known."""
    under = list(relation.shape.columns)
    label, shape = relation.label, relation.shape
    pairs = dict(zip(names, under, strict=False)) if shape.complete or len(under) >= len(names) else {}

    def column(name: str) -> Node:
        inner = pairs.get(name, ALL if name in names else name)
        shape.ask(inner)
        return Node("attribute", f"{work.naming.written(label)}.{work.naming.written(inner)}")

    relation.computed = column
    relation.shape = Shape([*names, *under[len(names) :]], complete=shape.complete)
