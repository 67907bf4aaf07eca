"""One person in one round: which screen comes next, leases, deadlines, leaving, exclusion, reinstatement."""
