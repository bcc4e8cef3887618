"""Rows traced through the mappings of a warehouse, entity by entity backwards (`tracing.md`, rules T2, T34-T37, T41).

folder    -> the entities whose rows lie in a folder, as frames
frames    -> each entity as a frame: its rows, or what its mappings make of others
hands     -> the rows in hand of each entity, by what they did
backwards -> the walk from the rows asked for to the sources
tracing   -> a condition and a folder -> a trace
"""
