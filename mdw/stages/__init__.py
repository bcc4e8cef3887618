"""What happens in which order: the stages behind each method of the warehouse, as functions of a store.

    filling     sources -> trees and rules -> graphs -> the store
    asking      question -> candidates from the store -> judged by their conditions -> answer
    sweeping    all attributes at once, here or on Spark
    searching   words -> index of names -> hits
    exporting   the store -> RDF, text, tables

Nothing is worked out here: each function hands what one room made to the next. A new question is a function here and
a method of the warehouse that calls it.
"""
