"""How results show themselves: as text when printed, as a page in a notebook.

Results are plain values of the lowest room and must not import renderers. So the renderers register themselves here,
each for the types it knows (`mdw.render.shown`), and a type without one prints as its `repr`.
"""

from __future__ import annotations

from functools import singledispatch

from mdw.model.visible import visible


@singledispatch
def as_text(value: object) -> str:
    """The text of a result."""
    return repr(value)


@singledispatch
def as_html(_: object) -> str | None:
    """The page of a result, None where it has none."""
    return None


class Shown:
    """A result that prints as text and shows as a page in a notebook."""

    __slots__ = ()

    def __str__(self) -> str:
        return visible(as_text(self))

    def _repr_html_(self) -> str | None:
        page = as_html(self)
        return None if page is None else visible(page)
