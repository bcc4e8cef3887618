"""The JSON API under /api, and its description."""
