"""How a row of a pipeline would be traced: a value that is made of what is declared, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mdw.tracing.merging import Section, merged


@dataclass(frozen=True)
class PipelinePlan:
    """The sections between an output and its sources in the order they run, and which intermediates are wanted."""

    asked: str
    sections: tuple[Section, ...]
    wanted: tuple[str, ...]
    stored: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        asked: str,
        sections: Iterable[Section],
        *,
        stored: Iterable[str] = (),
        combine: bool = True,
        sizes: Mapping[str, float] | None = None,
    ) -> PipelinePlan:
        """The plan of sections in the order they run; step by step unless they are to be combined."""
        had = tuple(stored)
        kept = merged(sections, stored=had, sizes=sizes) if combine else tuple(sections)
        names = {section.name for section in kept}
        wanted = dict.fromkeys(read for section in kept for read in wanted_by(section) if read in names)
        return cls(asked, kept, tuple(wanted), had)

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return {
            "asked": self.asked,
            "sections": [
                {
                    "transformations": list(section.members),
                    "inputs": [
                        {
                            "input": read,
                            "property": str(choice.used),
                            "narrowed": [str(one) for one in choice.narrowing],
                            "accuracy": choice.accuracy,
                            "missing": [{"rank": rank, "because": why} for rank, why in choice.missing],
                        }
                        for read, choice in zip(section.reads, section.choices, strict=True)
                    ],
                }
                for section in self.sections
            ],
            "wanted": list(self.wanted),
            "stored": list(self.stored),
        }

    def lines(self) -> tuple[str, ...]:
        """The plan in lines, from the output back."""
        told = [line for section in reversed(self.sections) for line in _lines(section)]
        wanted = [f"{name} (stored)" if name in self.stored else name for name in self.wanted]
        return (*told, f"intermediates wanted: {', '.join(wanted) or 'none'}")

    def __str__(self) -> str:
        return "\n".join((f"a row of {self.asked} is traced", *(f"  {line}" for line in self.lines())))


def wanted_by(section: Section) -> Sequence[str]:
    """The inputs that are to be there to trace a section: its own, or the others' where it is run on parts of one."""
    runs = [choice.used.runs or section.exclusive for choice in section.choices]
    return [
        read
        for at, (read, choice) in enumerate(zip(section.reads, section.choices, strict=True))
        if choice.used.wants_input or section.exclusive or any(run for other, run in enumerate(runs) if other != at)
    ]


def _lines(section: Section) -> Iterable[str]:
    name = " and ".join(section.members) + (", merged" if len(section.members) > 1 else "")
    for read, choice in zip(section.reads, section.choices, strict=True):
        yield f"{name}, its {read}: {choice} ({choice.accuracy})"
        for rank, why in choice.missing:
            yield f"  not rank {rank}: {why}"
