"""Texts: incidents split into sentences, and the items that are judged."""

from django.db import models
from django.db.models import Q

from annotation.models.project import Project

EARLIER_VALUE = "earlier_value"
"""The further column of a file with the values of its pairs from before the collection."""


class Incident(models.Model):
    """An event with one summary and several reports (Czech News 3)."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="incidents")
    key = models.CharField(max_length=200)
    title = models.TextField(blank=True)
    language = models.CharField(max_length=35, blank=True)
    extra = models.JSONField(default=dict)
    participation = models.ForeignKey(
        "annotation.Participation", models.SET_NULL, null=True, blank=True, related_name="incidents"
    )
    """Whose it is in the selection round: one incident, one person."""
    item_import = models.ForeignKey(
        "annotation.ItemImport", models.SET_NULL, null=True, blank=True, related_name="incidents"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="one_incident_a_key")]

    def __str__(self) -> str:
        return self.title or self.key


class DocumentKind(models.TextChoices):
    SUMMARY = "summary"
    REPORT = "report"


class Document(models.Model):
    """The summary or a report of an incident."""

    incident = models.ForeignKey(Incident, models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=10, choices=DocumentKind)
    key = models.CharField(max_length=200)
    title = models.TextField(blank=True)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["incident", "position"]
        constraints = [models.UniqueConstraint(fields=["incident", "position"], name="one_document_a_position")]

    def __str__(self) -> str:
        return self.title or self.key


class Sentence(models.Model):
    document = models.ForeignKey(Document, models.CASCADE, related_name="sentences")
    position = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["document", "position"]
        constraints = [models.UniqueConstraint(fields=["document", "position"], name="one_sentence_a_position")]

    def __str__(self) -> str:
        return self.text


class Group(models.Model):
    """Items that are only compared with each other: utterances after the last turn of one dialogue (GiCCS)."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="groups")
    key = models.CharField(max_length=200)
    position = models.PositiveIntegerField(help_text="Order of the file.")
    domain = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=35, blank=True)
    turns = models.JSONField(default=list, help_text="Of the dialogue: objects with speaker and text, in order.")
    extra = models.JSONField(default=dict)
    item_import = models.ForeignKey(
        "annotation.ItemImport", models.SET_NULL, null=True, blank=True, related_name="groups"
    )

    class Meta:
        ordering = ["project", "position"]
        constraints = [models.UniqueConstraint(fields=["project", "key"], name="one_group_a_key")]

    def __str__(self) -> str:
        return self.key


LABEL_NAMES = {True: "similar", False: "dissimilar", None: ""}
"""The words for a known label in files and in the log."""


class Item(models.Model):
    """A judged item: a pair of texts, an utterance with its dialogue's last turn, or a single text.

    A single text is `sentence1`; its `sentence2` is empty.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="items")
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="items")
    key = models.CharField(max_length=250)
    position = models.PositiveIntegerField(help_text="Order of the file, or of selection.")
    sentence1 = models.TextField()
    sentence2 = models.TextField()
    context1 = models.TextField(blank=True, help_text="The first sentence in <sent></sent>, with what surrounds it.")
    context2 = models.TextField(blank=True)
    language = models.CharField(max_length=35, blank=True)
    gold = models.BooleanField(null=True, blank=True, help_text="Known to be similar, or dissimilar.")
    calibration_order = models.PositiveIntegerField(null=True, blank=True)
    source = models.TextField(blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True, help_text="Not shown, and in no score, since then.")
    extra = models.JSONField(default=dict)
    summary_sentence = models.ForeignKey(Sentence, models.PROTECT, null=True, blank=True, related_name="+")
    report_sentence = models.ForeignKey(Sentence, models.PROTECT, null=True, blank=True, related_name="+")
    item_import = models.ForeignKey(
        "annotation.ItemImport", models.SET_NULL, null=True, blank=True, related_name="items"
    )
    """The file that it came in, if it was imported on the pages."""

    class Meta:
        ordering = ["project", "position"]
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="one_item_a_key"),
            models.UniqueConstraint(
                fields=["summary_sentence", "report_sentence"],
                condition=Q(summary_sentence__isnull=False),
                name="one_item_a_pair_of_sentences",
            ),
            models.UniqueConstraint(
                fields=["project", "calibration_order"],
                condition=Q(calibration_order__isnull=False),
                name="one_item_a_calibration_place",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "position"], name="items_in_order"),
            models.Index(
                fields=["project", "position"], condition=Q(gold__isnull=False), name="items_with_a_known_label"
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def texts(self) -> list[str]:
        """Return the two texts of a pair, or the single text."""
        return [text for text in (self.sentence1, self.sentence2) if text]

    @property
    def earlier_value(self) -> float | None:
        """Return the value that a pair shown in context had before the collection, from its file; None without one."""
        value = self.extra.get(EARLIER_VALUE)
        return value if isinstance(value, int | float) else None


class ItemFigures(models.Model):
    """The figures of an item in a round and context when the project's statistics were last computed."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="+", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="figures", db_index=False)
    round = models.CharField(max_length=20)
    context = models.CharField(max_length=10)
    wanted = models.PositiveIntegerField(default=0, help_text="Answers planned, of people whose answers count.")
    answers = models.PositiveIntegerField(default=0, help_text="Answers that count.")
    value = models.FloatField(null=True, blank=True, help_text="Mean of the ratings, or score of the choices.")
    deviation = models.FloatField(null=True, blank=True, help_text="Sample standard deviation.")
    low = models.FloatField(null=True, blank=True, help_text="95 % confidence interval of the value.")
    high = models.FloatField(null=True, blank=True)
    disputed = models.BooleanField(default=False, help_text="Among the items on which people disagree most.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "round", "context"], name="figures_once_an_item_and_context")
        ]
        indexes = [models.Index(fields=["project", "round", "context"], name="item_figures_of_a_part")]

    def __str__(self) -> str:
        return f"{self.item_id} in {self.round}, {self.context}"
