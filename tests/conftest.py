"""What all tests share: the option that rewrites expected output, and examples that are the same on every run."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, database=None)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --accept` writes what the code says now over the expected files of tests/cases/."""
    parser.addoption("--accept", action="store_true", help="rewrite the expected output under tests/cases/")


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether expected output is to be rewritten."""
    return bool(request.config.getoption("--accept"))
