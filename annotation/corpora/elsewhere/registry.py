"""The programs whose exports can be read, and which of them wrote a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotation.corpora.elsewhere import doccano, label_studio, litescale, max_diff, potato
from annotation.corpora.elsewhere.export import Export
from annotation.corpora.elsewhere.parts import Part
from annotation.corpora.errors import CorpusError


@dataclass(frozen=True)
class Program:
    """A program. title: its own name; recognises, read: of the parts of an export; read also takes a question."""

    title: str
    recognises: Callable[[Sequence[Part]], bool]
    read: Callable[[Sequence[Part], str], Export]


PROGRAMS = {
    "label_studio": Program("Label Studio", label_studio.recognises, label_studio.read),
    "potato": Program("Potato", potato.recognises, potato.read),
    "litescale": Program("Litescale", litescale.recognises, litescale.read),
    "doccano": Program("doccano", doccano.recognises, doccano.read),
    "max_diff": Program("MaxDiff", max_diff.recognises, max_diff.read),
}
"""By the names that the command takes, in the order in which they are tried."""


def recognise(parts: Sequence[Part]) -> str:
    """Return the name of the program that wrote an export; "" if it is none of PROGRAMS."""
    return next((name for name, program in PROGRAMS.items() if program.recognises(parts)), "")


def read_export(parts: Sequence[Part], name: str, question: str = "") -> Export:
    """Return what an export holds.

    Parameters: name, of the program; question, the one whose answers are read, "" for the only one.

    Raises:
        CorpusError: it holds no such judgments, or several questions of which none was chosen.
    """
    try:
        export = PROGRAMS[name].read(parts, question)
    except (AttributeError, KeyError, TypeError, IndexError) as error:
        raise _not_of(name) from error
    if not (export.ratings or export.choices):
        raise _not_of(name)
    return export


def _not_of(name: str) -> CorpusError:
    return CorpusError("This file has no judgments in the format of %(program)s.", program=PROGRAMS[name].title)
