"""Simulated annotators, who answer through the same functions as people."""
