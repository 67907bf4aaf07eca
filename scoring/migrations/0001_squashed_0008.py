import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


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
    ]

    initial = True

    dependencies = [
        ("annotation", "0001_squashed_0016"),
    ]

    operations = [
        migrations.CreateModel(
            name="MonitoringOptions",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        choices=[("person", "a person in a round"), ("hour", "an hour of active time")],
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
                            django.core.validators.RegexValidator("^[A-Z]{3}$", "Three capitals, such as EUR.")
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
                    "least_answers",
                    models.PositiveIntegerField(default=10, validators=[django.core.validators.MinValueValidator(1)]),
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
                    models.PositiveIntegerField(default=12, validators=[django.core.validators.MinValueValidator(1)]),
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
            name="PersonStatistics",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("screens", models.PositiveIntegerField(default=0)),
                ("answered", models.PositiveIntegerField(default=0)),
                (
                    "active_ms",
                    models.BigIntegerField(blank=True, help_text="Of all answers that were measured.", null=True),
                ),
                (
                    "median_ms",
                    models.PositiveIntegerField(
                        blank=True, help_text="Active time, the median of a screen.", null=True
                    ),
                ),
                ("last_at", models.DateTimeField(blank=True, help_text="The last answer.", null=True)),
                ("figures", models.JSONField(default=dict)),
                ("flags", models.JSONField(default=dict, help_text="Evidence by kind of flag.")),
                (
                    "settled",
                    models.JSONField(
                        default=list, help_text="Kinds of flags that a manager looked at and found in order."
                    ),
                ),
                ("open_flags", models.PositiveSmallIntegerField(default=0, help_text="Flags that nobody has settled.")),
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
            name="Run",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        blank=True, help_text="Last sign of the worker, or when it was last sent to one.", null=True
                    ),
                ),
                ("not_before", models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True)),
                ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                ("total", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True, help_text="Why it failed, or why it will be tried again.")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("number", models.PositiveIntegerField(help_text="Counts from 1 in the project.")),
                ("seed", models.BigIntegerField()),
                ("parameters", models.JSONField(default=dict)),
                ("code_version", models.CharField(max_length=50)),
                (
                    "snapshot",
                    models.FileField(blank=True, help_text="The judgments as arrays, read once.", upload_to="runs/"),
                ),
                ("snapshot_sha256", models.CharField(blank=True, max_length=64)),
                ("as_of", models.DateTimeField(blank=True, help_text="When the judgments were read.", null=True)),
                (
                    "judgments",
                    models.BigIntegerField(
                        blank=True, help_text="How many there were, superseded ones too.", null=True
                    ),
                ),
                ("entries", models.BigIntegerField(blank=True, help_text="How many the audit log had.", null=True)),
                (
                    "results",
                    models.JSONField(blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True),
                ),
                ("drawn_at", models.DateTimeField(blank=True, help_text="When its figures were drawn.", null=True)),
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="runs", to="annotation.project"
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
        migrations.CreateModel(
            name="Release",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        blank=True, help_text="Last sign of the worker, or when it was last sent to one.", null=True
                    ),
                ),
                ("not_before", models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True)),
                ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                ("total", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True, help_text="Why it failed, or why it will be tried again.")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("number", models.PositiveIntegerField(help_text="Counts from 1 in the project.")),
                (
                    "title",
                    models.CharField(
                        blank=True, help_text="Of the project, when the release was asked for.", max_length=200
                    ),
                ),
                ("licence", models.CharField(blank=True, help_text="SPDX, such as CC-BY-4.0.", max_length=100)),
                ("options", models.JSONField(default=dict, help_text="Of the split: sizes, apart, seed.")),
                ("code_version", models.CharField(max_length=50)),
                (
                    "manifest",
                    models.JSONField(blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True),
                ),
                (
                    "sha256",
                    models.CharField(
                        blank=True, help_text="Of manifest.json, which names all other checksums.", max_length=64
                    ),
                ),
                (
                    "leaderboard_open",
                    models.BooleanField(default=False, help_text="Whether everybody may see how models did."),
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
                        on_delete=django.db.models.deletion.PROTECT, related_name="releases", to="annotation.project"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="releases", to="scoring.run"
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
            name="FigureRendering",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        blank=True, help_text="Last sign of the worker, or when it was last sent to one.", null=True
                    ),
                ),
                ("not_before", models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True)),
                ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                ("total", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True, help_text="Why it failed, or why it will be tried again.")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True)),
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
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100)),
                ("title", models.TextField()),
                ("description", models.TextField(help_text="For those who cannot see it.")),
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
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        blank=True, help_text="Last sign of the worker, or when it was last sent to one.", null=True
                    ),
                ),
                ("not_before", models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True)),
                ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                ("total", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True, help_text="Why it failed, or why it will be tried again.")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("key", models.CharField(max_length=50)),
                (
                    "result",
                    models.JSONField(blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True),
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
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("url", models.URLField(max_length=500)),
                ("secret", models.CharField(help_text="Signs what is sent.", max_length=100)),
                ("events", models.JSONField(default=list, help_text="Of which events; empty for all.")),
                ("active", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="webhooks", to="annotation.project"
                    ),
                ),
            ],
            options={
                "ordering": ["project", "pk"],
                "constraints": [models.UniqueConstraint(fields=("project", "url"), name="one_webhook_an_address")],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        blank=True, help_text="Last sign of the worker, or when it was last sent to one.", null=True
                    ),
                ),
                ("not_before", models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True)),
                ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                ("total", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True, help_text="Why it failed, or why it will be tried again.")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "event",
                    models.CharField(
                        choices=[
                            ("round.finished", "a round is finished"),
                            ("run.finished", "a run is finished"),
                            ("release.made", "a release is made"),
                            ("test", "a test"),
                        ],
                        max_length=20,
                    ),
                ),
                ("key", models.CharField(help_text="What it is about; the same is told once.", max_length=100)),
                ("payload", models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ("status", models.PositiveSmallIntegerField(blank=True, help_text="Of the last answer.", null=True)),
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="scoring.webhook"
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
            name="ProjectStatistics",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        blank=True, help_text="Last sign of the worker, or when it was last sent to one.", null=True
                    ),
                ),
                ("not_before", models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True)),
                ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                ("total", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True, help_text="Why it failed, or why it will be tried again.")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("at", models.DateTimeField(blank=True, help_text="Of what moment the figures are.", null=True)),
                (
                    "basis",
                    models.JSONField(
                        blank=True, help_text="What they were made of; the same again needs no work.", null=True
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="statistics", to="annotation.project"
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
            name="Rehearsal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                        blank=True, help_text="Last sign of the worker, or when it was last sent to one.", null=True
                    ),
                ),
                ("not_before", models.DateTimeField(blank=True, help_text="When to try, or to try again.", null=True)),
                ("step", models.CharField(blank=True, help_text="What is being done.", max_length=20)),
                ("done", models.PositiveIntegerField(default=0, help_text="How much of this step is done.")),
                ("total", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True, help_text="Why it failed, or why it will be tried again.")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, help_text="When the latest attempt began.", null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "people",
                    models.PositiveIntegerField(
                        blank=True, help_text="Of a round at the most; empty for all.", null=True
                    ),
                ),
                ("seed", models.BigIntegerField(default=0)),
                (
                    "results",
                    models.JSONField(blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True),
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
            name="Evaluation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("model", models.CharField(help_text="The model's name.", max_length=200)),
                ("predictions", models.JSONField(help_text="By item.")),
                ("results", models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ("baseline", models.BooleanField(default=False, help_text="Whether it came with the program.")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="evaluations", to="scoring.release"
                    ),
                ),
            ],
            options={
                "ordering": ["release", "pk"],
                "constraints": [models.UniqueConstraint(fields=("release", "model"), name="one_evaluation_a_model")],
            },
        ),
        migrations.CreateModel(
            name="ReleaseFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=200)),
                ("file", models.FileField(max_length=300, upload_to="releases/")),
                ("sha256", models.CharField(max_length=64)),
                ("size", models.PositiveBigIntegerField(help_text="In bytes.")),
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
    ]
