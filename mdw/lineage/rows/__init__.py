"""What crossing one mapping makes of a row and of what is known about it."""
