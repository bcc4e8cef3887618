"""Which steps of a question can carry a row: the tiers, the reasons for what is dropped, and what is shown."""
