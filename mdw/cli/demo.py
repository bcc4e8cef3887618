"""The example bank and a question to it (explained in data/README.md)."""

from __future__ import annotations

import shlex
import sys
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from sysconfig import get_path

from mdw.model.answers.results import LoadReport
from mdw.resources import BANK
from mdw.warehouse import Warehouse


@dataclass(frozen=True, slots=True)
class Example:
    """A question in words, and as the warehouse is asked."""

    words: str
    attribute: str
    when: str

    @property
    def command(self) -> str:
        """The question as typed here, once the bank is in a store."""
        return f"{program()} lineage {self.attribute} --store bank.mdw --when {shlex.quote(self.when)}"


QUESTION = Example(
    "Where do European payments before 2015 come from?",
    "MART.TRANSACTION_REPORT.AMOUNT",
    'REGION = "EU" AND BOOKING_DATE < 01.01.2015',
)
NEXT = Example(
    "Which systems can put a European exposure above a million before the risk committee?",
    "RISK.LARGE_EXPOSURE.GROSS_AMOUNT",
    'REGION = "EU"',
)
HERE = Path("data/bank")


def suggestions() -> list[str]:
    """What to try next, as it is typed here."""
    mdw = program()
    bank = str(HERE) if _files(HERE) == _files(BANK) else _from_here(BANK)
    return [
        f"{mdw} load {shlex.quote(bank)} --store bank.mdw",
        NEXT.command,
        f"{mdw} impact SRC_LOAN.CONSUMER_CREDIT.REMAINING_DEBT --store bank.mdw",
        f"{mdw} --help",
    ]


def program() -> str:
    """How this mdw is called in a shell here: by its name if that finds it, else by its place."""
    # Another mdw may stand first on the path: a command shown here must start this one.
    own = which("mdw", path=get_path("scripts"))
    if own is None:
        return f"{shlex.quote(_from_here(Path(sys.executable)))} -m mdw"
    found = which("mdw")
    return "mdw" if found and Path(found).samefile(own) else shlex.quote(_from_here(Path(own)))


def _from_here(path: Path) -> str:
    """A path without the folder we are in, if it lies there."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) and path.parent != here else path)


def _files(folder: Path) -> set[Path]:
    return {file.relative_to(folder) for file in folder.rglob("*.map")}


def load_bank(warehouse: Warehouse) -> LoadReport:
    """Load the example bank under the name it has in a checkout, wherever it is installed."""
    # Places in answers are shown as files were named: so they read data/bank/..., as in the README.
    with chdir(BANK.parents[1]):
        return warehouse.load(HERE).raise_for_errors()
