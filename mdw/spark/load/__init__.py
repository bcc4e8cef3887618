"""Inputs of any size -> part files of a store, made by executors."""
