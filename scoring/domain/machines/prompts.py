"""What a model reads: the guidelines, the question and the scale as instructions, and each screen as a message.

The texts are those that an annotator sees, in the same order and context; known labels, sources and earlier values are
not among them. The words around them are English and part of the experiment, so they are not translated.
"""

from collections.abc import Iterator, Sequence

from django.db.models import prefetch_related_objects

from annotation.models import Item, PracticePart, PracticeTask
from annotation.protocols.designs.comparing import BestWorstDesign
from annotation.protocols.scale import Scale
from annotation.protocols.terms import Context
from annotation.queries.screens import places_of_tuples
from annotation.texts import with_sentence_marked
from scoring.models import Machine, MachineScreen

RATING, BEST, WORST = "rating", "best", "worst"
IN_CONTEXT = (
    "Where texts contain a sentence between <sent> and </sent>, rate only these two sentences. The surrounding text "
    "helps you understand them."
)


def instructions_of(machine: Machine) -> str:
    """Return the system prompt of a model, the same for all screens."""
    project, design = machine.project, machine.asked.design
    parts = [project.guidelines.strip(), *_examples(machine)]
    parts.append(f"Question: {project.protocol.question}")
    if design.compares:
        parts.append(_how_to_choose(design))
    else:
        parts += [IN_CONTEXT] if Context.DEPENDENT in machine.asked.sessions else []
        parts += [_scale(project.protocol.scale), _form({RATING: "your rating"})]
    return "\n\n".join(part for part in parts if part)


def _scale(scale: Scale) -> str:
    ends = f"from {scale.write(scale.minimum)} to {scale.write(scale.maximum)} in steps of {scale.write(scale.step)}"
    labels = "".join(f"\n{scale.write(label.value)}: {label.text}" for label in scale.labels)
    return f"Rate on a scale {ends}.{labels}"


def _how_to_choose(design: BestWorstDesign) -> str:
    said = f"Choose the “{design.best}” and the “{design.worst}” by their numbers. They must be different."
    return f"{said}\n\n{_form({BEST: f'number of the “{design.best}”', WORST: f'number of the “{design.worst}”'})}"


def _form(keys: dict[str, str]) -> str:
    shown = ", ".join(f'"{key}": <{meaning}>' for key, meaning in keys.items())
    return f"Answer with one JSON object and nothing else: {{{shown}}}"


def _examples(machine: Machine) -> Iterator[str]:
    """Yield the worked examples, which people see with the guidelines."""
    design = machine.asked.design
    tasks = machine.project.practice_tasks.filter(part=PracticePart.EXAMPLE) if design.compares else ()
    yield from (f"Example:\n\n{_example(task, machine, design)}" for task in tasks)


def _example(task: PracticeTask, machine: Machine, design: BestWorstDesign) -> str:
    shown = _compared(task.turns, task.texts, machine.project.protocol.material.noun)
    solution = f"“{design.best}”: {task.best}. “{design.worst}”: {task.worst}."
    return "\n\n".join(part for part in (shown, f"{solution} {task.why}".strip()) if part)


def prompt_of(screen: MachineScreen) -> str:
    """Return the user message of a screen."""
    if screen.item_id is not None:
        return _pair(screen)
    items, group = shown_items(screen), None
    if screen.machine.asked.design.grouped:
        group = items[0].group
    turns = group.turns if group else []
    texts = [[item.sentence2] if turns else item.texts for item in items]
    return _compared(turns, texts, screen.machine.project.protocol.material.noun)


def shown_items(screen: MachineScreen) -> list[Item]:
    """Return the items of a tuple in the order in which the model sees them."""
    prefetch_related_objects([screen], places_of_tuples())
    designed = [place.item for place in screen.tuple.places.all()]
    return [designed[int(digit) - 1] for digit in screen.order]


def _pair(screen: MachineScreen) -> str:
    item, dependent = screen.item, screen.context == Context.DEPENDENT
    contexts = (item.context1, item.context2) if dependent else ("", "")
    texts = [_text(context, text) for context, text in zip(contexts, (item.sentence1, item.sentence2), strict=True)]
    first, second = reversed(texts) if screen.reversed else texts
    return f"First text:\n{first}\n\nSecond text:\n{second}"


def _text(context: str, sentence: str) -> str:
    """Return a text as annotators see it; in a context, the sentence to rate is marked."""
    if not context:
        return sentence
    parts = with_sentence_marked(context, sentence)
    return "".join(f"<sent>{part.text}</sent>" if part.mark == "sent" else part.text for part in parts)


def _compared(turns: Sequence[dict[str, str]], texts: Sequence[Sequence[str]], noun: str) -> str:
    """Return the dialogue, if there is one, and the texts of each item under its number."""
    said = "\n".join(f"{turn['speaker']}: {turn['text']}" for turn in turns)
    dialogue = [f"Dialogue, whose last turn the utterances are compared with:\n{said}"] if turns else []
    own = [f"{noun.capitalize()} {number}:\n" + "\n".join(one) for number, one in enumerate(texts, start=1)]
    return "\n\n".join([*dialogue, *own])
