"""The processes that share the server's connections and answer point queries at once.

pool (the server's side) -> process (the other) -> point -> bytes
"""
