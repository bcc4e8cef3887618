"""Work spread over Spark: the only home of pyspark and of the Java that pip brings, never imported by `import mdw`.

    session  -> a Spark session to work in, here or on a cluster
    pipeline -> inputs of any size into a new store (`load/` reads them on executors)
    Warehouse.spark_lineage -> `lineage/`: a store into Parquet files of every attribute's sources
    frames   -> results as DataFrames
    tuples   -> the source rows of a row, for pipelines of functions with declared properties

Executors run the same functions as one process does: they read, describe and trace with `mdw.readers`, `mdw.rdf` and
`mdw.lineage`, and Spark only carries inputs and small rows to and fro. What they make are files with names that follow
from the input, so that a task which runs twice, or a run that goes on, makes the same ones.
"""
