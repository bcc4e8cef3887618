"""Common mistakes in mapping text: what to say of each, with examples that are also the test."""
