"""What mdw answers: lineage and impact, reports, what a search or a request found.

Every answer is a frozen value with `to_dict()`, which gives plain values that `json.dumps` takes. How an answer looks
in a terminal or a notebook is registered from above (`display.py`), so that a value needs no renderer.
"""
