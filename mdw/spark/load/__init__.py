"""Inputs of any size -> part files of a store, made by executors.

    tables of folders, databases -> facts -> facts sorted by mapping   } -> parts: a file of quads, and an index of
    files of mapping text                                              }    what stands where in it
    lines of RDF                 -> lines -> checked lines             }
    files of SQL                 -> scripts, wave by wave              }
    all indexes                  -> index -> counts, rejects, and mappings that came twice, to be cut out

A part of three mappings, the second of which cannot be read:

    parts/texts-00000.trig       PREFIX ... GRAPH <urn:mdw:mapping:a> {...} GRAPH <urn:mdw:mapping:c> {...}
    parts/texts-00000.parquet    source position mapping start length quads reason
                                 0      1        a       89    1520   21    NULL
                                 0      2        NULL    0     0      0     unexpected ...
                                 0      3        c       1609  1498   20    NULL

Executors cannot know that another one met a mapping of the same name. The driver sees that in the indexes, and when the
part is loaded the bytes of the second one are left out.
"""
