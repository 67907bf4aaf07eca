import annotation.encryption
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import scoring.models.notifications
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models

from annotation.migrations._tables import CreateTables


class Migration(migrations.Migration):
    replaces = [
        ("scoring", "0001_initial"),
        ("scoring", "0002_baselines_and_tests"),
        ("scoring", "0003_rehearsals"),
        ("scoring", "0004_runs_count_what_they_read"),
        ("scoring", "0005_drawings"),
        ("scoring", "0006_watching"),
        ("scoring", "0007_field_terms"),
        ("scoring", "0008_jobs"),
        ("scoring", "0009_false_alarms"),
        ("scoring", "0010_seeds_of_models"),
        ("scoring", "0011_encrypted_webhook_secrets"),
        ("scoring", "0012_notifications"),
        ("scoring", "0013_words"),
        ("scoring", "0015_event_of_waves"),
        ("scoring", "0017_machines"),
        ("scoring", "0019_distributions_of_models"),
        ("scoring", "0020_registration"),
    ]

    initial = True

    dependencies = [
        ("annotation", "0001_squashed_0051"),
    ]

    operations = [
        CreateTables(
            [
                migrations.CreateModel(
                    name="Machine",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.CharField(max_length=20)),
                        ("name", models.CharField(help_text="Name of the arm, unique in the project.", max_length=100)),
                        (
                            "url",
                            models.URLField(
                                help_text="Base address of the API, such as https://api.openai.com/v1.", max_length=500
                            ),
                        ),
                        ("api_key", annotation.encryption.EncryptedText(blank=True)),
                        (
                            "model",
                            models.CharField(help_text="The model's name, as the server knows it.", max_length=200),
                        ),
                        (
                            "version",
                            models.CharField(
                                blank=True, help_text="Version or weights, as its owner names it.", max_length=200
                            ),
                        ),
                        (
                            "temperature",
                            models.FloatField(
                                blank=True,
                                help_text="Empty: not sent.",
                                null=True,
                                validators=[
                                    django.core.validators.MinValueValidator(0),
                                    django.core.validators.MaxValueValidator(2),
                                ],
                            ),
                        ),
                        (
                            "seed",
                            models.PositiveBigIntegerField(
                                help_text="Of the order, and sent to the server with each repeat added."
                            ),
                        ),
                        (
                            "max_tokens",
                            models.PositiveIntegerField(
                                default=200, validators=[django.core.validators.MinValueValidator(1)]
                            ),
                        ),
                        (
                            "token_limit",
                            models.CharField(
                                choices=[
                                    ("max_tokens", "max_tokens"),
                                    ("max_completion_tokens", "max_completion_tokens"),
                                ],
                                default="max_tokens",
                                max_length=25,
                            ),
                        ),
                        (
                            "price_prompt",
                            models.DecimalField(
                                decimal_places=4,
                                default=Decimal("0"),
                                help_text="For a million tokens that are sent.",
                                max_digits=12,
                                validators=[django.core.validators.MinValueValidator(Decimal("0"))],
                            ),
                        ),
                        (
                            "price_answer",
                            models.DecimalField(
                                decimal_places=4,
                                default=Decimal("0"),
                                help_text="For a million tokens that are answered.",
                                max_digits=12,
                                validators=[django.core.validators.MinValueValidator(Decimal("0"))],
                            ),
                        ),
                        (
                            "budget",
                            models.DecimalField(
                                blank=True,
                                decimal_places=2,
                                max_digits=12,
                                null=True,
                                validators=[django.core.validators.MinValueValidator(Decimal("0"))],
                            ),
                        ),
                        (
                            "repeats",
                            models.PositiveSmallIntegerField(
                                default=1,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(20),
                                ],
                            ),
                        ),
                        (
                            "reverses",
                            models.BooleanField(
                                default=False,
                                help_text="Whether it also rates every pair with the two texts in the other order.",
                            ),
                        ),
                        (
                            "sample",
                            models.PositiveIntegerField(
                                blank=True, help_text="Items or tuples, drawn by seed; empty: all.", null=True
                            ),
                        ),
                        (
                            "epsilon",
                            models.FloatField(
                                default=0.15,
                                help_text="The bonus of the model in the alternative annotator test.",
                                validators=[
                                    django.core.validators.MinValueValidator(0),
                                    django.core.validators.MaxValueValidator(1),
                                ],
                            ),
                        ),
                        (
                            "per_minute",
                            models.PositiveIntegerField(
                                default=60,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(6000),
                                ],
                            ),
                        ),
                        (
                            "instructions",
                            models.TextField(blank=True, help_text="The system prompt, as it was at the first start."),
                        ),
                        ("started_at", models.DateTimeField(blank=True, null=True)),
                        ("created_at", models.DateTimeField()),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="machines",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "pk"],
                        "constraints": [models.UniqueConstraint(fields=("project", "name"), name="one_machine_a_name")],
                    },
                ),
                migrations.CreateModel(
                    name="MachineRun",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "Queued"),
                                    ("running", "Running"),
                                    ("asking", "Needs an answer"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                    ("uncertain", "Uncertain"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0, help_text="Number of the latest attempt.")),
                        (
                            "attempts_before",
                            models.PositiveIntegerField(
                                default=0,
                                help_text="Attempts made before it was queued again; they do not count towards the limit.",
                            ),
                        ),
                        (
                            "heartbeat_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Last sign of the worker, or when it was last sent to one.",
                                null=True,
                            ),
                        ),
                        (
                            "not_before",
                            models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True),
                        ),
                        ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                        ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                        ("total", models.PositiveIntegerField(default=0)),
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it failed, or why it will be tried again."),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "machine",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="run", to="scoring.machine"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="machinerun_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="machinerun_by_time"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MachineScreen",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("repeat", models.PositiveSmallIntegerField(help_text="Counts from 1.")),
                        (
                            "reversed",
                            models.BooleanField(default=False, help_text="The second text of the pair is shown first."),
                        ),
                        ("session", models.PositiveSmallIntegerField()),
                        (
                            "context",
                            models.CharField(choices=[("free", "free"), ("dependent", "dependent")], max_length=10),
                        ),
                        ("position", models.PositiveIntegerField(help_text="Counts from 1 in the repeat and session.")),
                        (
                            "order",
                            models.CharField(
                                blank=True, help_text="Of a tuple: its places in the order shown; digits.", max_length=8
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[("open", "Open"), ("answered", "Answered"), ("given up", "No valid answer")],
                                default="open",
                                max_length=8,
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="annotation.item",
                            ),
                        ),
                        (
                            "machine",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="screens",
                                to="scoring.machine",
                            ),
                        ),
                        (
                            "tuple",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="annotation.tuple",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["machine", "repeat", "reversed", "session", "position"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state", "open")),
                                fields=["machine", "repeat", "reversed", "session", "position"],
                                name="open_machine_screens",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("machine", "repeat", "reversed", "session", "position"),
                                name="one_machine_screen_a_position",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("item__isnull", False), ("tuple__isnull", True)),
                                    models.Q(("item__isnull", True), ("tuple__isnull", False)),
                                    _connector="OR",
                                ),
                                name="a_machine_screen_has_an_item_or_a_tuple",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MachineAnswer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("attempt", models.PositiveSmallIntegerField(help_text="Counts from 1 on the screen.")),
                        ("value", models.FloatField(blank=True, null=True)),
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it is not valid; empty for a valid answer."),
                        ),
                        ("prompt", models.TextField(help_text="The user message.")),
                        ("raw", models.TextField(blank=True, help_text="The text of the answer.")),
                        ("seed", models.PositiveBigIntegerField(help_text="As it was sent.")),
                        (
                            "reported_model",
                            models.CharField(
                                blank=True, help_text="The model, as the server reports it.", max_length=200
                            ),
                        ),
                        (
                            "fingerprint",
                            models.CharField(
                                blank=True, help_text="The `system_fingerprint` of the server.", max_length=200
                            ),
                        ),
                        ("prompt_tokens", models.PositiveIntegerField()),
                        ("answer_tokens", models.PositiveIntegerField()),
                        (
                            "estimated",
                            models.BooleanField(
                                default=False, help_text="The server reported no usage: tokens are estimated."
                            ),
                        ),
                        ("cost", models.DecimalField(decimal_places=6, max_digits=14)),
                        ("milliseconds", models.PositiveIntegerField()),
                        ("answered_at", models.DateTimeField()),
                        (
                            "best",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="annotation.item",
                            ),
                        ),
                        (
                            "worst",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="annotation.item",
                            ),
                        ),
                        (
                            "screen",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="answers",
                                to="scoring.machinescreen",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("screen", "attempt"), name="one_machine_answer_an_attempt"),
                            models.UniqueConstraint(
                                condition=models.Q(("problem", "")),
                                fields=("screen",),
                                name="one_valid_answer_a_screen",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("problem", ""), _negated=True),
                                    models.Q(("best__isnull", True), ("value__isnull", False), ("worst__isnull", True)),
                                    models.Q(
                                        ("best__isnull", False), ("value__isnull", True), ("worst__isnull", False)
                                    ),
                                    _connector="OR",
                                ),
                                name="a_valid_answer_is_a_rating_or_a_choice",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MonitoringOptions",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "pay",
                            models.DecimalField(
                                blank=True,
                                decimal_places=2,
                                max_digits=10,
                                null=True,
                                validators=[django.core.validators.MinValueValidator(Decimal("0"))],
                            ),
                        ),
                        (
                            "pay_for",
                            models.CharField(
                                choices=[("person", "annotator and round"), ("hour", "hour of active time")],
                                default="person",
                                max_length=10,
                            ),
                        ),
                        (
                            "currency",
                            models.CharField(
                                default="EUR",
                                max_length=3,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        "^[A-Z]{3}$", "Three capital letters, for example EUR."
                                    )
                                ],
                            ),
                        ),
                        (
                            "least_pay",
                            models.DecimalField(
                                blank=True,
                                decimal_places=2,
                                max_digits=10,
                                null=True,
                                validators=[django.core.validators.MinValueValidator(Decimal("0"))],
                            ),
                        ),
                        (
                            "budget",
                            models.DecimalField(
                                blank=True,
                                decimal_places=2,
                                max_digits=12,
                                null=True,
                                validators=[django.core.validators.MinValueValidator(Decimal("0.01"))],
                            ),
                        ),
                        (
                            "false_alarms",
                            models.FloatField(
                                default=0.01,
                                validators=[
                                    django.core.validators.MinValueValidator(1e-06),
                                    django.core.validators.MaxValueValidator(0.5),
                                ],
                            ),
                        ),
                        (
                            "least_answers",
                            models.PositiveIntegerField(
                                default=10, validators=[django.core.validators.MinValueValidator(1)]
                            ),
                        ),
                        (
                            "median_seconds",
                            models.FloatField(default=2.0, validators=[django.core.validators.MinValueValidator(0.0)]),
                        ),
                        (
                            "quick_share",
                            models.FloatField(
                                default=0.2,
                                validators=[
                                    django.core.validators.MinValueValidator(0.0),
                                    django.core.validators.MaxValueValidator(1.0),
                                ],
                            ),
                        ),
                        (
                            "longest_run",
                            models.PositiveIntegerField(
                                default=12, validators=[django.core.validators.MinValueValidator(1)]
                            ),
                        ),
                        (
                            "position_share",
                            models.FloatField(
                                default=0.6,
                                validators=[
                                    django.core.validators.MinValueValidator(0.0),
                                    django.core.validators.MaxValueValidator(1.0),
                                ],
                            ),
                        ),
                        (
                            "contradictions",
                            models.FloatField(
                                default=0.8,
                                validators=[
                                    django.core.validators.MinValueValidator(0.0),
                                    django.core.validators.MaxValueValidator(1.0),
                                ],
                            ),
                        ),
                        (
                            "practice_right",
                            models.FloatField(
                                default=0.5,
                                validators=[
                                    django.core.validators.MinValueValidator(0.0),
                                    django.core.validators.MaxValueValidator(1.0),
                                ],
                            ),
                        ),
                        (
                            "calibration_distance",
                            models.FloatField(
                                default=0.25,
                                validators=[
                                    django.core.validators.MinValueValidator(0.0),
                                    django.core.validators.MaxValueValidator(1.0),
                                ],
                            ),
                        ),
                        (
                            "repeat_distance",
                            models.FloatField(
                                default=0.25,
                                validators=[
                                    django.core.validators.MinValueValidator(0.0),
                                    django.core.validators.MaxValueValidator(1.0),
                                ],
                            ),
                        ),
                        (
                            "agreement",
                            models.FloatField(
                                default=0.2,
                                validators=[
                                    django.core.validators.MinValueValidator(-1.0),
                                    django.core.validators.MaxValueValidator(1.0),
                                ],
                            ),
                        ),
                        (
                            "project",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="watch_options",
                                to="annotation.project",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Notice",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "event",
                            models.CharField(
                                choices=[
                                    ("project.launched", "Project launched"),
                                    ("round.finished", "Round finished"),
                                    ("run.finished", "Scoring run finished"),
                                    ("release.made", "Release made"),
                                    ("job.failed", "Background job failed"),
                                    ("people.flagged", "Annotators flagged"),
                                    ("budget.reached", "Budget reached"),
                                    ("target.reached", "Round in waves ended"),
                                    ("test", "Test message"),
                                ],
                                max_length=20,
                            ),
                        ),
                        (
                            "key",
                            models.CharField(
                                help_text="What it is about; nobody is notified of the same thing twice.",
                                max_length=100,
                            ),
                        ),
                        ("payload", models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder)),
                        ("created_at", models.DateTimeField()),
                        ("mailed_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notices",
                                to="annotation.project",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notices",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("mailed_at__isnull", True)), fields=["user"], name="notices_to_mail"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("user", "project", "event", "key"), name="one_notice_an_event"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="NotificationSettings",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "digest",
                            models.CharField(
                                choices=[("never", "Never"), ("daily", "Every day"), ("weekly", "Every Monday")],
                                default="never",
                                max_length=10,
                            ),
                        ),
                        (
                            "events",
                            models.JSONField(
                                blank=True,
                                default=scoring.models.notifications.unasked,
                                help_text="Emailed immediately.",
                            ),
                        ),
                        (
                            "flagged_from",
                            models.PositiveSmallIntegerField(
                                default=3, validators=[django.core.validators.MinValueValidator(1)]
                            ),
                        ),
                        (
                            "digest_at",
                            models.DateTimeField(
                                blank=True, help_text="When the last digest was sent, or they began.", null=True
                            ),
                        ),
                        (
                            "answered",
                            models.JSONField(
                                default=dict, help_text="Answers in the last digest, by the project's id."
                            ),
                        ),
                        ("muted", models.ManyToManyField(blank=True, related_name="+", to="annotation.project")),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notifications",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "notification settings",
                    },
                ),
                migrations.CreateModel(
                    name="PersonStatistics",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("screens", models.PositiveIntegerField(default=0)),
                        ("answered", models.PositiveIntegerField(default=0)),
                        (
                            "active_ms",
                            models.BigIntegerField(
                                blank=True, help_text="Active time of all timed answers.", null=True
                            ),
                        ),
                        (
                            "median_ms",
                            models.PositiveIntegerField(
                                blank=True, help_text="Median active time per screen.", null=True
                            ),
                        ),
                        ("last_at", models.DateTimeField(blank=True, help_text="Time of the last answer.", null=True)),
                        ("figures", models.JSONField(default=dict)),
                        ("flags", models.JSONField(default=dict, help_text="Evidence by kind of flag.")),
                        (
                            "settled",
                            models.JSONField(
                                default=list, help_text="Kinds of flags that a manager marked as reviewed."
                            ),
                        ),
                        (
                            "open_flags",
                            models.PositiveSmallIntegerField(default=0, help_text="Number of flags not yet reviewed."),
                        ),
                        (
                            "participation",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="statistics",
                                to="annotation.participation",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="ProjectStatistics",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "Queued"),
                                    ("running", "Running"),
                                    ("asking", "Needs an answer"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                    ("uncertain", "Uncertain"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0, help_text="Number of the latest attempt.")),
                        (
                            "attempts_before",
                            models.PositiveIntegerField(
                                default=0,
                                help_text="Attempts made before it was queued again; they do not count towards the limit.",
                            ),
                        ),
                        (
                            "heartbeat_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Last sign of the worker, or when it was last sent to one.",
                                null=True,
                            ),
                        ),
                        (
                            "not_before",
                            models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True),
                        ),
                        ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                        ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                        ("total", models.PositiveIntegerField(default=0)),
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it failed, or why it will be tried again."),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        ("at", models.DateTimeField(blank=True, help_text="Time of the statistics.", null=True)),
                        (
                            "basis",
                            models.JSONField(
                                blank=True,
                                help_text="Fingerprint of the data; nothing is recomputed while it is the same.",
                                null=True,
                            ),
                        ),
                        ("figures", models.JSONField(default=dict)),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="statistics",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="projectstatistics_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="projectstatistics_by_time"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Registration",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField(help_text="Number within the project, from 1.")),
                        (
                            "plan",
                            models.TextField(
                                help_text="In its canonical form: the hash is that of this text in UTF-8."
                            ),
                        ),
                        ("sha256", models.CharField(max_length=64)),
                        ("registered_at", models.DateTimeField()),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="registrations",
                                to="annotation.project",
                            ),
                        ),
                        (
                            "registered_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "-number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "number"), name="one_registration_a_number"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("plan", ""), _negated=True), models.Q(("sha256", ""), _negated=True)
                                ),
                                name="a_registration_has_a_plan",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RegistrationDraft",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "answers",
                            models.JSONField(
                                default=dict, help_text="As `scoring.domain.registrations.plans` reads them."
                            ),
                        ),
                        ("saved_at", models.DateTimeField()),
                        (
                            "project",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="registration_draft",
                                to="annotation.project",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Rehearsal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "Queued"),
                                    ("running", "Running"),
                                    ("asking", "Needs an answer"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                    ("uncertain", "Uncertain"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0, help_text="Number of the latest attempt.")),
                        (
                            "attempts_before",
                            models.PositiveIntegerField(
                                default=0,
                                help_text="Attempts made before it was queued again; they do not count towards the limit.",
                            ),
                        ),
                        (
                            "heartbeat_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Last sign of the worker, or when it was last sent to one.",
                                null=True,
                            ),
                        ),
                        (
                            "not_before",
                            models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True),
                        ),
                        ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                        ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                        ("total", models.PositiveIntegerField(default=0)),
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it failed, or why it will be tried again."),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "people",
                            models.PositiveIntegerField(
                                blank=True,
                                help_text="Maximum number of annotators per round; empty for no limit.",
                                null=True,
                            ),
                        ),
                        ("seed", models.BigIntegerField(default=0)),
                        (
                            "results",
                            models.JSONField(
                                blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True
                            ),
                        ),
                        (
                            "copy",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="rehearsal",
                                to="annotation.project",
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="own_rehearsals",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="rehearsal_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="rehearsal_by_time"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Release",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "Queued"),
                                    ("running", "Running"),
                                    ("asking", "Needs an answer"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                    ("uncertain", "Uncertain"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0, help_text="Number of the latest attempt.")),
                        (
                            "attempts_before",
                            models.PositiveIntegerField(
                                default=0,
                                help_text="Attempts made before it was queued again; they do not count towards the limit.",
                            ),
                        ),
                        (
                            "heartbeat_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Last sign of the worker, or when it was last sent to one.",
                                null=True,
                            ),
                        ),
                        (
                            "not_before",
                            models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True),
                        ),
                        ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                        ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                        ("total", models.PositiveIntegerField(default=0)),
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it failed, or why it will be tried again."),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        ("number", models.PositiveIntegerField(help_text="Number within the project, from 1.")),
                        (
                            "title",
                            models.CharField(
                                blank=True, help_text="Project title when the release was requested.", max_length=200
                            ),
                        ),
                        (
                            "licence",
                            models.CharField(
                                blank=True, help_text="SPDX identifier, for example CC-BY-4.0.", max_length=100
                            ),
                        ),
                        (
                            "options",
                            models.JSONField(default=dict, help_text="Options of the split: sizes, apart, seed."),
                        ),
                        ("code_version", models.CharField(max_length=50)),
                        (
                            "manifest",
                            models.JSONField(
                                blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True
                            ),
                        ),
                        (
                            "sha256",
                            models.CharField(
                                blank=True,
                                help_text="SHA-256 of manifest.json, which lists all other checksums.",
                                max_length=64,
                            ),
                        ),
                        (
                            "leaderboard_open",
                            models.BooleanField(default=False, help_text="Whether the leaderboard is public."),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="releases",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "-number"],
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="release_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="release_by_time"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "number"), name="one_release_a_number"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("state", "done"), _negated=True),
                                    models.Q(("manifest__isnull", False), models.Q(("sha256", ""), _negated=True)),
                                    _connector="OR",
                                ),
                                name="released_has_a_manifest",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Evaluation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("model", models.CharField(help_text="The model's name.", max_length=200)),
                        (
                            "seed",
                            models.PositiveBigIntegerField(
                                blank=True,
                                help_text="Random seed the model was trained with; empty if there is only one.",
                                null=True,
                            ),
                        ),
                        ("predictions", models.JSONField(help_text="Prediction of each item, by item key.")),
                        (
                            "distributions",
                            models.JSONField(
                                blank=True,
                                help_text="Predicted distribution of the answers to each item, by item key.",
                                null=True,
                            ),
                        ),
                        ("results", models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder)),
                        ("baseline", models.BooleanField(default=False, help_text="Whether it is a built-in model.")),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "release",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="evaluations",
                                to="scoring.release",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["release", "pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("seed__isnull", True)),
                                fields=("release", "model"),
                                name="one_evaluation_a_model",
                            ),
                            models.UniqueConstraint(fields=("release", "model", "seed"), name="one_evaluation_a_seed"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReleaseFile",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=200)),
                        ("file", models.FileField(max_length=300, upload_to="releases/")),
                        ("sha256", models.CharField(max_length=64)),
                        ("size", models.PositiveBigIntegerField(help_text="Size in bytes.")),
                        ("rows", models.PositiveIntegerField(blank=True, null=True)),
                        ("media_type", models.CharField(max_length=100)),
                        (
                            "release",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="files", to="scoring.release"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["release", "name"],
                        "constraints": [models.UniqueConstraint(fields=("release", "name"), name="one_file_a_name")],
                    },
                ),
                migrations.CreateModel(
                    name="Run",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "Queued"),
                                    ("running", "Running"),
                                    ("asking", "Needs an answer"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                    ("uncertain", "Uncertain"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0, help_text="Number of the latest attempt.")),
                        (
                            "attempts_before",
                            models.PositiveIntegerField(
                                default=0,
                                help_text="Attempts made before it was queued again; they do not count towards the limit.",
                            ),
                        ),
                        (
                            "heartbeat_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Last sign of the worker, or when it was last sent to one.",
                                null=True,
                            ),
                        ),
                        (
                            "not_before",
                            models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True),
                        ),
                        ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                        ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                        ("total", models.PositiveIntegerField(default=0)),
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it failed, or why it will be tried again."),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        ("number", models.PositiveIntegerField(help_text="Number within the project, from 1.")),
                        ("seed", models.BigIntegerField()),
                        ("parameters", models.JSONField(default=dict)),
                        ("code_version", models.CharField(max_length=50)),
                        ("snapshot", models.FileField(blank=True, help_text="Judgments as arrays.", upload_to="runs/")),
                        ("snapshot_sha256", models.CharField(blank=True, max_length=64)),
                        (
                            "as_of",
                            models.DateTimeField(
                                blank=True, help_text="Time at which the judgments were read.", null=True
                            ),
                        ),
                        (
                            "judgments",
                            models.BigIntegerField(
                                blank=True, help_text="Number of judgments, including superseded ones.", null=True
                            ),
                        ),
                        (
                            "entries",
                            models.BigIntegerField(
                                blank=True, help_text="Number of entries in the audit log.", null=True
                            ),
                        ),
                        (
                            "results",
                            models.JSONField(
                                blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True
                            ),
                        ),
                        (
                            "drawn_at",
                            models.DateTimeField(
                                blank=True, help_text="Time at which the figures were rendered.", null=True
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="runs",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "-number"],
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="run_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="run_by_time"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "number"), name="one_run_a_number"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("state", "done"), _negated=True),
                                    models.Q(("ended_at__isnull", False), ("results__isnull", False)),
                                    _connector="OR",
                                ),
                                name="done_has_results",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("state", "failed"), _negated=True),
                                    models.Q(("problem", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="failed_has_an_error",
                            ),
                        ],
                    },
                ),
                migrations.AddField(
                    model_name="release",
                    name="run",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="releases", to="scoring.run"
                    ),
                ),
                migrations.CreateModel(
                    name="FigureRendering",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "Queued"),
                                    ("running", "Running"),
                                    ("asking", "Needs an answer"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                    ("uncertain", "Uncertain"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0, help_text="Number of the latest attempt.")),
                        (
                            "attempts_before",
                            models.PositiveIntegerField(
                                default=0,
                                help_text="Attempts made before it was queued again; they do not count towards the limit.",
                            ),
                        ),
                        (
                            "heartbeat_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Last sign of the worker, or when it was last sent to one.",
                                null=True,
                            ),
                        ),
                        (
                            "not_before",
                            models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True),
                        ),
                        ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                        ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                        ("total", models.PositiveIntegerField(default=0)),
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it failed, or why it will be tried again."),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "run",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="rendering", to="scoring.run"
                            ),
                        ),
                    ],
                    options={
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="figurerendering_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="figurerendering_by_time"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RunFigure",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=100)),
                        ("title", models.TextField()),
                        ("description", models.TextField(help_text="Text alternative for screen readers.")),
                        ("svg", models.TextField()),
                        ("png", models.BinaryField()),
                        ("csv", models.TextField()),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="figures", to="scoring.run"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["run", "pk"],
                        "constraints": [models.UniqueConstraint(fields=("run", "name"), name="one_drawing_a_name")],
                    },
                ),
                migrations.CreateModel(
                    name="RunPart",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "Queued"),
                                    ("running", "Running"),
                                    ("asking", "Needs an answer"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                    ("uncertain", "Uncertain"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0, help_text="Number of the latest attempt.")),
                        (
                            "attempts_before",
                            models.PositiveIntegerField(
                                default=0,
                                help_text="Attempts made before it was queued again; they do not count towards the limit.",
                            ),
                        ),
                        (
                            "heartbeat_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Last sign of the worker, or when it was last sent to one.",
                                null=True,
                            ),
                        ),
                        (
                            "not_before",
                            models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True),
                        ),
                        ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                        ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                        ("total", models.PositiveIntegerField(default=0)),
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it failed, or why it will be tried again."),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        ("key", models.CharField(max_length=50)),
                        (
                            "result",
                            models.JSONField(
                                blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="scoring.run"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["run", "pk"],
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="runpart_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="runpart_by_time"),
                        ],
                        "constraints": [models.UniqueConstraint(fields=("run", "key"), name="one_part_a_key")],
                    },
                ),
                migrations.CreateModel(
                    name="Upload",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "Queued"),
                                    ("running", "Running"),
                                    ("asking", "Needs an answer"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                    ("uncertain", "Uncertain"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0, help_text="Number of the latest attempt.")),
                        (
                            "attempts_before",
                            models.PositiveIntegerField(
                                default=0,
                                help_text="Attempts made before it was queued again; they do not count towards the limit.",
                            ),
                        ),
                        (
                            "heartbeat_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Last sign of the worker, or when it was last sent to one.",
                                null=True,
                            ),
                        ),
                        (
                            "not_before",
                            models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True),
                        ),
                        ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                        ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                        ("total", models.PositiveIntegerField(default=0)),
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it failed, or why it will be tried again."),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "archive",
                            models.CharField(
                                choices=[
                                    ("huggingface", "Hugging Face"),
                                    ("zenodo", "Zenodo"),
                                    ("zenodo-sandbox", "Zenodo sandbox (for tests)"),
                                ],
                                max_length=20,
                            ),
                        ),
                        (
                            "name",
                            models.CharField(
                                blank=True,
                                help_text="Of a dataset repository on Hugging Face: owner/name.",
                                max_length=200,
                            ),
                        ),
                        (
                            "outside_id",
                            models.CharField(blank=True, help_text="As the archive names the draft.", max_length=200),
                        ),
                        (
                            "url",
                            models.URLField(
                                blank=True, help_text="The page in the archive.", max_length=500, verbose_name="URL"
                            ),
                        ),
                        (
                            "doi",
                            models.CharField(
                                blank=True,
                                help_text="Reserved by the archive, or registered.",
                                max_length=200,
                                verbose_name="DOI",
                            ),
                        ),
                        (
                            "uploaded_at",
                            models.DateTimeField(blank=True, help_text="When all files were there.", null=True),
                        ),
                        (
                            "publishing",
                            models.BooleanField(
                                default=False, help_text="Whether somebody asked to publish the draft."
                            ),
                        ),
                        ("published_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "release",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="uploads",
                                to="scoring.release",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="upload_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="upload_by_time"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("release", "archive", "name"), name="one_upload_a_release_and_place"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Webhook",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("url", models.URLField(max_length=500)),
                        ("secret", annotation.encryption.EncryptedText(help_text="Signs the requests.")),
                        (
                            "message_format",
                            models.CharField(
                                choices=[
                                    ("json", "JSON, with a signature"),
                                    ("slack", "Slack message (also Mattermost and others)"),
                                ],
                                default="json",
                                max_length=10,
                            ),
                        ),
                        ("events", models.JSONField(default=list, help_text="Events to send; empty for all.")),
                        ("active", models.BooleanField(default=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="webhooks",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "url"), name="one_webhook_an_address")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Delivery",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("waiting", "Queued"),
                                    ("running", "Running"),
                                    ("asking", "Needs an answer"),
                                    ("done", "Done"),
                                    ("failed", "Failed"),
                                    ("uncertain", "Uncertain"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="waiting",
                                max_length=10,
                            ),
                        ),
                        ("attempts", models.PositiveIntegerField(default=0, help_text="Number of the latest attempt.")),
                        (
                            "attempts_before",
                            models.PositiveIntegerField(
                                default=0,
                                help_text="Attempts made before it was queued again; they do not count towards the limit.",
                            ),
                        ),
                        (
                            "heartbeat_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Last sign of the worker, or when it was last sent to one.",
                                null=True,
                            ),
                        ),
                        (
                            "not_before",
                            models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True),
                        ),
                        ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                        ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                        ("total", models.PositiveIntegerField(default=0)),
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it failed, or why it will be tried again."),
                        ),
                        ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "started_at",
                            models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True),
                        ),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "event",
                            models.CharField(
                                choices=[
                                    ("project.launched", "Project launched"),
                                    ("round.finished", "Round finished"),
                                    ("run.finished", "Scoring run finished"),
                                    ("release.made", "Release made"),
                                    ("job.failed", "Background job failed"),
                                    ("people.flagged", "Annotators flagged"),
                                    ("budget.reached", "Budget reached"),
                                    ("target.reached", "Round in waves ended"),
                                    ("test", "Test message"),
                                ],
                                max_length=20,
                            ),
                        ),
                        (
                            "key",
                            models.CharField(
                                help_text="Subject of the event; each subject is sent once.", max_length=100
                            ),
                        ),
                        ("payload", models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder)),
                        (
                            "status",
                            models.PositiveSmallIntegerField(
                                blank=True, help_text="Status of the last response.", null=True
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "webhook",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deliveries",
                                to="scoring.webhook",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="delivery_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="delivery_by_time"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("webhook", "event", "key"), name="one_delivery_an_event")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ArchiveToken",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "archive",
                            models.CharField(
                                choices=[
                                    ("huggingface", "Hugging Face"),
                                    ("zenodo", "Zenodo"),
                                    ("zenodo-sandbox", "Zenodo sandbox (for tests)"),
                                ],
                                max_length=20,
                            ),
                        ),
                        ("token", annotation.encryption.EncryptedText(blank=True)),
                        ("saved_at", models.DateTimeField()),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="archive_tokens",
                                to="annotation.project",
                            ),
                        ),
                        (
                            "saved_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "archive"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "archive"), name="one_token_an_archive")
                        ],
                    },
                ),
            ]
        )
    ]
