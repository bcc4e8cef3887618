"""Answers, trees and tables as text, HTML, JSON and pictures: one module per format.

    answer -> words, summary                               -> the sentences that every format shares
    answer -> outline -> text                              -> a tree of bounded size for the terminal
    answer -> sketch (or collapse) -> layout, settle -> boxes, strokes, legend -> picture, as SVG; png makes that PNG
    answer -> view                                         -> the part of it that somebody has opened
    trees  -> trees, forest                                -> text, JSON, SVG
    origins of a whole warehouse -> parquet                -> one file
    rules  -> sql                                          -> statements that do what a mapping means, for checks

Nothing is decided here: what is shown is handed over. Every format bounds what it shows, says how much it leaves away,
and gives the same bytes for the same answer.
"""
