"""The form of a plan to register: the questions of the OSF's template, planned numbers and statistics."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.models import Project
from annotation.protocols.terms import Material
from scoring.domain.registrations.plans import Answers
from scoring.summaries.registered.analyses import ANALYSES, applicable
from scoring.summaries.registered.questions import REQUIRED, SECTIONS, TEXTS

LONGEST = 20_000  # characters of an answer
MOST = 10_000_000
PEOPLE = "people."  # how the name of a round's field begins
LABELS = {
    "description": _("What is the study about?"),
    "hypotheses": _("What are the hypotheses? State the direction of each."),
    "study_type": _("What type of study is it?"),
    "blinding": _("Who does not know what, and when?"),
    "design": _("What is the design?"),
    "existing_data": _("Which of the data exist already, and who has seen them?"),
    "collection": _("How are the data collected, and from whom?"),
    "sample_size": _("How many items, annotators and judgments are planned?"),
    "rationale": _("Why these numbers?"),
    "stopping": _("When does the collection end?"),
    "manipulated": _("What is manipulated?"),
    "measured": _("What is measured?"),
    "indices": _("Which indices are computed from several measurements?"),
    "models": _("Which statistical models and tests are planned for each hypothesis?"),
    "transformations": _("How are the data transformed before the analysis?"),
    "inference": _("By which criteria are conclusions drawn?"),
    "exclusions": _("Whose data, or which data, are excluded?"),
    "missing": _("What is done about missing data?"),
    "exploratory": _("What is to be explored without a hypothesis?"),
    "other": _("What else matters?"),
}
TITLES = {
    "Study information": _("Study information"),
    "Design plan": _("Design plan"),
    "Sampling plan": _("Sampling plan"),
    "Variables": _("Variables"),
    "Analysis plan": _("Analysis plan"),
    "Other": pgettext_lazy("a section of a registered plan", "Other"),
}
ADDED = {
    "design": _("The system adds the question, every round and every setting of the protocol."),
    "sample_size": _("The system adds the numbers below, and the judgments that follow from the protocol."),
    "stopping": _("The system adds the stopping rule of each round."),
    "measured": _("The system adds the scale and what is stored with each judgment."),
    "models": _("Required. The system adds the statistics selected below, with their parameters."),
    "exclusions": _("The system adds the exclusion rules of the protocol and the limits of flags."),
    "hypotheses": _("Required. If there are none, write “None”."),
}


class RegistrationForm(forms.Form):
    """What owners write and decide; everything may be left empty in a draft."""

    learn_more = {"items": "registering#planned-numbers"}

    def __init__(self, *args: Any, project: Project, answers: Answers, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.project = project
        for name in TEXTS:
            self.fields[name] = _text(name, answers.texts.get(name, ""))
        incidents = project.protocol.material == Material.INCIDENTS
        self.fields["items"] = forms.IntegerField(
            label=_("Planned number of incidents") if incidents else _("Planned number of items"),
            help_text=_("Without calibration pairs. Leave empty if it is open."),
            min_value=1,
            max_value=MOST,
            required=False,
            initial=answers.items,
        )
        self._add_people(answers)
        self.fields["analyses"] = forms.MultipleChoiceField(
            label=_("Registered statistics"),
            help_text=_("The names are those of the report. All others that a run computes count as exploratory."),
            choices=[(name, ANALYSES[name].title) for name in applicable(project.protocol)],
            widget=forms.CheckboxSelectMultiple,
            required=False,
            initial=list(answers.analyses),
        )

    def _add_people(self, answers: Answers) -> None:
        """Add a number of annotators for each round."""
        self.learn_more = dict(self.learn_more)
        for round_ in self.project.protocol.rounds:
            name = f"{PEOPLE}{round_.key}"
            self.fields[name] = forms.IntegerField(
                label=_("Planned annotators in round %(round)s") % {"round": round_.key},
                help_text=_("Leave empty if it is open."),
                min_value=1,
                max_value=MOST,
                required=False,
                initial=answers.people.get(round_.key),
            )
            self.learn_more[name] = "registering#planned-numbers"

    def sections(self) -> Iterator[tuple[Any, list[forms.BoundField]]]:
        """Yield the title and the fields of each section."""
        people = [name for name in self.fields if name.startswith(PEOPLE)]
        after = {"sample_size": ["items", *people], "models": ["analyses"]}
        for section, names in SECTIONS.items():
            known = [own for name in names if name in self.fields for own in (name, *after.get(name, ()))]
            yield TITLES[section], [self[name] for name in known]

    def answers(self) -> Answers:
        """Return what was written, once the form is valid."""
        values = self.cleaned_data
        return Answers(
            texts={name: values[name] for name in TEXTS},
            items=values["items"],
            people={name.removeprefix(PEOPLE): values[name] for name in self.fields if name.startswith(PEOPLE)},
            analyses=values["analyses"],
        )


def _text(name: str, initial: str) -> forms.CharField:
    rows = 6 if name in REQUIRED else 3
    return forms.CharField(
        label=LABELS[name],
        help_text=ADDED.get(name, ""),
        max_length=LONGEST,
        required=False,
        initial=initial,
        widget=forms.Textarea(attrs={"rows": rows}),
    )
