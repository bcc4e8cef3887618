"""The processes that work for the server: readers answer from snapshots, one writer changes the store.

pool, worker (the server's side) -> jobs, frames -> process (the other) -> reading, writing -> reply, frames -> pool

Processes are copies of an original (copying -> original -> process), or new ones where a system cannot copy.
"""
