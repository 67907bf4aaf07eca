class BackupError(Exception):
    """A backup cannot be written or restored; its text says why and what to do."""
