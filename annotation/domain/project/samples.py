"""Neutral sample texts for a project that has none yet: for its preview, and as a file to import."""

from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext as _

from annotation.models import Document, DocumentKind, Group, Incident, Item, Project, Sentence
from annotation.presets.registry import presets

SAMPLES = (
    ("It has been raining since the morning.", "Rain has been falling all day."),
    ("The shop on the corner is closed today.", "You cannot buy anything at the corner today."),
    ("She plays the violin in an orchestra.", "He repairs bicycles in his garage."),
    ("The train was ten minutes late.", "The bus left on time."),
    ("A new bridge was opened yesterday.", "The river can be crossed in a new place."),
    ("The soup needs more salt.", "The soup is too hot to eat."),
    ("They moved to a smaller flat.", "The museum shows paintings of the sea."),
    ("The children built a house of snow.", "A snow house was built by the children."),
)
SAMPLE_CONTEXT = ("Everybody was talking about it.", "Nobody had expected that.")
SAMPLE_TURNS = (
    {"speaker": "A", "text": "Have you seen the new film already?"},
    {"speaker": "B", "text": "Not yet, but I would like to go on Friday."},
)
SAMPLE_REPORTS = 2


def sample_file(project: Project) -> Path | None:
    """Return the file of the preset's demo, in the language of the project if there is one; None without a preset."""
    preset = presets().get(project.protocol.key)
    demos = preset.demos() if preset else []
    demos.sort(key=lambda demo: demo.language != (project.language or "en"))
    return preset.folder / "demo" / demos[0].file if preset and demos else None


def sample_pairs(project: Project, number: int) -> Sequence[Item]:
    before, after = SAMPLE_CONTEXT
    return Item.objects.bulk_create(
        Item(
            project=project,
            key=f"preview {place}",
            position=place,
            sentence1=first,
            sentence2=second,
            context1=f"{before} <sent>{first}</sent> {after}",
            context2=f"{before} <sent>{second}</sent> {after}",
            language="en",
        )
        for place, (first, second) in enumerate(SAMPLES[:number])
    )


def sample_texts(project: Project, number: int) -> Sequence[Item]:
    return Item.objects.bulk_create(
        Item(project=project, key=f"preview {place}", position=place, sentence1=text, language="en")
        for place, (text, _other) in enumerate(SAMPLES[:number])
    )


def sample_utterances(project: Project, number: int) -> Sequence[Item]:
    group = Group.objects.create(project=project, key="preview", position=0, language="en", turns=list(SAMPLE_TURNS))
    return Item.objects.bulk_create(
        Item(
            project=project,
            group=group,
            key=f"preview/{place}",
            position=place,
            sentence1=SAMPLE_TURNS[-1]["text"],
            sentence2=second,
        )
        for place, (_first, second) in enumerate(SAMPLES[:number])
    )


def sample_incident(project: Project) -> Incident:
    incident = Incident.objects.create(project=project, key="preview", title=_("Sample"), language="en")
    texts = [(DocumentKind.SUMMARY, [first for first, _second in SAMPLES[:3]])]
    texts += [(DocumentKind.REPORT, [second for _first, second in SAMPLES])] * SAMPLE_REPORTS
    for position, (kind, lines) in enumerate(texts):
        title = "" if kind == DocumentKind.SUMMARY else _("Report %(number)s") % {"number": position}
        document = Document.objects.create(
            incident=incident, kind=kind, key=f"d{position}", title=title, position=position
        )
        Sentence.objects.bulk_create(
            Sentence(document=document, position=place, text=line) for place, line in enumerate(lines)
        )
    return incident
