"""What the page of a lineage or an impact shows: a picture of a part of the answer, and the whole answer in words."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from mdw.model.answers.answer import Answer, Impact, Lineage
from mdw.model.answers.ends import End
from mdw.model.cells import cell
from mdw.model.name import entity_of
from mdw.model.visible import in_json
from mdw.render.picture import lineage_svg
from mdw.render.png import png
from mdw.render.spoken import spoken
from mdw.render.summary import summary
from mdw.render.telling import because
from mdw.render.unread import unread_line
from mdw.render.view import View
from mdw.render.view import view as part_of
from mdw.render.words import beside, contributes, deciding, deciding_title, sort_of, written
from mdw.server.workers.jobs import AskView
from mdw.server.workers.reply import Reply

MOST = 200
"""Ends and steps left out that are listed."""


def view(found: Answer, job: AskView, reply: Reply) -> None:
    """Write the answer in one of FORMS, of which ``page`` is what the page needs."""
    reply.head["media"], content = FORMS[job.form](found, job)
    reply.write(content)


def _svg(found: Answer, job: AskView) -> tuple[str, bytes]:
    return "image/svg+xml", _picture(found, job).encode()


def _png(found: Answer, job: AskView) -> tuple[str, bytes]:
    return "image/png", png(_picture(found, job))


def _csv(found: Answer, _: AskView) -> tuple[str, bytes]:
    """Every step, kept or left out, a line each."""
    target = io.StringIO()
    rows = csv.writer(target)
    rows.writerow(["source", "target", "mapping", "kind", "how", "condition", "carries", "because"])
    for step in found.steps:
        said = [step.source, step.target, step.mapping, step.kind, step.subtype, spoken(step.condition), "yes", ""]
        rows.writerow(map(cell, said))
    for one in found.dropped:
        step = one.step
        asked = spoken(step.condition)
        said = [step.source, step.target, step.mapping, step.kind, step.subtype, asked, "no", because(one)]
        rows.writerow(map(cell, said))
    return "text/csv", target.getvalue().encode()


def _json(found: Answer, _: AskView) -> tuple[str, bytes]:
    return "application/json", in_json(json.dumps(found.to_dict(), ensure_ascii=False)).encode()


def _page(found: Answer, job: AskView) -> tuple[str, bytes]:
    shown = _part(found, job)
    ends = found.golden if isinstance(found, Lineage) else found.final
    page: dict[str, Any] = {
        "attribute": found.attribute,
        "summary": summary(found),
        "ends": _ends(found, ends[:MOST]),
        "ends_count": len(ends),
        "ends_listed": len(ends[:MOST]),
        "constants": [
            {
                "value": one.value,
                "target": one.target,
                "mapping": one.mapping,
                "made": sort_of(one),
                "undecided": one.undecided,
            }
            for one in written(found)[:MOST]
        ],
        "interrupted": list(found.interrupted) if isinstance(found, Lineage) else [],
        "unused": list(found.unused) if isinstance(found, Impact) else [],
        "stopped": list(found.stopped) if isinstance(found, Impact) else [],
        "dropped": list(_left_out(found).items()),
        "left_out": len(found.dropped),
        "listed": min(len(found.dropped), MOST),
        "deciding": [[how, kind, names[:MOST], len(names)] for how, kind, names in deciding(found)],
        "deciding_title": deciding_title(found),
        "undecided": [
            {"source": one.source, "target": one.target, "mapping": one.mapping} for one in found.undecided[:MOST]
        ],
        "undecided_count": len(found.undecided),
        "unread": unread_line(found),
        "notes": [*found.notes, *found.assumptions],
        "closed": shown.closed,
        "svg": lineage_svg(shown.answer, says=summary(found), links=_links(shown, job.here)),
    }
    return "application/json", in_json(json.dumps(page, ensure_ascii=False)).encode()


def _ends(found: Answer, some: Sequence[End]) -> list[dict[str, Any]]:
    """The ends with their conditions, and what is told beside; those of an entity that contribute alike together."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for one in some:
        said = entity_of(one.attribute), contributes(found, one), *beside(found, one)
        groups.setdefault(said, []).append(one.attribute)
    return [{"attributes": names, "says": says, "beside": more} for (_, says, *more), names in groups.items()]


def _left_out(found: Answer) -> dict[str, list[tuple[str, str]]]:
    """The steps that are listed, by why they are left out: source and mapping."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for one in found.dropped[:MOST]:
        groups.setdefault(because(one), []).append((one.step.source, one.step.mapping))
    return groups


def _picture(found: Answer, job: AskView) -> str:
    return lineage_svg(_part(found, job).answer, says=summary(found))


def _part(found: Answer, job: AskView) -> View:
    return part_of(found, job.open, levels=job.levels, indirect=job.indirect, dropped=job.dropped)


def _links(shown: View, here: str) -> dict[str, str]:
    """Where each attribute that can be opened leads: the same page, with it open."""
    lead = f"{here}{'&' if '?' in here else '?'}"
    return {name: lead + urlencode({"open": name}) for name in shown.closed}


FORMS = {"page": _page, "svg": _svg, "png": _png, "csv": _csv, "json": _json}
