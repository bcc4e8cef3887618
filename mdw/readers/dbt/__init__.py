"""Compiled dbt projects: what dbt leaves in the folder ``target`` -> files of SQL, and what of it is not SQL."""
