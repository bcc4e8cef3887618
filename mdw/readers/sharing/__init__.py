"""Reading shared out to processes: texts by parts, scripts by files; what comes back is what one process would read.

A task is a value, what becomes of it is one too, and whoever asks gets them in the order of the tasks. A process that
is killed costs nothing but time: what it had is read where it was to go.
"""
