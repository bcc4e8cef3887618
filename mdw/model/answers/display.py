"""How results show themselves: as text when printed, as a page in a notebook.

Results are plain values; the renderings above them register themselves here for the types they know.
"""

from __future__ import annotations

from functools import singledispatch


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
        return as_text(self)

    def _repr_html_(self) -> str | None:
        return as_html(self)
