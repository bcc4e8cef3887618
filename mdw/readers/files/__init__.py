"""Files of SQL before they are read: their texts, settings and dialects, what they seem to need of one another."""
