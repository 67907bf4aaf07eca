"""Practice with feedback, and the check before the work of a best-worst round."""
