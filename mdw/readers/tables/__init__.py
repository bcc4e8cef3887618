"""The conceptual mapping model as relational tables (seed 000, chapter 5.1 and appendix A).

    tree   -> split          -> rows of the tables -> files.write -> Parquet or CSV
    folder -> files.read     -> rows -> stating.facts -> facts, sorted by mapping
                             -> build.trees -> trees, each confirmed (confirm)

`schema.py` declares the tables once, for Arrow here, for Spark (`mdw.spark.load.facts`) and for databases. Of the
clause ``POPULATE T.A WITH S.X + 1`` in mapping m the table expression_component holds:

    mapping_id population_id with_id component_id parent_id ordinal role        attribute_id content place
    m          1             1       1            NULL      1       computation NULL         NULL    NULL
    m          1             1       2            1         1       +           NULL         +       1:48
    m          1             1       3            1         2       computation NULL         NULL    NULL
    m          1             1       4            3         1       attribute   S.X          NULL    1:44
    m          1             1       5            1         3       computation NULL         NULL    NULL
    m          1             1       6            5         1       value       NULL         1       1:50

Store to tables to store gives the same quads, so whatever a tree says, places and spellings included, has a column.
"""
