"""Monitoring for managers while annotators work: progress, time and pay, agreement, disputes, and flags."""
