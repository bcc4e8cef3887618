"""Scripts as programs: procedures, blocks, loops and tests around SQL, and what runs of it with which values."""
