"""How many answers a second the servers take, and what an answer costs: `python -m benchmarks.load`."""
