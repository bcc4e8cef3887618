"""Java for Spark, what goes wrong with it, and what is told while it works."""
