"""What a collection will cost and how reliable it will be, before it is made: pure functions, by simulation.

A forecast stands on how much judgments vary, which a paper's figures or a pilot of one's own tell.
"""
