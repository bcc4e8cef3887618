"""Where the project, its examples and the suites beside it stand: the one place that counts folders."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
CASES = TESTS / "cases"
TEST_GRAMMARS = TESTS / "grammars"
BANK = ROOT / "data" / "bank"
SUITES = ROOT.parent / "shared" / "suites"
"""Suites of others, which are no part of the project: tests of them say so and skip where they are absent."""
