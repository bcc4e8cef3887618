"""SQL -> blocks: the only home of sqlglot; nothing of it leaves this room.

Text is cut into statements (`splitting`), each is parsed (`parsing`), and one walk over its scopes (`selects`,
`relations`, `expressions`, `conditions`, `subqueries`) makes blocks of it: `mdw.readers.blocks` makes those mappings.
"""
