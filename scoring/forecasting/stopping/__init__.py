"""When a round is reliable enough: what is known of its scores after each wave of judgments, and what is missing.

An item's interval and the reliability of the round are computed so that looking at them after every wave, and stopping
for what they say, leaves them valid; `benchmarks.stopping` shows it by simulation.
"""
