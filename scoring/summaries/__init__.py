"""Every statistic of a run from one snapshot of the judgments: in parts that any number of workers compute.

`snapshot` is the input, `parts` lists the computations, `merge` puts the results together. No part needs another, each
has its own generator from the run's seed, and slices of a part depend on the parameters alone: so the results are the
same for any number of workers and any order. `docs/results.md` describes them.
"""
