"""The store: the only home of Oxigraph, and the questions that are put to it."""
