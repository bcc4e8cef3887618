"""Readers: sources of any kind, each read into named mappings or errors.

    files, folders, text, URLs -> inputs  -> one `Input` for each thing to read, of one kind
    Input                      -> reading -> `Named` mappings (tree and rules) and `InputError`s, in the order met
    RDF in lines               -> stated  -> the graphs of mappings as they stand, and whatever else is said
    all of these               -> loading -> graphs for the store

What can be read is handed on whatever else is wrong, and every error names its place. Text is read mapping by mapping,
in flat memory; tables and RDF are held whole, since their parts may come in any order.
"""
