"""The forms of runs, releases and webhooks."""

from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Project
from scoring.domain.releases.files import can_be_split
from scoring.exports.splits import USUAL_SIZES
from scoring.models import PROJECT_EVENTS, State, Webhook
from scoring.summaries.parameters import MOST

MOST_RUNS = 100  # to choose from, the newest ones
LARGEST_SEED = 2**63 - 1
LICENCES = ("CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", "CC0-1.0", "ODC-By-1.0", "ODbL-1.0")


class ReleaseForm(forms.Form):
    """The run, licence and, where scores can be split, the split of a release."""

    learn_more = {"seed": "other-settings#random-seed-of-the-split"}
    run = forms.TypedChoiceField(
        coerce=int,
        label=gettext_lazy("Run"),
        help_text=gettext_lazy(
            "The release contains the scores and statistics of this scoring run, and the judgments it is based on."
        ),
    )
    licence = forms.CharField(
        required=False,
        max_length=100,
        label=gettext_lazy("Licence (optional)"),
        help_text=gettext_lazy(
            "SPDX identifier, for example CC-BY-4.0. Without a licence, others have to ask before using the data."
        ),
        widget=forms.TextInput(attrs={"list": "licences", "autocomplete": "off", "spellcheck": "false"}),
    )
    sizes = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Sizes of train, dev and test"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    apart = forms.BooleanField(required=False, label=gettext_lazy("Keep pairs that share a sentence in the same part"))
    seed = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_SEED,
        label=gettext_lazy("Random seed of the split (optional)"),
        help_text=gettext_lazy("The same seed gives the same split. Default: the project’s seed."),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        done = project.runs.filter(state=State.DONE).defer("results")[:MOST_RUNS]
        self.runs = {run.number: run for run in done}
        self.fields["run"].choices = [(number, _run_title(run)) for number, run in self.runs.items()]
        self.fields["sizes"].help_text = _(
            "Shares, for example %(shares)s, or numbers, for example train=rest,dev=250,test=2600. Leave empty for "
            "the preset’s default."
        ) % {"shares": USUAL_SIZES}
        if not can_be_split(project):
            for name in ("sizes", "apart", "seed"):
                del self.fields[name]

    def request(self) -> dict[str, Any]:
        values = self.cleaned_data
        options = {
            name: values[name] for name in ("sizes", "apart", "seed") if values.get(name) not in (None, "", False)
        }
        return {"run": self.runs[values["run"]], "licence": values["licence"], "options": options}


def _run_title(run: Any) -> str:
    return _("Run %(number)s, %(day)s") % {"number": run.number, "day": date_format(run.as_of or run.created_at)}


def _number(minimum: int, label: Any, help_text: Any) -> forms.IntegerField:
    return forms.IntegerField(required=False, min_value=minimum, max_value=MOST, label=label, help_text=help_text)


class RunForm(forms.Form):
    """The parameters of a run; an empty field means the default."""

    learn_more = {
        "seed": "other-settings#random-seed",
        "splits": "other-settings#random-splits",
        "replicates": "other-settings#resamples",
        "subsets": "other-settings#random-subsets",
    }
    seed = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_SEED,
        label=gettext_lazy("Random seed (optional)"),
        help_text=gettext_lazy("The same seed and judgments give the same results. Default: the project’s seed."),
    )
    splits = _number(
        1,
        gettext_lazy("Random splits for split-half reliability"),
        gettext_lazy("More splits make the figure more precise. Default: 1,000."),
    )
    replicates = _number(
        2,
        gettext_lazy("Resamples for standard errors and intervals"),
        gettext_lazy("More resamples make intervals more precise. Default: 1,000."),
    )
    subsets = _number(
        1,
        gettext_lazy("Random subsets for comparison with filters"),
        gettext_lazy("Only for projects that filter selected pairs. Default: 200."),
    )

    def request(self) -> dict[str, Any]:
        values = {name: value for name, value in self.cleaned_data.items() if value is not None}
        return {"seed": values.pop("seed", None), "parameters": values}


class WebhookForm(forms.Form):
    """The address and events of a webhook."""

    url = forms.URLField(
        max_length=500,
        assume_scheme="https",
        label=gettext_lazy("URL"),
        help_text=gettext_lazy("An https:// URL. It receives JSON by POST."),
    )
    events = forms.MultipleChoiceField(
        required=False,
        label=gettext_lazy("Events"),
        help_text=gettext_lazy("Choose none to receive all events."),
        widget=forms.CheckboxSelectMultiple,
        choices=[(event.value, event.label) for event in PROJECT_EVENTS],
    )
    message_format = forms.TypedChoiceField(
        required=False,
        empty_value=Webhook.Format.JSON,
        initial=Webhook.Format.JSON,
        label=gettext_lazy("Format"),
        choices=Webhook.Format.choices,
    )
