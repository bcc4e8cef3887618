"""Fields of structs that come through other entities: each field is an attribute of its own there (rule Q6).

    WITH c AS (SELECT {'a': t.x, 'b': t.y} AS s FROM t) SELECT s.a AS p FROM c WHERE s.b = 1

    c.s <- STRUCT(t.x, t.y),  c.`s.a` <- t.x,  c.`s.b` <- t.y        P <- c.`s.a` where c.`s.b` = 1

All that fill an entity give a field that is asked of it: where nobody knows what it is made of, as that field of all
they give. So nothing is lost where some of them tell no fields.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from mdw.model.name import canonical, local_of, of_field, row_of
from mdw.model.query import ALL
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, call, cast, field
from mdw.readers.sql.building import Building
from mdw.readers.sql.field_names import FieldNames, is_made, unnamed
from mdw.readers.sql.field_trees import Fields, Path, paths_of, same_fields, tree_of
from mdw.readers.sql.storing import rewrite

TAKING = frozenset(("ELEMENT", "EXPLODE"))
"""Functions that give one of the values that an array holds."""
LISTING = frozenset(("ARRAY", "LIST", "ARRAY_AGG", "ARRAYAGG", "GROUPARRAY", "COLLECT_LIST"))
"""Functions that put values together as an array, in the order in which they come."""
PICKING = frozenset(("ANY_VALUE", "ARBITRARY", "FIRST", "LAST"))
"""Aggregations that give one of the values."""
KnownFields = Mapping[str, Mapping[str, Sequence[Path]]]
MOST_FIELDS = 200
"""Fields of a struct that are attributes of their own in a table or a view."""


class FieldsThrough:
    """The fields that blocks ask of what other blocks give.

    ``inner`` are the entities that nothing fills but these blocks, ``known`` are fields of others that all give which
    fill them, in this script or elsewhere: by entity and attribute. ``types`` are those that DDL tells of attributes.
    """

    def __init__(
        self,
        blocks: Iterable[Building],
        names: FieldNames,
        inner: Collection[str],
        known: KnownFields,
        types: Callable[[str, str], str],
    ) -> None:
        self._blocks, self._names, self._inner, self._told = list(blocks), names, inner, known
        self._types = types
        self._makers: defaultdict[str, list[Building]] = defaultdict(list)
        for block in self._blocks:
            self._makers[block.target].append(block)
        self._given: dict[tuple[str, str, Path], str] = {}
        # The attributes that are fields, each with the attribute whose field it is.
        self._fields_of: dict[tuple[str, str], tuple[str, Path]] = {}
        # The fields of functions that read nothing which these blocks fill: of that more may become known later. With
        # each the function, by whose place in memory it is found.
        self._steady: dict[tuple[int, int], tuple[Node, Fields]] = {}
        self._filled_read = 0

    def all(self) -> None:
        """Let every block ask for attributes in the place of fields, as far as these are known."""
        for entity, columns in self._told.items():
            for own, paths in columns.items() if entity in self._makers else ():
                for path in paths:
                    self._give(entity, own, tuple(map(self._names.spelled, path)))
        for block in self._blocks:
            if any(one.entity in self._inner or one.entity in self._told for one in block.reads):
                self._asked(block)
        for block in self._blocks if self._names.any else ():
            rewrite(block, unnamed)

    def made_by(self, entity: str) -> dict[str, list[Path]]:
        """The fields of an entity's attributes, each by its path, as far as the blocks that fill it tell them."""
        found: dict[str, list[Path]] = {}
        for block in self._makers.get(entity, ()):
            for one in block.outputs:
                paths = [*paths_of(self._fields(block, one.value, set()))] if one.name not in found else []
                if 0 < len(paths) <= MOST_FIELDS:
                    found[one.name] = paths
        return found

    def _asked(self, block: Building) -> None:
        keys = {one.content for one in block.group or () if one.role == "attribute"}
        more: dict[Node, None] = {}

        def changed(node: Node) -> Node:
            if node.role != "field" or "\\" in node.children[1].content:
                return node
            whole, path = node.children[0], _path(node)
            if block.sets and whole.content in keys:
                # Of the sum of all groups the key is NULL, and so is its field.
                return node
            found = self._field(block, whole, path)
            if whole.content in keys and found.role == "attribute":
                more[found] = None
            return found

        rewrite(block, changed)
        # What is the same for all rows of a group is its key.
        if block.group is not None:
            block.group += [one for one in more if one not in block.group]

    # -- what a field is ---------------------------------------------------------------------------------------------

    def _field(self, block: Building, whole: Node, path: Path) -> Node:
        """A field of a value of a block: what it is made of where that is known, else that field of the value."""
        if not path:
            return whole
        match whole.role:
            case "null":
                return whole
            case "field":
                return self._field(block, whole.children[0], (*_path(whole), *path))
            case "attribute":
                return self._of_entity(block, whole, path)
            case "case":
                return self._of_each(block, whole, path)
            case "cast":
                return self._of_type(block, whole, path)
            case "aggregate" if _listing(whole):
                return self._listed(block, whole, path)
            case "function" if _takes_one(whole):
                return _with(whole, [self._field(block, whole.children[1], path)])
            case "function" if _lists(whole):
                return self._listed(block, whole, path)
            case "function" if (place := self._place(whole, path)) is not None:
                return self._field(block, whole.children[place + 1], path[1:])
        return _as_it_is(whole, path)

    def _of_entity(self, block: Building, whole: Node, path: Path) -> Node:
        name = canonical(whole.content)
        entity, own = block.read_as(row_of(name)), local_of(name)
        if (entity, own) in self._fields_of:
            # A field of what is a field itself.
            own, before = self._fields_of[entity, own]
            whole, path = attribute(f"{row_of(whole.content)}.{own}", whole.location), (*before, *path)
        if not self._known(entity, own, path, set()):
            return _as_it_is(whole, path)
        given = self._give(entity, own, path)
        return attribute(f"{row_of(whole.content)}.{given}", whole.location)

    def _of_each(self, block: Building, whole: Node, path: Path) -> Node:
        """CASE WHEN c THEN {'a': x} ELSE {'a': y} END: the field is x or y, if all arms have the same fields."""
        values = [arm.children[-1] for arm in whole.children]
        if not same_fields(self._fields(block, one, set()) for one in values):
            return _as_it_is(whole, path)
        arms = [
            Node(arm.role, arm.content, (*arm.children[:-1], self._field(block, arm.children[-1], path)), arm.location)
            for arm in whole.children
        ]
        return Node("case", "", tuple(arms), whole.location)

    def _of_type(self, block: Building, whole: Node, path: Path) -> Node:
        """CAST(ROW(x, y) AS ROW(a INT, b TEXT)): the values in order, each in the type of its field."""
        inner, type_ = whole.children[0], whole.children[1].content[1:-1]
        fields, key = self._names.typed(type_), self._names.part(path[0])
        # Of fields that have other names before some databases take them by these, some by their places.
        named = self._names.of(inner)
        if key not in fields or not is_made(inner) or len(inner.children) - 1 != len(fields):
            return _as_it_is(whole, path)
        if named and named != list(fields) and not self._names.by_place:
            return _as_it_is(whole, path)
        given = inner.children[1 + list(fields).index(key)]
        return self._field(block, cast(given, fields[key], given.location) if fields[key] else given, path[1:])

    def _listed(self, block: Building, whole: Node, path: Path) -> Node:
        """The field of each value that an array holds, as an array; behind a place the field of the value there."""
        if path[0].isdigit():
            inner = self._field(block, whole, path[1:]) if path[1:] else whole
            return field(inner, path[0], whole.location)
        if whole.role == "function":
            return _with(whole, [self._field(block, one, path) for one in whole.children[1:]])
        made = whole.children[-1]
        first, *rest = made.children[1:]
        return Node("aggregate", "", (_with(made, [self._field(block, first, path), *rest]),), whole.location)

    def _place(self, made: Node, path: Path) -> int | None:
        """Which of a function's arguments is the field."""
        names, key = self._names.of(made), self._names.part(path[0])
        return names.index(key) if key in names else None

    # -- what entities give ------------------------------------------------------------------------------------------

    def _give(self, entity: str, own: str, path: Path) -> str:
        """The attribute that a field is, given by all that fill the entity."""
        key = entity, own, self._canonical(path)
        given = self._given.get(key)
        if given is not None:
            return given
        # Before its makers are looked at: one of them may read what it makes.
        given = self._given[key] = of_field(own, key[2])
        self._fields_of[entity, given] = own, path
        # A struct that is written to a typed column may take its places, or its names.
        lead = self._names.tree(self._types(entity, own)) or tree_of(self._told.get(entity, {}).get(own, ()))
        for block in self._makers.get(entity, ()):
            if own not in block.named:
                block.supply(own)
            if own not in block.named:
                continue
            whole = block.named[own].value
            fields = self._fields(block, whole, set())
            # In UNION some databases take fields by their places, some by their names.
            fitting = same_fields([lead, fields]) and not (block.sets and whole in (block.group or ()))
            value = self._field(block, whole, path) if fitting else _as_it_is(whole, path)
            lead = lead or fields
            block.output(given, value, block.named[own].location)
            if fitting and block.group is not None and whole in block.group and value not in block.group:
                block.group.append(value)
        return given

    def _canonical(self, path: Path) -> Path:
        return tuple([self._names.part(one) for one in path])

    def _known(self, entity: str, own: str, path: Path, met: set[tuple[str, str]]) -> bool:
        """Whether any that fills the entity tells what the field of its attribute is."""
        if entity in self._told:
            return self._canonical(path) in self._told[entity].get(own, ())
        if entity not in self._inner or (entity, own) in met:
            return False
        met.add((entity, own))
        makers = self._makers.get(entity, ())
        if any(ALL in block.named and own not in block.named for block in makers):
            return False
        written = [(block, block.named[own].value) for block in makers if own in block.named]
        return any(self._tells(block, value, path, met) for block, value in written)

    def _tells(self, block: Building, value: Node, path: Path, met: set[tuple[str, str]]) -> bool:
        match value.role:
            case "attribute":
                name = canonical(value.content)
                return self._known(block.read_as(row_of(name)), local_of(name), path, met)
            case "field":
                return self._tells(block, value.children[0], (*_path(value), *path), met)
            case "case":
                return any(self._tells(block, arm.children[-1], path, met) for arm in value.children)
            case "cast":
                return is_made(value.children[0]) and self._names.part(path[0]) in self._names.typed(
                    value.children[1].content[1:-1]
                )
            case "aggregate" if _listing(value):
                return self._tells_each(block, value.children[-1].children[1:2], path, met)
            case "function" if _lists(value) or _takes_one(value):
                return self._tells_each(block, value.children[1:], path, met)
            case "function":
                return self._place(value, path) is not None
        return False

    def _tells_each(self, block: Building, values: Sequence[Node], path: Path, met: set[tuple[str, str]]) -> bool:
        inner = path[1:] if path[0].isdigit() else path
        return bool(inner) and any(self._tells(block, one, inner, met) for one in values)

    # -- which fields there are --------------------------------------------------------------------------------------

    def _fields(self, block: Building, value: Node, met: set[tuple[str, str]]) -> Fields:
        """The names of a value's fields in order, each with those of its own; None where nobody knows."""
        match value.role:
            case "attribute":
                name = canonical(value.content)
                entity, own = block.read_as(row_of(name)), local_of(name)
                if entity in self._told:
                    return tree_of(self._told[entity].get(own, ()))
                self._filled_read += entity in self._makers
                if entity not in self._inner or (entity, own) in met:
                    return None
                met.add((entity, own))
                makers = [one for one in self._makers.get(entity, ()) if own in one.named]
                return next(filter(None, (self._fields(one, one.named[own].value, met) for one in makers)), None)
            case "field":
                found = self._fields(block, value.children[0], met)
                for part in self._canonical(_path(value)):
                    found = dict(found or ()).get(part)
                return found
            case "case":
                return next(filter(None, (self._fields(block, arm.children[-1], met) for arm in value.children)), None)
            case "aggregate" if _listing(value):
                return self._fields(block, value.children[-1].children[1], met)
            case "function" if _lists(value) or _takes_one(value):
                return self._fields(block, value.children[1], met)
            case "function" if is_made(value):
                return self._made(block, value, met)
        return None

    def _made(self, block: Building, value: Node, met: set[tuple[str, str]]) -> Fields:
        key = id(block), id(value)
        if key in self._steady:
            return self._steady[key][1]
        before = self._filled_read
        given = zip(self._names.of(value), value.children[1:], strict=False)
        found = tuple([(name, self._fields(block, one, met)) for name, one in given])
        # A struct of thousands of fields is asked for each of them.
        if self._filled_read == before:
            self._steady[key] = value, found
        return found


def _path(node: Node) -> Path:
    return tuple(node.children[1].content[1:-1].split("."))


def _as_it_is(whole: Node, path: Path) -> Node:
    return field(whole, ".".join(path), whole.location)


def _with(made: Node, values: Sequence[Node]) -> Node:
    return call(made.children[0].content, values, made.location)


def _takes_one(value: Node) -> bool:
    return len(value.children) == 2 and value.children[0].content in TAKING


def _lists(value: Node) -> bool:
    return len(value.children) > 1 and value.children[0].content in LISTING


def _listing(value: Node) -> bool:
    """Whether an aggregation puts values together as an array, or takes one of them."""
    made = value.children[-1]
    return made.role == "function" and (
        _lists(made) or (len(made.children) > 1 and made.children[0].content in PICKING)
    )
