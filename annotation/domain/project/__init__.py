"""Projects: creation, settings, members, launch, pause, closing and deletion."""
