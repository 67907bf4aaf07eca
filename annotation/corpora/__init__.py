"""Preparing raw texts for annotation: problems found in them, and which of them are paired (SemRel2024 3.1.1, 3.3)."""
