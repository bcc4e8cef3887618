"""What the attributes of a shown condition are called: those of the row itself, and those of rows it is joined with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mdw.lineage.rows.variables import Variables
from mdw.lineage.rows.view import Own, Partner
from mdw.model.expressions import Attr, Condition, Expression, Variable
from mdw.model.name import entity_of_row, local_of, parts, row_of
from mdw.model.standard_sql import expression_sql
from mdw.model.walks import Leaf, with_leaves

Rename = Callable[[Variable], str]


@dataclass(frozen=True)
class Names:
    """Names in a condition on rows of ``entity``.

    Two joined rows of one entity are two rows where different mappings join them, or one in two roles: ``ranks`` tells
    them apart, by mapping and row.
    """

    crossing: Variables
    entity: str
    ranks: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    def telling_apart(cls, crossing: Variables, entity: str, products: Iterable[Iterable[int]]) -> Names:
        """Names for products of variables, in which partners of one entity get names of their own where they meet."""
        met: dict[str, dict[tuple[str, str], None]] = {}
        for variables in products:
            partners = dict.fromkeys(row for variable in variables for row in sorted(crossing.joined_rows(variable)))
            # Partners are told apart only where they meet in one product: elsewhere the plain name says it best.
            for other in {entity_of_row(row) for _, row in partners}:
                alike = [partner for partner in partners if entity_of_row(partner[1]) == other]
                if len(alike) > 1:
                    met.setdefault(other, {}).update(dict.fromkeys(alike))
        ranks = {partner: rank for some in met.values() for rank, partner in enumerate(some)}
        return cls(crossing, entity, ranks)

    def __call__(self, variable: Variable) -> str:
        """The name of a variable of the row, or of one joined with it."""
        label = self.crossing.label(variable.number)
        if isinstance(label, Own):
            return f"{self.entity}.{label.local}"
        assert isinstance(label, Partner)
        return self.partner(label.mapping, label.attribute)

    def partner(self, mapping: str, attribute: str) -> str:
        """The name of an attribute of a row that a mapping joins."""
        return f"{self.row(mapping, row_of(attribute))}.{local_of(attribute)}"

    def tables(self, rows: Iterable[tuple[str, str]]) -> list[str]:
        """The tables of a FROM clause for joined rows, each by mapping and name."""
        found = {}
        for mapping, row in rows:
            entity, name = entity_of_row(row), self.row(mapping, row)
            table = expression_sql(Attr(entity))
            found[name] = table if name == entity else f"{table} AS {expression_sql(Attr(name))}"
        return [found[name] for name in sorted(found)]

    def row(self, mapping: str, row: str) -> str:
        """The name of a row that a mapping joins."""
        entity = entity_of_row(row)
        # The plain name of the entity shown is taken: by the row that arrives.
        rank = self.ranks.get((mapping, row), 0) + (entity == self.entity)
        return other(entity, rank, whole=entity in self._alike) if rank else entity

    @cached_property
    def _alike(self) -> frozenset[str]:
        """The entities whose own name another has in its schema: A.PARTY and B.PARTY."""
        named: dict[str, set[str]] = {}
        for entity in (self.entity, *(entity_of_row(row) for _, row in self.ranks)):
            named.setdefault(parts(entity)[-1], set()).add(entity)
        return frozenset(one for entities in named.values() if len(entities) > 1 for one in entities)


def other(entity: str, rank: int = 1, *, whole: bool = False) -> str:
    """A name for another row of the entity, made of its ``whole`` name where its own would not do.

    >>> other("CORE.PARTY"), other("`my party`"), other("CORE.PARTY", 2), other("CORE.PARTY", whole=True)
    ('OTHER_PARTY', '`OTHER my party`', 'OTHER_OTHER_PARTY', 'OTHER_CORE_PARTY')
    """
    # In the text of a condition a name is all there is to tell two rows of one entity apart.
    every = parts(entity) if whole else parts(entity)[-1:]
    quoted = any(one.startswith("`") for one in every)
    name = f"`{' '.join(one.strip('`') for one in every)}`" if quoted else "_".join(every)
    for _ in range(rank):
        name = f"`OTHER {name[1:]}" if name.startswith("`") else f"OTHER_{name}"
    return name


def rename(condition: Condition, name: Rename) -> Condition:
    """The condition with attributes by name for its variables."""
    return with_leaves(condition, _renaming(name))


def rename_expression(expression: Expression, name: Rename) -> Expression:
    """The expression with attributes by name for its variables."""
    return with_leaves(expression, _renaming(name))


def _renaming(name: Rename) -> Leaf:
    return lambda leaf: Attr(name(leaf)) if isinstance(leaf, Variable) else leaf
