"""What the people of a round judge together: best-worst tuples, and the pooled items of an open round of ratings."""

from django.db import models
from django.db.models import F, Q

from annotation.models.items import Item
from annotation.models.project import Project


class PoolEntry(models.Model):
    """A tuple or an item that several people judge, with the number of its answers."""

    round = models.CharField(max_length=20)
    position = models.PositiveIntegerField(help_text="Counts from 1 in the round, in the order of the design.")
    planned = models.PositiveSmallIntegerField(help_text="Answers wanted, each by another person.")
    given = models.PositiveSmallIntegerField(
        default=0, help_text="Of these, how many are given or out with somebody; never more than planned."
    )
    rank = models.PositiveIntegerField(
        default=0, help_text="Order among tuples with equally few answers; drawn again each time."
    )

    class Meta:
        abstract = True


class Tuple(PoolEntry):
    """Items shown together for one best-worst choice."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="tuples")
    items = models.ManyToManyField(Item, through="TuplePlace", related_name="tuples")
    wave = models.PositiveIntegerField(
        null=True, blank=True, help_text="The adaptive wave that it was chosen for; null if it is of the first design."
    )

    class Meta:
        ordering = ["project", "round", "position"]
        constraints = [
            models.UniqueConstraint(fields=["project", "round", "position"], name="one_tuple_a_position"),
            models.CheckConstraint(condition=Q(given__lte=F("planned")), name="no_more_answers_than_planned"),
        ]
        indexes = [
            models.Index(
                fields=["project", "round", "given", "rank"], condition=Q(given__lt=F("planned")), name="tuples_to_give"
            )
        ]

    def __str__(self) -> str:
        return f"tuple {self.position}"


class PooledItem(PoolEntry):
    """An item in the common pool of an open round of ratings, for one group of raters."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="pooled_items")
    pool = models.CharField(max_length=20, blank=True, help_text="The group of raters, as of their places.")
    item = models.ForeignKey(Item, models.PROTECT, related_name="pooled")

    class Meta:
        ordering = ["project", "round", "pool", "position"]
        constraints = [
            models.UniqueConstraint(fields=["project", "round", "pool", "item"], name="an_item_once_a_pool"),
            models.CheckConstraint(condition=Q(given__lte=F("planned")), name="no_more_ratings_than_planned"),
        ]
        indexes = [
            models.Index(
                fields=["project", "round", "pool", "given", "rank"],
                condition=Q(given__lt=F("planned")),
                name="pooled_items_to_give",
            )
        ]

    def __str__(self) -> str:
        return f"{self.item} in the pool of {self.round}"


class TuplePlace(models.Model):
    """One item of a tuple."""

    tuple = models.ForeignKey(Tuple, models.CASCADE, related_name="places")
    item = models.ForeignKey(Item, models.PROTECT, related_name="places")
    position = models.PositiveSmallIntegerField(help_text="Counts from 1, as designed.")
    again = models.BooleanField(
        default=False, help_text="The item already has a place in the tuple; only for imported judgments."
    )

    class Meta:
        ordering = ["tuple", "position"]
        constraints = [
            models.UniqueConstraint(fields=["tuple", "position"], name="one_item_a_place"),
            models.UniqueConstraint(fields=["tuple", "item"], condition=Q(again=False), name="an_item_once_a_tuple"),
        ]

    def __str__(self) -> str:
        return f"{self.item} in {self.tuple}"
