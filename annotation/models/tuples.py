"""Best-worst tuples: which items are compared with each other, and by how many people."""

from django.db import models
from django.db.models import F, Q

from annotation.models.items import Item
from annotation.models.project import Project


class Tuple(models.Model):
    """Items shown together for one best-worst choice."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="tuples")
    round = models.CharField(max_length=20)
    position = models.PositiveIntegerField(help_text="Counts from 1 in the round, in the order of the design.")
    items = models.ManyToManyField(Item, through="TuplePlace", related_name="tuples")
    planned = models.PositiveSmallIntegerField(help_text="Answers wanted, each by another person.")
    given = models.PositiveSmallIntegerField(
        default=0, help_text="Of these, how many are given or out with somebody; never more than planned."
    )
    rank = models.PositiveIntegerField(default=0, help_text="Among tuples with as few answers, drawn anew each time.")

    class Meta:
        ordering = ["project", "round", "position"]
        constraints = [
            models.UniqueConstraint(fields=["project", "round", "position"], name="one_tuple_a_position"),
            models.CheckConstraint(condition=Q(given__lte=F("planned")), name="no_more_answers_than_planned"),
        ]
        indexes = [
            models.Index(
                fields=["project", "round", "given", "rank"],
                condition=Q(given__lt=F("planned")),
                name="tuples_to_give",
            ),
        ]

    def __str__(self) -> str:
        return f"tuple {self.position}"


class TuplePlace(models.Model):
    """One item of a tuple."""

    tuple = models.ForeignKey(Tuple, models.CASCADE, related_name="places")
    item = models.ForeignKey(Item, models.PROTECT, related_name="places")
    position = models.PositiveSmallIntegerField(help_text="Counts from 1, as designed.")
    again = models.BooleanField(
        default=False, help_text="The item has a place before this one: only of judgments brought in as they stand."
    )

    class Meta:
        ordering = ["tuple", "position"]
        constraints = [
            models.UniqueConstraint(fields=["tuple", "position"], name="one_item_a_place"),
            models.UniqueConstraint(fields=["tuple", "item"], condition=Q(again=False), name="an_item_once_a_tuple"),
        ]

    def __str__(self) -> str:
        return f"{self.item} in {self.tuple}"
