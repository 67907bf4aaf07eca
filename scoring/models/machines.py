"""Models that answer as annotators do. Each is an arm of its round, and its answers are kept apart from people's."""

from decimal import Decimal

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotation.encryption import EncryptedText
from annotation.models import Item, Project, Tuple, User
from annotation.models.jobs import Job
from annotation.protocols.spec import Round
from annotation.protocols.terms import Context
from scoring.stats.alternative import EPSILON

MILLION = 1_000_000
HOTTEST, MOST_REPEATS, MOST_A_MINUTE = 2, 20, 6000
"""The greatest temperature, and the most repeats and requests per minute."""
REPEATS, ANSWER_TOKENS, A_MINUTE = 1, 200, 60
"""What a model gets where nothing is set: repeats, tokens of an answer, and requests per minute."""
PRICE = {"max_digits": 12, "decimal_places": 4, "default": Decimal(0), "validators": [MinValueValidator(Decimal(0))]}


class Machine(models.Model):
    """A model as one arm of a round. Nothing that changes its answers can be changed after it was added."""

    class TokenLimit(models.TextChoices):
        TOKENS = "max_tokens", "max_tokens"
        COMPLETION_TOKENS = "max_completion_tokens", "max_completion_tokens"

    project = models.ForeignKey(Project, models.CASCADE, related_name="machines")
    round = models.CharField(max_length=20)
    name = models.CharField(max_length=100, help_text="Name of the arm, unique in the project.")
    url = models.URLField(max_length=500, help_text="Base address of the API, such as https://api.openai.com/v1.")
    api_key = EncryptedText(blank=True)
    model = models.CharField(max_length=200, help_text="The model's name, as the server knows it.")
    version = models.CharField(max_length=200, blank=True, help_text="Version or weights, as its owner names it.")
    temperature = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(HOTTEST)],
        help_text="Empty: not sent.",
    )
    seed = models.PositiveBigIntegerField(help_text="Of the order, and sent to the server with each repeat added.")
    max_tokens = models.PositiveIntegerField(default=ANSWER_TOKENS, validators=[MinValueValidator(1)])
    token_limit = models.CharField(max_length=25, choices=TokenLimit, default=TokenLimit.TOKENS)
    price_prompt = models.DecimalField(**PRICE, help_text="For a million tokens that are sent.")
    price_answer = models.DecimalField(**PRICE, help_text="For a million tokens that are answered.")
    budget = models.DecimalField(
        max_digits=12, decimal_places=2, null=True, blank=True, validators=[MinValueValidator(Decimal(0))]
    )
    repeats = models.PositiveSmallIntegerField(
        default=REPEATS, validators=[MinValueValidator(1), MaxValueValidator(MOST_REPEATS)]
    )
    reverses = models.BooleanField(
        default=False, help_text="Whether it also rates every pair with the two texts in the other order."
    )
    sample = models.PositiveIntegerField(null=True, blank=True, help_text="Items or tuples, drawn by seed; empty: all.")
    epsilon = models.FloatField(
        default=EPSILON,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text="The bonus of the model in the alternative annotator test.",
    )
    per_minute = models.PositiveIntegerField(
        default=A_MINUTE, validators=[MinValueValidator(1), MaxValueValidator(MOST_A_MINUTE)]
    )
    instructions = models.TextField(blank=True, help_text="The system prompt, as it was at the first start.")
    started_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["project", "pk"]
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="one_machine_a_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def asked(self) -> Round:
        """Return the round in which the model answers, from the project's copy of the protocol."""
        return self.project.round(self.round)

    @property
    def passes(self) -> list[tuple[int, bool]]:
        """Return each time that it answers everything: the number of the repeat, and whether pairs are reversed."""
        straight = [(repeat, False) for repeat in range(1, self.repeats + 1)]
        return [*straight, (1, True)] if self.reverses else straight

    def cost_of(self, prompt_tokens: int, answer_tokens: int) -> Decimal:
        """Return the price of that many tokens, rounded to a millionth."""
        whole = self.price_prompt * prompt_tokens + self.price_answer * answer_tokens
        return (whole / MILLION).quantize(Decimal("0.000001"))


