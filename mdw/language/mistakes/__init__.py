"""Common mistakes in mapping text: what to say of each, with examples that are also the test.

A parser that stops knows only the place and what it would have accepted there. Here stands what people most likely did.
Order matters: the first row that fits is the one named, so narrow ones stand before wide ones. To add a row, add an
example of it; a test holds that each example is answered by its own row.
"""
