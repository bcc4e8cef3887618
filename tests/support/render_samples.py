"""Answers made by hand for the tests of the renderers."""

from __future__ import annotations

import random

from mdw.model.answers.answer import Answer, Impact, Lineage
from mdw.model.answers.ends import End, Readable
from mdw.model.answers.reasons import Dropped, Explanation, Reason
from mdw.model.answers.steps import Constant, Indirect, Step
from mdw.model.name import entity_of
from mdw.model.rules import DIRECT, Subtype
from mdw.model.tree import Location


def step(
    source: str, target: str, mapping: str, condition: str = "TRUE", subtype: Subtype = "IDENTITY", line: int = 1
) -> Step:
    """A step; its kind follows from its subtype, its file from its mapping."""
    place = Location(f"{entity_of(target).split('.')[0].lower()}.map", line, 3)
    return Step(mapping, source, target, "direct" if subtype in DIRECT else "indirect", subtype, condition, place)


def left_out(dropped: Step, *because: tuple[str, str, Location | None], dead_end: bool = False) -> Dropped:
    """A dropped step with its reasons."""
    return Dropped(dropped, Explanation(tuple(Reason(*reason) for reason in because)), dead_end)


def party() -> Lineage:
    """A small bank: customers of three regions, one of them excluded by a rule further on."""
    eu = step("SRC_EU.CUSTOMER.NAME", "CORE.PARTY.NAME", "EU_CUSTOMERS", "SRC_EU.CUSTOMER.REGION = 'EU'", line=4)
    us = step("SRC_US.CUSTOMER.NAME", "CORE.PARTY.NAME", "US_CUSTOMERS", "SRC_US.CUSTOMER.REGION = 'US'", line=11)
    ch_text = "SRC_CH.CLIENT.TYPE = 2 OR SRC_CH.CLIENT.TYPE IS NULL"
    first = step("SRC_CH.CLIENT.FIRST_NAME", "CORE.PARTY.NAME", "CH_CLIENTS", ch_text, "TRANSFORMATION", 18)
    last = step("SRC_CH.CLIENT.LAST_NAME", "CORE.PARTY.NAME", "CH_CLIENTS", ch_text, "TRANSFORMATION", 18)
    report = step("CORE.PARTY.NAME", "RPT.CUSTOMER.NAME", "CUSTOMER_REPORT", "CORE.PARTY.REGION = 'EU'", line=6)
    ranking = step("CORE.RATING.LABEL", "RPT.CUSTOMER.NAME", "CUSTOMER_REPORT", line=9)
    eu_rule = ("CUSTOMER_REPORT", "REGION = 'EU'", report.location)
    return Lineage(
        attribute="RPT.CUSTOMER.NAME",
        when="RPT.CUSTOMER.ACTIVE = 'Y'",
        mode="active",
        unpopulated="carry",
        golden=(
            End("SRC_EU.CUSTOMER.NAME", Readable("REGION = 'EU'", "REGION = 'EU'", witness=(("REGION", "EU"),))),
            End("SRC_CH.CLIENT.FIRST_NAME", Readable(ch_text, ch_text, exact=False, at_least="TYPE = 2")),
            End("SRC_CH.CLIENT.LAST_NAME", Readable("TRUE", "TRUE")),
        ),
        constants=(Constant("CH_CLIENTS", "CORE.PARTY.NAME", '"UNKNOWN"', Location("core.map", 19, 3)),),
        interrupted=("CORE.RATING.LABEL",),
        indirect=(
            Indirect("CORE.PARTY.REGION", "FILTER"),
            Indirect("SRC_CH.CLIENT.TYPE", "CONDITIONAL"),
            Indirect("SRC_EU.CUSTOMER.REGION", "FILTER"),
            Indirect("CORE.ADDRESS.PARTY_ID", "JOIN"),
        ),
        steps=(report, ranking, eu, first, last),
        dropped=(left_out(us, eu_rule, ("US_CUSTOMERS", "REGION = 'US'", us.location)),),
        undecided=(last,),
        assumptions=("CORE.PARTY.REGION is SRC_CH.CLIENT.REGION: CH_CLIENTS fills no REGION",),
        notes=("REGION no longer restricts anything at CORE.PARTY",),
    )


