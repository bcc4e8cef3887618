"""The processes that work for the server: readers answer from snapshots, one writer changes the store.

pool (the server's side) -> jobs, frames -> process (the other) -> reading, writing -> reply, frames -> pool
"""
