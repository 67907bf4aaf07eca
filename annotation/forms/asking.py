"""Questions about the person: put by a manager, answered by whoever likes to."""

from typing import Any

from django import forms
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.asking import require_choices
from annotation.domain.errors import Refusal
from annotation.models import PersonalAnswer, Question, QuestionKind

KINDS = [
    (QuestionKind.TEXT, gettext_lazy("A few words")),
    (QuestionKind.NUMBER, gettext_lazy("A whole number")),
    (QuestionKind.CHOICE, gettext_lazy("One of several answers")),
    (QuestionKind.COUNTRY, gettext_lazy("A country")),
    (QuestionKind.LANGUAGE, gettext_lazy("A language")),
]


class QuestionForm(forms.ModelForm):
    """A question about the person; the answers to choose from one on each line."""

    answers = forms.CharField(
        required=False,
        max_length=10_000,
        label=gettext_lazy("Answers to choose from"),
        help_text=gettext_lazy("One on each line; only for a question with a choice of answers."),
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    class Meta:
        model = Question
        fields = ("text", "kind", "help", "published")
        labels = {
            "text": gettext_lazy("Question"),
            "kind": gettext_lazy("Answered by"),
            "help": gettext_lazy("Explanation"),
            "published": gettext_lazy("Researchers of this project may see the answers"),
        }
        help_texts = {
            "help": gettext_lazy("Why you ask, for instance; may be empty."),
            "published": gettext_lazy("Otherwise only owners and managers of this project see them."),
        }
        widgets = {"kind": forms.Select(choices=KINDS)}

    field_order = ("text", "kind", "answers", "help", "published")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["answers"].initial = "\n".join(self.instance.choices)

    def clean(self) -> dict:
        given = super().clean()
        lines = [line.strip() for line in given.get("answers", "").splitlines() if line.strip()]
        self.instance.choices = lines if given.get("kind") == QuestionKind.CHOICE else []
        try:
            require_choices(given.get("kind", ""), self.instance.choices)
        except Refusal as refusal:
            self.add_error("answers", str(refusal))
        return given


class AboutYouForm(forms.Form):
    """What a person tells about themselves; nothing of it is required."""

    def __init__(self, *args: Any, questions: list[Question], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions = questions
        for question in questions:
            field = ANSWERED_BY[QuestionKind(question.kind)](question)
            # The template prints help texts as HTML, for those that Django writes itself; this one is a person's.
            field.required, field.label, field.help_text = False, question.text, escape(question.help)
            self.fields[f"question-{question.pk}"] = field

    def answers(self) -> dict[int, str]:
        """By the id of the question; what was skipped is empty."""
        given = {question.pk: self.cleaned_data[f"question-{question.pk}"] for question in self.questions}
        return {pk: "" if answer is None else str(answer) for pk, answer in given.items()}


def _words(autocomplete: str = "off") -> forms.Field:
    longest = PersonalAnswer._meta.get_field("text").max_length
    return forms.CharField(max_length=longest, widget=forms.TextInput(attrs={"autocomplete": autocomplete}))


def _choice(question: Question) -> forms.Field:
    choices = [("", _("I would rather not say")), *((one, one) for one in question.choices)]
    return forms.ChoiceField(choices=choices)


ANSWERED_BY = {
    QuestionKind.TEXT: lambda question: _words(),
    QuestionKind.NUMBER: lambda question: forms.IntegerField(min_value=0, max_value=1_000_000),
    QuestionKind.CHOICE: _choice,
    QuestionKind.COUNTRY: lambda question: _words("country-name"),
    QuestionKind.LANGUAGE: lambda question: _words("language"),
}
