"""The reader: text to trees, and every mistake named where it was made."""

from __future__ import annotations

import re

import pytest

from mdw.readers.mapping import read
from mdw.readers.mistakes import MISTAKES, Mistake

EXAMPLES = [(mistake, text) for mistake in MISTAKES for text in mistake.examples]


@pytest.mark.parametrize(("mistake", "text"), EXAMPLES, ids=[text.replace("\n", " ") for _, text in EXAMPLES])
def test_the_examples_of_a_mistake_are_recognised(mistake: Mistake, text: str) -> None:
    error = read(text).errors[0]
    assert re.fullmatch(re.escape(mistake.message).replace(r"\{at\}", ".+"), error.message), str(error)
    assert error.hint == mistake.hint
