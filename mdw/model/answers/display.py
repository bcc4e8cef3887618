"""How results show themselves: as text when printed, as a page in a notebook.

Results are plain values of the lowest room and must not import renderers. So the renderers register themselves here,
each for the types it knows (`mdw.render.shown`), and a type without one prints as its `repr`.
"""

from __future__ import annotations

from functools import singledispatch
from html import escape
from typing import Any

from mdw.model.visible import visible


@singledispatch
def as_text(value: object) -> str:
    """The text of a result."""
    return repr(value)


@singledispatch
def as_html(_: object) -> str | None:
    """The page of a result, None where it has none."""
    return None


PRE = '<pre style="white-space:pre-wrap">'
"""A text in a notebook: what is wider than the page goes on in the next line."""


class Shown:
    """A result that prints as text and shows as a page in a notebook."""

    __slots__ = ()

    def __str__(self) -> str:
        return visible(as_text(self))

    def _repr_html_(self) -> str:
        page = as_html(self)
        # A notebook would else show the `repr`, which has every part of every part.
        return visible(f"{PRE}{escape(as_text(self))}</pre>" if page is None else page)

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        """What IPython shows in a terminal."""
        printer.text(str(self))
