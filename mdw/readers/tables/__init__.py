"""The conceptual mapping model as relational tables (seed 000, chapter 5.1 and appendix A)."""
