"""The form of a practice task: the texts of each item, the right answer and its explanation."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.material.values import LONGEST_TEXT
from annotation.domain.practice.importing import LONGEST_REASON, tuple_sizes
from annotation.models import PracticePart, PracticeTask, Project
from annotation.protocols.terms import Material


class PracticeTaskForm(forms.Form):
    """Parameters: task, to be changed; None for a new one. Only the explanation of a `fixed` one can change."""

    part = forms.ChoiceField(label=_("Part"), choices=PracticePart.choices)
    turns = forms.CharField(
        label=_("Dialogue"),
        help_text=_("One turn per line: the speaker, a colon, and the text. The last line is the one that is judged."),
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
    )

    def __init__(
        self, *args: Any, project: Project, task: PracticeTask | None = None, fixed: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, initial=_initial(task), **kwargs)
        self.project, self.pairs = project, project.protocol.material == Material.PAIRS
        self.size = len(task.texts) if task else tuple_sizes(project)[-1]
        if task:
            del self.fields["part"]
        if project.protocol.material != Material.DIALOGUES:
            del self.fields["turns"]
        self._add_fields(project.protocol.rounds)
        for name, field in self.fields.items():
            field.disabled = fixed and name != "why"

    def _add_fields(self, rounds: Any) -> None:
        noun = {"pair": _("Pair %(number)s"), "text": _("Text %(number)s")}.get(
            self.project.protocol.material.noun, _("Utterance %(number)s")
        )
        for number in range(1, self.size + 1):
            for name, second in self._texts_of(number):
                label = noun % {"number": number}
                pattern = _("%(item)s, second text") if second else _("%(item)s, first text")
                self.fields[name] = _text(pattern % {"item": label} if self.pairs else label)
        design = next(round_.design for round_ in rounds if round_.design.compares)
        numbers = [("", "–"), *((number, noun % {"number": number}) for number in range(1, self.size + 1))]
        for name, label in (("best", design.best), ("worst", design.worst)):
            self.fields[name] = forms.ChoiceField(label=label.capitalize(), choices=numbers)
        self.fields["why"] = forms.CharField(
            required=False,
            max_length=LONGEST_REASON,
            label=_("Explanation"),
            help_text=_("Shown with the solution. You can use Markdown."),
            widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        )
        self.fields["language"] = forms.CharField(
            required=False, max_length=35, label=_("Language"), help_text=_("Only if it is not that of the project.")
        )

    def _texts_of(self, number: int) -> list[tuple[str, bool]]:
        names = [(f"text{number}", False)]
        return [*names, (f"text{number}b", True)] if self.pairs else names

    def row(self) -> dict[str, Any]:
        """Return the task as a line of an imported file."""
        sent = self.cleaned_data
        texts = [[sent[name] for name, _second in self._texts_of(number)] for number in range(1, self.size + 1)]
        row = {"texts": texts, "best": int(sent["best"]), "worst": int(sent["worst"])}
        row |= {name: sent[name] for name in ("language", "why")} | {"part": sent.get("part", "")}
        return row | ({"turns": _turns(sent["turns"])} if "turns" in sent else {})


def _text(label: Any) -> forms.CharField:
    return forms.CharField(
        max_length=LONGEST_TEXT, label=label, widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"})
    )


def _initial(task: PracticeTask | None) -> dict[str, Any]:
    if task is None:
        return {}
    texts = {
        f"text{number}{'b' * place}": text
        for number, item in enumerate(task.texts, start=1)
        for place, text in enumerate(item)
    }
    turns = "\n".join(f"{turn.get('speaker', '')}: {turn['text']}" for turn in task.turns)
    return texts | {name: getattr(task, name) for name in ("best", "worst", "why", "language")} | {"turns": turns}


def _turns(lines: str) -> list[dict[str, str]]:
    """Return the turns of lines such as `Ann: Shall we go?`; a line without a colon has no speaker."""
    parts = [line.partition(":") for line in lines.splitlines() if line.strip()]
    return [
        {"speaker": speaker.strip(), "text": text.strip()} if colon else {"speaker": "", "text": speaker.strip()}
        for speaker, colon, text in parts
    ]
