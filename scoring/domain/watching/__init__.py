"""What managers watch while people work: progress, time and pay, agreement, disputes, and flags."""