def party_impact() -> Impact:
    """What a customer's name feeds."""
    up = step("SRC_EU.CUSTOMER.NAME", "CORE.PARTY.NAME", "EU_CUSTOMERS", "SRC_EU.CUSTOMER.REGION = 'EU'", line=4)
    report = step("CORE.PARTY.NAME", "RPT.CUSTOMER.NAME", "CUSTOMER_REPORT", line=6)
    total = step("CORE.PARTY.NAME", "RPT.TOTALS.NAMES", "TOTALS", "TRUE", "AGGREGATION", 9)
    us = step("CORE.PARTY.NAME", "RPT.US_LIST.NAME", "US_LIST", "CORE.PARTY.REGION = 'US'", line=14)
    reasons = (("EU_CUSTOMERS", "REGION = 'EU'", up.location), ("US_LIST", "REGION = 'US'", us.location))
    return Impact(
        attribute="SRC_EU.CUSTOMER.NAME",
        when="TRUE",
        mode="active",
        unpopulated=None,
        final=(
            End("RPT.CUSTOMER.NAME", Readable("TRUE", "TRUE")),
            End("RPT.TOTALS.NAMES", Readable("REGION = 'EU'", "REGION = 'EU'")),
        ),
        constants=(),
        indirect=(Indirect("RPT.CUSTOMER.RATING", "CONDITIONAL"),),
        steps=(up, report, total),
        dropped=(left_out(us, *reasons),),
    )


def layered(seed: int = 7, entities: int = 12, attributes: int = 50, steps: int = 80, dropped: int = 10) -> Lineage:
    """A synthetic answer: layers of entities, most steps between neighbouring layers, some long, ten dropped."""
    dice = random.Random(seed)
    names, layer_of = _entities(entities)
    columns = [
        f"{names[n % entities]}.{COLUMNS[n // entities % 8]}{n // entities // 8 or ''}" for n in range(attributes)
    ]
    asked = columns[0]
    lower = {name: [c for c in columns if layer_of[entity_of(c)] > layer_of[entity_of(name)]] for name in columns}
    found: dict[tuple[str, str], Step] = {}
    targets = [asked]
    while len(found) < steps:
        target = dice.choice(targets)
        near = [c for c in lower[target] if layer_of[entity_of(c)] == layer_of[entity_of(target)] + 1]
        pool = near if near and dice.random() < 0.85 else lower[target]
        if not pool:
            continue
        source = dice.choice([c for c in pool if c not in targets] or pool)
        found.setdefault((source, target), _random_step(dice, source, target))
        if source not in targets:
            targets.append(source)
    every = list(found.values())
    cut = dice.sample([one for one in every if one.target != asked], dropped)
    kept = [one for one in every if one not in cut]
    fed = {one.target for one in kept}
    ends = sorted({one.source for one in kept} - fed)
    return Lineage(
        attribute=asked,
        when="RPT.REVENUE.REGION = 'EU'",
        mode="active",
        unpopulated=None,
        golden=tuple(End(name, Readable(CONDITIONS[n % 3], CONDITIONS[n % 3])) for n, name in enumerate(ends)),
        constants=tuple(Constant(one.mapping, one.target, '"DEFAULT"', one.location) for one in kept[5:8]),
        interrupted=(),
        indirect=tuple(Indirect(f"{name}.REGION", "FILTER") for name in names[1:6]),
        steps=tuple(kept),
        dropped=tuple(left_out(one, *_clash(one)) for one in cut),
    )


