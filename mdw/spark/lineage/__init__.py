"""The lineage of all attributes, shared out among executors.

    texts of all rules -> ways    -> arrays: what leads where
    ways               -> shares  -> files of work: connected parts, or some ends of a large part
    a share            -> spark_lineage -> on an executor: what arrives where, as Parquet
    all of it          -> origins -> what stayed undecided asked singly, counts summed, one folder put in place

A warehouse in which S.X feeds T.A and T.A feeds U.B, while P.K feeds Q.L, has two parts, {S.X, T.A, U.B} and {P.K,
Q.L}: no value goes from one to the other, so they are worked off apart, each with its own rules and those that decide
over them. Where everything hangs together there is one part; then one executor follows the values of some of its ends
all the way, and another those of the others. Sums over shares are right because no two shares follow the same end.
"""
