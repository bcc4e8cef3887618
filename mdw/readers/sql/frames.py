"""What a query is read into: its target, and what stands around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from mdw.model.fixed import fixed
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.shapes import Shape


@fixed
class Frame:
    """Where a query stands.

    ``target`` is the entity it fills, ``inner`` whether that is a part of the statement; ``parent`` is the query around
    it, ``tables`` are the CTEs that it sees. ``names`` are the names its columns get, where the statement gives them;
    ``apart``: correlated parts of its WHERE are for the query around to join by.
    """

    target: str
    inner: bool = True
    parent: SelectScope | None = None
    tables: Mapping[str, tuple[str, Shape]] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    apart: bool = False
    # ClickHouse's WITH 5 AS name: values that have names.
    scalars: Mapping[str, Any] = field(default_factory=dict)
