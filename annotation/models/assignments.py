"""Participations in a round, and the screens that participants are to answer."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.models.items import Item, Sentence
from annotation.models.people import Annotator
from annotation.models.project import Project
from annotation.models.tuples import PooledItem, Tuple
from annotation.protocols.spec import Design
from annotation.protocols.terms import BlockKind, Context


class State(models.TextChoices):
    INVITED = "invited", _("Not started")
    ACTIVE = "active", _("In progress")
    RESTING = "resting", _("Resting")
    FINISHED = "finished", _("Finished")
    EXCLUDED = "excluded", _("Excluded")
    LEFT = "left", _("Left")


class Participation(models.Model):
    """One person in one round; without an annotator it is a free place."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="participations")
    round = models.CharField(max_length=20)
    seat = models.PositiveIntegerField(help_text="Counts from 1 in the round.")
    pool = models.CharField(max_length=20, blank=True)
    annotator = models.ForeignKey(Annotator, models.PROTECT, null=True, blank=True, related_name="participations")
    state = models.CharField(max_length=10, choices=State, default=State.INVITED)
    reason = models.TextField(blank=True, help_text="Why excluded, or why they left.")
    ended_from = models.CharField(
        max_length=10, choices=State, blank=True, help_text="Of who is excluded or left: the state before."
    )
    reassigned = models.BooleanField(default=False, help_text="Of who left: a manager gave the place to somebody else.")
    passed_on = models.BooleanField(
        default=False,
        help_text="Of who left: pairs that they did not rate in every session are rated again by their replacement.",
    )
    validates = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="validators", help_text="Whose selections."
    )
    replaces = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="refills", related_query_name="refill"
    )
    invited_at = models.DateTimeField(null=True, blank=True, help_text="When they were notified, or came on their own.")
    most = models.PositiveIntegerField(
        null=True, blank=True, help_text="In an open round: the maximum number of tuples or items; empty for no limit."
    )
    consented_at = models.DateTimeField(null=True, blank=True)
    consent_version = models.PositiveIntegerField(
        null=True, blank=True, help_text="The number of the `ConsentText` that they agreed to; empty if none was kept."
    )
    asking = models.BooleanField(default=False, help_text="Questions about the person come before anything else.")
    practising = models.BooleanField(default=False, help_text="Practice or a check comes before the work.")
    rest_until = models.DateTimeField(null=True, blank=True, help_text="End of the pause after the last session.")
    rest_shortened = models.BooleanField(default=False)
    reminded_at = models.DateTimeField(null=True, blank=True)
    stopped_reminded_at = models.DateTimeField(
        null=True, blank=True, help_text="When they were reminded because they had not answered for some days."
    )
    due_at = models.DateTimeField(null=True, blank=True, help_text="The day by which the round is to be finished.")
    due_closes = models.BooleanField(default=False, help_text="Whether no new screen is shown after that day.")
    due_reminded_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    screened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["project", "round", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["project", "round", "seat"], name="one_participation_a_seat"),
            models.UniqueConstraint(
                fields=["annotator", "round"],
                condition=Q(annotator__isnull=False),
                name="one_participation_a_person_and_round",
            ),
            models.CheckConstraint(
                condition=Q(annotator__isnull=False) | Q(state__in=["invited", "excluded", "left"]),
                name="only_people_work",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["excluded", "left"]) | ~Q(reason=""), name="an_end_has_a_reason"
            ),
            models.CheckConstraint(
                condition=~Q(state="finished") | Q(finished_at__isnull=False), name="finished_has_a_time"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "round", "state"], name="participations_by_state"),
            models.Index(fields=["rest_until"], condition=Q(state="resting"), name="participations_resting"),
            models.Index(
                fields=["due_at"], condition=Q(due_at__isnull=False, due_reminded_at__isnull=True), name="due_to_remind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round} place {self.seat}"

    @property
    def design(self) -> Design:
        """Return the design of the round, from the project's copy of the protocol."""
        return self.project.round(self.round).design

    @property
    def refill(self) -> "Participation | None":
        """Return the last place that was made to replace this one; there are two after leaving and then exclusion."""
        return self.refills.order_by("pk").last()


class Assignment(models.Model):
    """One screen for one participant to answer."""

    participation = models.ForeignKey(Participation, models.CASCADE, related_name="assignments")
    session = models.PositiveSmallIntegerField()
    context = models.CharField(max_length=10, choices=[(context.value, context.value) for context in Context])
    block = models.CharField(max_length=12, choices=[(block.value, block.value) for block in BlockKind])
    position = models.PositiveIntegerField(help_text="Counts from 1 in the session.")
    item = models.ForeignKey(Item, models.PROTECT, null=True, blank=True, related_name="assignments")
    sentence = models.ForeignKey(
        Sentence, models.PROTECT, null=True, blank=True, related_name="assignments", help_text="S of a selection."
    )
    tuple = models.ForeignKey(Tuple, models.PROTECT, null=True, blank=True, related_name="assignments")
    pooled = models.ForeignKey(
        PooledItem,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="assignments",
        db_index=False,
        help_text="The entry of the item in the pool that it was taken from, in an open round of ratings.",
    )
    order = models.CharField(
        max_length=8, blank=True, help_text="Of a tuple: which of its places is shown first, second and so on; digits."
    )
    lent_until = models.DateTimeField(
        null=True, blank=True, help_text="Of a screen of an open round: after this it may be passed on, if unanswered."
    )
    lapsed_at = models.DateTimeField(
        null=True, blank=True, help_text="When it went back to the pool or was withdrawn, unanswered."
    )
    shown_at = models.DateTimeField(null=True, blank=True, help_text="First shown, server time.")
    answered_at = models.DateTimeField(null=True, blank=True, help_text="First answered, server time.")
    tally = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="Of the present screen: how far its person was when it was shown.",
    )

    class Meta:
        ordering = ["participation", "session", "position"]
        constraints = [
            models.UniqueConstraint(fields=["participation", "session", "position"], name="one_screen_a_position"),
            models.UniqueConstraint(
                fields=["participation", "session", "item", "block"],
                condition=Q(item__isnull=False),
                name="an_item_once_a_block",
            ),
            models.UniqueConstraint(
                fields=["participation", "session", "sentence"],
                condition=Q(sentence__isnull=False),
                name="a_sentence_once_a_session",
            ),
            models.UniqueConstraint(
                fields=["participation", "session", "tuple"],
                condition=Q(tuple__isnull=False),
                name="a_tuple_once_a_session",
            ),
            models.CheckConstraint(
                condition=Q(item__isnull=False, sentence__isnull=True, tuple__isnull=True)
                | Q(item__isnull=True, sentence__isnull=False, tuple__isnull=True)
                | Q(item__isnull=True, sentence__isnull=True, tuple__isnull=False),
                name="an_item_a_sentence_or_a_tuple",
            ),
            models.CheckConstraint(
                condition=Q(lapsed_at__isnull=True) | Q(answered_at__isnull=True), name="only_unanswered_screens_lapse"
            ),
            models.CheckConstraint(condition=Q(tuple__isnull=True) | ~Q(order=""), name="a_tuple_has_an_order"),
            models.CheckConstraint(
                condition=Q(pooled__isnull=True) | Q(item__isnull=False), name="a_pooled_screen_has_an_item"
            ),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True) | Q(shown_at__isnull=True) | Q(answered_at__gte=F("shown_at")),
                name="shown_before_answered",
            ),
        ]
        indexes = [
            models.Index(
                fields=["tuple", "lent_until"],
                condition=Q(lent_until__isnull=False, answered_at__isnull=True, lapsed_at__isnull=True),
                name="tuples_lent",
            ),
            models.Index(fields=["pooled"], condition=Q(pooled__isnull=False), name="pooled_screens"),
            models.Index(
                fields=["participation", "session", "position"],
                condition=Q(answered_at__isnull=True, lapsed_at__isnull=True),
                name="open_screens",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participation}, session {self.session}, screen {self.position}"
