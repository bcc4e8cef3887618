"""SQL -> blocks: the only home of sqlglot; nothing of it leaves this room.

Text is read as a program (`programs`), each of its statements is parsed (`parsing`), and one walk over its scopes
(`selects`, `relations`, `expressions`, `conditions`, `subqueries`) makes blocks of it: `mdw.readers.blocks` makes those
mappings.
"""
