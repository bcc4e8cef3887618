"""The example bank and three questions to it (explained in data/README.md)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in words, and as the warehouse is asked."""

    words: str
    attribute: str
    when: str

    @property
    def command(self) -> str:
        """The question as typed, once the bank is in a store."""
        return f"mdw lineage {self.attribute} --store bank.mdw --when '{self.when}'"


QUESTIONS = (
    Asked(
        "Whose names stand in the group report as European individuals?",
        "MART.GROUP_CUSTOMER.CUSTOMER_NAME",
        'REGION = "EU" AND PARTY_TYPE = 2',
    ),
    Asked(
        "Where do European payments before 2015 come from?",
        "MART.TRANSACTION_REPORT.AMOUNT",
        'REGION = "EU" AND BOOKING_DATE < 01.01.2015',
    ),
    Asked(
        "Which systems can put a European exposure above a million before the risk committee?",
        "RISK.LARGE_EXPOSURE.GROSS_AMOUNT",
        'REGION = "EU"',
    ),
)
NEXT = (
    "mdw load data/bank --store bank.mdw",
    QUESTIONS[2].command,
    "mdw impact SRC_LOAN.CONSUMER_CREDIT.REMAINING_DEBT --store bank.mdw",
    "mdw --help",
)
