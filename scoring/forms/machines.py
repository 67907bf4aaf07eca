"""The forms of models that answer as annotators."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from annotation.models import Project
from scoring.models import Machine
from scoring.models.machines import A_MINUTE, ANSWER_TOKENS, HOTTEST, MOST_A_MINUTE, MOST_REPEATS, REPEATS
from scoring.stats.alternative import EPSILON

LARGEST_SEED = 2**63 - 1
SECRET = forms.PasswordInput(attrs={"autocomplete": "off"}, render_value=False)


def _price(label: Any) -> forms.DecimalField:
    return forms.DecimalField(
        min_value=Decimal(0),
        max_digits=12,
        decimal_places=4,
        initial=0,
        label=label,
        help_text=gettext_lazy("In the currency of the budget, per million tokens. 0 for a model of your own."),
    )


def _budget() -> forms.DecimalField:
    return forms.DecimalField(
        required=False,
        min_value=Decimal(0),
        max_digits=12,
        decimal_places=2,
        label=gettext_lazy("Budget"),
        help_text=gettext_lazy("The model stops before it could cost more. Required for a model with a price."),
    )


class MachineForm(forms.Form):
    """A model, the round that it answers, and the limits of its work."""

    learn_more = {
        "temperature": "machines#settings",
        "seed": "machines#settings",
        "max_tokens": "machines#settings",
        "repeats": "machines#repeats-and-order",
        "sample": "machines#settings",
        "per_minute": "machines#settings",
        "price_prompt": "machines#cost-and-budget",
        "price_answer": "machines#cost-and-budget",
        "budget": "machines#cost-and-budget",
        "epsilon": "machines#alternative-annotator-test",
    }
    round = forms.ChoiceField(label=gettext_lazy("Round"))
    name = forms.CharField(
        max_length=100,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("For pages and files, for example the model with its temperature."),
    )
    url = forms.URLField(
        max_length=500,
        assume_scheme="https",
        label=gettext_lazy("URL of the API"),
        help_text=gettext_lazy("OpenAI-compatible, without /chat/completions: for example https://api.openai.com/v1."),
    )
    model = forms.CharField(
        max_length=200, label=gettext_lazy("Model"), help_text=gettext_lazy("As the server names it.")
    )
    version = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Version (optional)"),
        help_text=gettext_lazy("For example the date or the file of the weights. It is published with the answers."),
    )
    api_key = forms.CharField(
        required=False,
        max_length=500,
        widget=SECRET,
        label=gettext_lazy("API key (optional)"),
        help_text=gettext_lazy("Stored encrypted and never shown again."),
    )
    price_prompt = _price(gettext_lazy("Price of sent tokens"))
    price_answer = _price(gettext_lazy("Price of answered tokens"))
    budget = _budget()
    repeats = forms.IntegerField(
        min_value=1,
        max_value=MOST_REPEATS,
        initial=REPEATS,
        label=gettext_lazy("Repeats"),
        help_text=gettext_lazy("How often it answers everything. From 2, the results show how stable it is."),
    )
    reverses = forms.BooleanField(
        required=False,
        label=gettext_lazy("Also rate all pairs with the second text first"),
        help_text=gettext_lazy("Shows whether the order of the two texts changes the ratings."),
    )
    sample = forms.IntegerField(
        required=False,
        min_value=1,
        label=gettext_lazy("Sample (optional)"),
        help_text=gettext_lazy("Number of items or tuples, drawn at random. Empty: all of the round."),
    )
    temperature = forms.FloatField(
        required=False,
        min_value=0,
        max_value=HOTTEST,
        initial=0,
        label=gettext_lazy("Temperature (optional)"),
        help_text=gettext_lazy("From 0 to 2. Empty: not sent, for models that do not accept one."),
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        label=gettext_lazy("Random seed"),
        help_text=gettext_lazy("For the order of the items, and sent to the server."),
    )
    max_tokens = forms.IntegerField(
        min_value=1,
        max_value=100_000,
        initial=ANSWER_TOKENS,
        label=gettext_lazy("Maximum tokens per answer"),
        help_text=gettext_lazy("Models that reason before they answer need several thousand."),
    )
    token_limit = forms.ChoiceField(
        choices=Machine.TokenLimit.choices,
        label=gettext_lazy("Parameter for this maximum"),
        help_text=gettext_lazy("OpenAI’s reasoning models need max_completion_tokens."),
    )
    per_minute = forms.IntegerField(
        min_value=1,
        max_value=MOST_A_MINUTE,
        initial=A_MINUTE,
        label=gettext_lazy("Maximum requests per minute"),
        help_text=gettext_lazy("Requests are sent one after the other."),
    )
    epsilon = forms.FloatField(
        min_value=0,
        max_value=1,
        initial=EPSILON,
        label=gettext_lazy("Epsilon of the alternative annotator test"),
        help_text=gettext_lazy(
            "0.2 if your annotators are experts, 0.15 if they are trained, 0.1 if they are crowd workers."
        ),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rounds = [one for one in project.protocol.rounds if not one.design.selects]
        self.fields["round"].choices = [(one.key, f"{one.key}: {one.title}") for one in rounds]
        self.fields["seed"].initial = project.seed


class BudgetForm(forms.Form):
    """The budget and the key of a model; nothing else can be changed."""

    learn_more = {"budget": "machines#cost-and-budget"}
    budget = _budget()
    api_key = forms.CharField(
        required=False,
        max_length=500,
        widget=SECRET,
        label=gettext_lazy("New API key (optional)"),
        help_text=gettext_lazy("Leave empty to keep the present one."),
    )
