"""Readers: one module per kind of input, each giving mapping trees."""
