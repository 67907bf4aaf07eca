"""How long the heavy statistics take, against their plain forms and the peers' libraries: `python -m benchmarks`."""
