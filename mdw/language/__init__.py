"""The mapping language: text to tree and back, tree to rules, the meta tree, requests and questions.

    text      -> chunks.split    -> one piece of text per mapping
    piece     -> mapping.read    -> tree, or an error that says where and what was expected (complaints, mistakes)
    tree      -> checks.check    -> what is wrong with it that no grammar can say
    tree      -> derive.derive   -> rules
    tree      -> unparse.unparse -> canonical text, which reads as the same tree (formatting keeps the comments too)
    grammar   -> metatree        -> the numbered places of the language, of which requests speak
    words asked with -> questions -> names and conditions

The grammar is `grammars/mapping.lark`. `derive`, `unparse` and `checks` know what its rules mean; the parser, the meta
tree and requests work for any grammar. Memory stays at one mapping and a block of text, however long the text.
"""
