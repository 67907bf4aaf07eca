"""Projects of Litescale, as a ZIP archive of the project's folder: `tuples.json` and `annotations/PERSON.json`."""

from collections.abc import Sequence

from annotation.corpora.elsewhere.export import Choice, Export
from annotation.corpora.elsewhere.parts import Part
from annotation.corpora.elsewhere.texts import text_of
from annotation.corpora.errors import CorpusError

TUPLES, ANSWERS = "tuples", "annotations/"


def recognises(parts: Sequence[Part]) -> bool:
    return _tuples(parts) is not None


def read(parts: Sequence[Part], question: str) -> Export:
    """Return the choices of everybody who has a file of annotations."""
    tuples = _tuples(parts)
    if tuples is None:
        raise CorpusError("“tuples.json” is missing. Make a ZIP archive of the whole folder of the Litescale project.")
    export = Export()
    for part in parts:
        if ANSWERS not in part.name:
            continue
        for place, (name, answer) in enumerate(part.json_object().items(), start=1):
            members = tuples.get(name, [])
            for member in members:
                text = text_of(member.get("text"))
                export.describe(text_of(member.get("id")), (text,) if text else ())
            items = tuple(text_of(member.get("id")) for member in members)
            best, worst = (text_of(answer.get(side)) for side in ("best", "worst"))
            export.choices.append(Choice(place, name, items, best, worst, part.stem))
    return export


def _tuples(parts: Sequence[Part]) -> dict[str, list[dict[str, str]]] | None:
    """Return the tuples of the project, by their numbers; None if there are none."""
    for part in parts:
        found = part.json_object().get("tuples") if part.stem == TUPLES else None
        if isinstance(found, dict):
            return found
    return None
