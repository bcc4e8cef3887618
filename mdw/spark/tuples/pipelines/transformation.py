"""A transformation of a pipeline: a function from frames to a frame, with what is declared of each input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mdw.model.errors import QuestionError, did_you_mean, nearest
from mdw.tracing.properties import Property


@dataclass(frozen=True, init=False)
class Transformation:
    """A named function that reads sources or other transformations (seed 001, T(I) = O).

    ``function`` takes Spark frames in the order of ``reads`` and gives one; with ``pandas`` pandas frames, batch by
    batch in executors if it is a declared filter or dispatcher of one input, else its whole input in one task.
    ``properties`` are declared of its only input, or {input: properties}. ``exclusive``: inputs are taken each alone
    and results added. ``schema`` is what a function of pandas frames gives, as Spark writes it; without, a sample of
    the input tells. Raises QuestionError where names or properties are no such.
    """

    name: str
    function: Callable[..., Any]
    reads: tuple[str, ...]
    properties: tuple[tuple[Property, ...], ...]
    pandas: bool
    exclusive: bool
    schema: str | None

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        *,
        reads: str | Iterable[str],
        properties: Iterable[Property] | Mapping[str, Iterable[Property]] = (),
        pandas: bool = False,
        exclusive: bool = False,
        schema: str | None = None,
    ) -> None:
        names = (reads,) if isinstance(reads, str) else tuple(reads)
        if not callable(function):
            raise QuestionError(f"transformation {name} has no function: {function!r} cannot be called")
        if not names:
            raise QuestionError(f"transformation {name} reads nothing: name its inputs in reads")
        values = (name, function, names, _by_read(name, names, properties), pandas, exclusive, schema)
        for field, value in zip(self.__dataclass_fields__, values, strict=True):
            object.__setattr__(self, field, value)

    @property
    def batches(self) -> bool:
        """Whether it runs on any batch of its input alone."""
        by_row = any(one.name in ("filter", "dispatcher") for one in self.properties[0])
        return self.pandas and len(self.reads) == 1 and by_row


def _by_read(
    name: str, reads: tuple[str, ...], properties: Iterable[Property] | Mapping[str, Iterable[Property]]
) -> tuple[tuple[Property, ...], ...]:
    if not isinstance(properties, Mapping):
        declared = tuple(properties)
        if declared and len(set(reads)) > 1:
            raise QuestionError(f"transformation {name} reads {', '.join(reads)}: say of which its properties are")
        properties = dict.fromkeys(reads, declared)
    for read in properties:
        if read not in reads:
            near = did_you_mean(nearest(read, reads))
            raise QuestionError(f"transformation {name} has properties of {read}, which it does not read{near}")
    found = tuple(tuple(properties.get(read, ())) for read in reads)
    if wrong := [one for each in found for one in each if not isinstance(one, Property)]:
        raise QuestionError(f"transformation {name}: {wrong[0]!r} is no property; they are made by mdw.tracing")
    return found
