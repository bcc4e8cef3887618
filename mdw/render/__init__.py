"""Answers, trees and tables as text, HTML, JSON and pictures: one module per format."""
