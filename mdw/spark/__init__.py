"""Work spread over Spark: the only home of pyspark and of the Java that pip brings, never imported by `import mdw`."""
