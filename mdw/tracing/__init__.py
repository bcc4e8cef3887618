"""Properties of transformations, and what follows from them for whoever traces a row: pure, no DataFrames.

    properties  -> what may be declared of a transformation
    choice      -> the best of what is declared and what a plan tells, and what each better rank lacks
    products    -> two transformations as one
    merging     -> which neighbours are traced as one
    plan        -> all that for an output of a pipeline
    bisection, subsets -> rows found by running a transformation on parts of its input
    refuting    -> declared properties put to the test
    accuracy    -> how sure what is found is

`tracing.md`, rules T1-T20, says what each word means.
"""

from mdw.tracing.properties import (
    aggregator,
    backward_key,
    backward_map,
    backward_total,
    context_free,
    dispatcher,
    forward_key,
    forward_map,
    inverse,
    key_preserving,
    keyed,
    procedure,
    row_filter,
)

__all__ = [
    "aggregator",
    "backward_key",
    "backward_map",
    "backward_total",
    "context_free",
    "dispatcher",
    "forward_key",
    "forward_map",
    "inverse",
    "key_preserving",
    "keyed",
    "procedure",
    "row_filter",
]