def copies() -> Lineage:
    """Many parallel steps, a cycle, a step within one entity, steps that only decide."""
    columns = [f"FIELD_{n:02}" for n in range(1, 13)]
    steps = [step(f"CORE.PARTY.{c}", "RPT.LABEL.TEXT", "LABELS", subtype="TRANSFORMATION") for c in columns]
    for source, rule in (("SRC_A.CLIENT", "SRC_A.CLIENT.REGION = 'EU'"), ("SRC_B.PERSON", "TRUE")):
        steps += [step(f"{source}.{c}", f"CORE.PARTY.{c}", f"FROM_{source[:5]}", rule) for c in columns]
    steps.append(step("CORE.HISTORY.FIELD_01", "CORE.PARTY.FIELD_01", "RESTORE", "CORE.HISTORY.KIND = 'old'"))
    steps.append(step("CORE.PARTY.FIELD_01", "CORE.HISTORY.FIELD_01", "BACKUP"))
    steps.append(step("CORE.PARTY.FIELD_02", "CORE.PARTY.FIELD_05", "REPAIR", "CORE.PARTY.FIELD_05 IS NULL"))
    steps.append(step("CORE.PARTY.REGION", "RPT.LABEL", "LABELS", subtype="FILTER"))
    steps.append(step("CORE.PARTY.FIELD_03", "RPT.LABEL.TEXT", "LABELS", subtype="CONDITIONAL"))
    rules = {"SRC_A.CLIENT": "SRC_A.CLIENT.REGION = 'EU'", "SRC_B.PERSON": "TRUE"}
    golden = tuple(End(f"{entity}.{c}", Readable(rule, rule)) for entity, rule in rules.items() for c in columns)
    deciding = (Indirect("CORE.PARTY.REGION", "FILTER"), *(Indirect(f"SRC_C.CODES.C{n}", "JOIN") for n in range(9)))
    return Lineage("RPT.LABEL.TEXT", "TRUE", "active", None, golden, (), (), deciding, tuple(steps), ())


COLUMNS = ("AMOUNT", "CUSTOMER_NAME", "OPENING_DATE", "CURRENCY", "STATUS_CODE", "BRANCH_NUMBER", "RISK_WEIGHT", "NOTE")
CONDITIONS = ("TRUE", "REGION = 'EU'", "STATUS_CODE IN ('A', 'B') AND AMOUNT > 0")
SCHEMAS = ("RPT", "MART", "CORE", "STAGE", "SRC")
TABLES = ("REVENUE", "BOOKING", "PARTY", "AGREEMENT", "ACCOUNT_BALANCE", "CUSTOMER_MASTER_DATA")


def _entities(number: int) -> tuple[list[str], dict[str, int]]:
    names = []
    layers = {}
    for n in range(number):
        layer = 0 if n == 0 else 1 + (n - 1) * 4 // (number - 1)
        name = f"{SCHEMAS[min(layer, 4)]}.{TABLES[n % 6]}" + (f"_{n // 6}" if n >= 6 else "")
        names.append(name)
        layers[name] = layer
    return names, layers


def _random_step(dice: random.Random, source: str, target: str) -> Step:
    entity = entity_of(source)
    rules = ("TRUE", "TRUE", f"{entity}.REGION = 'EU'", f"{entity}.STATUS_CODE IN ('A', 'B') AND {entity}.AMOUNT > 0")
    subtype = dice.choice(("IDENTITY", "IDENTITY", "IDENTITY", "TRANSFORMATION", "AGGREGATION"))
    mapping = dice.choice((f"dwh:{entity_of(target)} FROM {entity}", f"LOAD_{entity.split('.')[1]}"))
    return step(source, target, mapping, dice.choice(rules), subtype, dice.randrange(1, 400))


def _clash(one: Step) -> tuple[tuple[str, str, Location | None], ...]:
    return (("", "REGION = 'EU'", None), (one.mapping, "REGION = 'US'", one.location))


ANSWERS: dict[str, Answer] = {
    "lineage": party(),
    "impact": party_impact(),
    "copies": copies(),
    "fifty_attributes": layered(),
}
