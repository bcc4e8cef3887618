"""What all tests share: the option that rewrites expected output."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --accept` writes what the code says now over the expected files of tests/cases/."""
    parser.addoption("--accept", action="store_true", help="rewrite the expected output under tests/cases/")


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether expected output is to be rewritten."""
    return bool(request.config.getoption("--accept"))