class MachineRun(Job):
    """The work of a model; a further start queues it again, and it continues with the screens left open."""

    machine = models.OneToOneField(Machine, models.CASCADE, related_name="run")

    class Meta(Job.Meta):
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"work of {self.machine}"


class MachineScreen(models.Model):
    """One screen for a model to answer, as an `Assignment` is one for a person; it takes no place of the plan."""

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        ANSWERED = "answered", _("Answered")
        GIVEN_UP = "given up", _("No valid answer")

    machine = models.ForeignKey(Machine, models.CASCADE, related_name="screens")
    repeat = models.PositiveSmallIntegerField(help_text="Counts from 1.")
    reversed = models.BooleanField(default=False, help_text="The second text of the pair is shown first.")
    session = models.PositiveSmallIntegerField()
    context = models.CharField(max_length=10, choices=[(context.value, context.value) for context in Context])
    position = models.PositiveIntegerField(help_text="Counts from 1 in the repeat and session.")
    item = models.ForeignKey(Item, models.CASCADE, null=True, blank=True, related_name="+")
    tuple = models.ForeignKey(Tuple, models.CASCADE, null=True, blank=True, related_name="+")
    order = models.CharField(max_length=8, blank=True, help_text="Of a tuple: its places in the order shown; digits.")
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)

    class Meta:
        ordering = ["machine", "repeat", "reversed", "session", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["machine", "repeat", "reversed", "session", "position"], name="one_machine_screen_a_position"
            ),
            models.CheckConstraint(
                condition=Q(item__isnull=False, tuple__isnull=True) | Q(item__isnull=True, tuple__isnull=False),
                name="a_machine_screen_has_an_item_or_a_tuple",
            ),
        ]
        indexes = [
            models.Index(
                fields=["machine", "repeat", "reversed", "session", "position"],
                condition=Q(state="open"),
                name="open_machine_screens",
            )
        ]

    def __str__(self) -> str:
        return f"screen {self.position} of {self.machine}"


class MachineAnswer(models.Model):
    """One answer of a model as it came, valid or not, with what was sent and what it cost. Rows are only added."""

    screen = models.ForeignKey(MachineScreen, models.CASCADE, related_name="answers")
    attempt = models.PositiveSmallIntegerField(help_text="Counts from 1 on the screen.")
    value = models.FloatField(null=True, blank=True)
    best = models.ForeignKey(Item, models.CASCADE, null=True, blank=True, related_name="+")
    worst = models.ForeignKey(Item, models.CASCADE, null=True, blank=True, related_name="+")
    problem = models.TextField(blank=True, help_text="Why it is not valid; empty for a valid answer.")
    prompt = models.TextField(help_text="The user message.")
    raw = models.TextField(blank=True, help_text="The text of the answer.")
    seed = models.PositiveBigIntegerField(help_text="As it was sent.")
    reported_model = models.CharField(max_length=200, blank=True, help_text="The model, as the server reports it.")
    fingerprint = models.CharField(max_length=200, blank=True, help_text="The `system_fingerprint` of the server.")
    prompt_tokens = models.PositiveIntegerField()
    answer_tokens = models.PositiveIntegerField()
    estimated = models.BooleanField(default=False, help_text="The server reported no usage: tokens are estimated.")
    cost = models.DecimalField(max_digits=14, decimal_places=6)
    milliseconds = models.PositiveIntegerField()
    answered_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["screen", "attempt"], name="one_machine_answer_an_attempt"),
            models.UniqueConstraint(fields=["screen"], condition=Q(problem=""), name="one_valid_answer_a_screen"),
            models.CheckConstraint(
                condition=~Q(problem="")
                | Q(value__isnull=False, best__isnull=True, worst__isnull=True)
                | Q(value__isnull=True, best__isnull=False, worst__isnull=False),
                name="a_valid_answer_is_a_rating_or_a_choice",
            ),
        ]

    def __str__(self) -> str:
        return f"answer {self.attempt} to {self.screen}"
