"""`python -m mdw`."""

from __future__ import annotations

from mdw.cli import main

if __name__ == "__main__":
    main()
