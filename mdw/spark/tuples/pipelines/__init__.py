"""Pipelines of functions with declared properties, traced on Spark (rules T8-T20; properties: `mdw.tracing`).

transformation -> a function, what it reads, what is declared of it
pipeline       -> transformations in order: plan, trace
network        -> frames of all intermediates; a section run with one of its inputs replaced
backwards      -> from rows of the output section by section to rows of the sources
procedures     -> rows of one input by the property used: keys, batches in executors, jobs
verifying      -> declared properties put to the test
pandas, keys   -> functions of pandas frames by way of Arrow; rows that meet keys
"""
