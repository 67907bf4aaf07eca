"""Exports of other programs that collect judgments: what wrote a file, and what is in it.

Each program has a module; `registry` knows them all. A reader returns an `Export`, in the terms of the judgments that
Semblance imports: items with their texts, people, and ratings or best-worst choices.
"""

from annotation.corpora.elsewhere.export import Choice, Export, Rating
from annotation.corpora.elsewhere.parts import read_parts
from annotation.corpora.elsewhere.registry import PROGRAMS, Program, read_export, recognise

__all__ = ["PROGRAMS", "Choice", "Export", "Program", "Rating", "read_export", "read_parts", "recognise"]
