"""Forecasts of the cost and reliability of a collection, before it is made: pure functions, by simulation.

A forecast depends on how much judgments vary, which is estimated from a paper's figures or a pilot of the project.
"""
