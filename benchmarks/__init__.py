"""How long the heavy statistics take, compared with other implementations and libraries: `python -m benchmarks`."""
