"""The text of a terminal, in which nothing but its own styles moves the cursor or sets colours."""

from __future__ import annotations

from typing import Any

from rich import text as rich_text

from mdw.model.visible import visible


class Text(rich_text.Text):
    """A text with styles; what it is made of is shown, whatever characters it holds."""

    def __init__(self, text: str = "", *style: Any, **more: Any) -> None:
        super().__init__(visible(text), *style, **more)

    @classmethod
    def assemble(cls, *parts: Any, **more: Any) -> Text:
        """One text of several."""
        found = super().assemble(*parts, **more)
        assert isinstance(found, Text)
        return found

    def append(self, text: rich_text.Text | str, style: Any = None) -> Text:
        """Add a text at the end."""
        super().append(visible(text) if isinstance(text, str) else text, style)
        return self
