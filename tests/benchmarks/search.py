"""Search among a million names: what a person waits for.

Claim: 95 of 100 searches, typed letter by letter and with mistakes, take less than 50 ms.

Needs the core of mdw, 1 GB of memory and about 1 minute.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from measuring import Measure, arguments, report

from mdw.store.search import Entry, Index, words_of  # isort: skip

WORDS = [
    "account",
    "agreement",
    "amount",
    "balance",
    "branch",
    "campaign",
    "card",
    "client",
    "closing",
    "collateral",
    "contract",
    "country",
    "credit",
    "currency",
    "customer",
    "date",
    "debt",
    "deposit",
    "depot",
    "direction",
    "employee",
    "exposure",
    "fee",
    "fixing",
    "grade",
    "guarantee",
    "holder",
    "identity",
    "interest",
    "issuer",
    "kind",
    "ledger",
    "legal",
    "limit",
    "loan",
    "market",
    "maturity",
    "member",
    "name",
    "number",
    "opening",
    "order",
    "owner",
    "party",
    "payment",
    "period",
    "person",
    "portfolio",
    "position",
    "price",
    "product",
    "purpose",
    "quantity",
    "rate",
    "rating",
    "region",
    "report",
    "result",
    "risk",
    "score",
    "security",
    "segment",
    "settlement",
    "source",
    "staff",
    "state",
    "status",
    "system",
    "tax",
    "term",
    "total",
    "trade",
    "transaction",
    "turnover",
    "type",
    "unit",
    "value",
]


def names(number: int, chance: Random) -> list[str]:
    """Names of attributes as warehouses have them, numbered so that none comes twice."""
    found = []
    for one in range(number):
        entity = "_".join(chance.choices(WORDS, k=2))
        attribute = "_".join(chance.choices(WORDS, k=chance.choice([1, 2, 3])))
        found.append(f"SYS{one % 300}.{entity}_{one % 5000}.{attribute}_{one}".upper())
    return found


def typed(chance: Random) -> list[str]:
    """What a person types: beginnings of two or three words, with a letter wrong now and then."""
    text = " ".join(chance.sample(WORDS, chance.choice([2, 3])))
    if chance.random() < 0.3:
        place = chance.randrange(1, len(text) - 1)
        text = text[:place] + text[place + 1 :]
    return [text[:end] for end in range(2, len(text) + 1, 3)]


def main() -> None:
    options = arguments(__doc__, names=(int, 1_000_000, "names"), searches=(int, 200, "texts that are typed"))
    chance = Random(5)
    with TemporaryDirectory() as folder:
        start = perf_counter()
        found = names(options.names, chance)
        entries = (Entry("attribute", name, " ".join(words_of(name))) for name in found)
        index = Index.of(entries, Path(folder) / "index")
        built = perf_counter() - start
        times = []
        for _ in range(options.searches):
            for text in typed(chance):
                start = perf_counter()
                index.search(text, limit=10)
                times.append(perf_counter() - start)
    times.sort()
    middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
    measures = [
        Measure("the index is made", built, f"{options.names} names"),
        Measure("search, median", middle, f"{len(times)} searches"),
        Measure("search, 95 of 100", late, "", late / 0.05, 1, "50 ms"),
        Measure("search, the longest", times[-1]),
    ]
    report("Search", measures, options.json)


if __name__ == "__main__":
    main()
