"""The audit log: its entries are added in `log` and read in `reading`."""
