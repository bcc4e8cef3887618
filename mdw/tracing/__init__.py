"""What the rows of transformations have to do with each other: pure, no DataFrames."""
