import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("annotation", "0001_initial"),
        ("annotation", "0002_best_worst"),
        ("annotation", "0003_api_tokens"),
        ("annotation", "0004_owners"),
        ("annotation", "0005_user_language"),
        ("annotation", "0006_setting_up"),
        ("annotation", "0007_recruiting"),
        ("annotation", "0008_interventions"),
        ("annotation", "0009_paying_and_coming"),
        ("annotation", "0010_judgments_as_they_stand"),
        ("annotation", "0011_circulars"),
        ("annotation", "0012_people_whom_nobody_knows"),
        ("annotation", "0013_field_terms"),
        ("annotation", "0014_jobs"),
        ("annotation", "0015_staff_only_superusers"),
        ("annotation", "0016_staff_are_superusers"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="CrowdStudy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.CharField(max_length=20)),
                ("pool", models.CharField(blank=True, max_length=20)),
                ("session", models.PositiveSmallIntegerField(default=1)),
                (
                    "platform",
                    models.CharField(
                        choices=[("prolific", "Prolific"), ("mturk", "Amazon Mechanical Turk")], max_length=10
                    ),
                ),
                ("study_id", models.CharField(blank=True, help_text="As the platform names it.", max_length=64)),
                ("completion_code", models.CharField(blank=True, max_length=64)),
                ("screen_out_code", models.CharField(blank=True, max_length=64)),
                ("no_consent_code", models.CharField(blank=True, max_length=64)),
                (
                    "open",
                    models.BooleanField(
                        default=True, help_text="A closed study lets nobody in; whoever is in goes on."
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name_plural": "crowd studies",
                "ordering": ["project", "round", "platform", "session"],
            },
        ),
        migrations.CreateModel(
            name="Group",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200)),
                ("position", models.PositiveIntegerField(help_text="Order of the file.")),
                ("domain", models.CharField(blank=True, max_length=200)),
                ("language", models.CharField(blank=True, max_length=35)),
                (
                    "turns",
                    models.JSONField(
                        default=list, help_text="Of the dialogue: objects with speaker and text, in order."
                    ),
                ),
                ("extra", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["project", "position"],
            },
        ),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("name", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Incident",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200)),
                ("title", models.TextField(blank=True)),
                ("language", models.CharField(blank=True, max_length=35)),
                ("extra", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="PracticeTask",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "part",
                    models.CharField(
                        choices=[("example", "Example"), ("practice", "Practice"), ("check", "Check")], max_length=10
                    ),
                ),
                ("position", models.PositiveIntegerField(help_text="Counts from 1 in its part.")),
                (
                    "texts",
                    models.JSONField(help_text="A list of texts for each item: two of a pair, one of an utterance."),
                ),
                (
                    "turns",
                    models.JSONField(
                        blank=True, default=list, help_text="Of the dialogue: objects with speaker and text."
                    ),
                ),
                ("language", models.CharField(blank=True, max_length=35)),
                ("best", models.PositiveSmallIntegerField(help_text="Which item, counted from 1.")),
                ("worst", models.PositiveSmallIntegerField(help_text="Which item, counted from 1.")),
                ("why", models.TextField(blank=True, help_text="Markdown, shown with the solution.")),
            ],
            options={
                "ordering": ["project", "part", "position"],
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                (
                    "language",
                    models.CharField(
                        blank=True, help_text="Of pages and e-mails; empty: as the browser asks.", max_length=10
                    ),
                ),
                (
                    "time_zone",
                    models.CharField(blank=True, help_text="An IANA name such as Europe/Prague.", max_length=64),
                ),
                ("opens_projects", models.BooleanField(default=False, help_text="May open projects of their own.")),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("is_staff", False), ("is_superuser", True), _connector="OR"),
                        name="staff_are_superusers",
                    )
                ],
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Annotator",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("external_id", models.CharField(blank=True, max_length=200)),
                ("pseudonym", models.CharField(max_length=20)),
                (
                    "guest_number",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="Of somebody with neither an address nor an outside id; from 1 in the project.",
                        null=True,
                    ),
                ),
                (
                    "erased_at",
                    models.DateTimeField(
                        blank=True, help_text="When they had everything about them erased.", null=True
                    ),
                ),
                (
                    "asked_at",
                    models.DateTimeField(
                        blank=True, help_text="When they answered or skipped the questions about themselves.", null=True
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="annotators",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BonusPayment",
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
                    "outside_id",
                    models.CharField(
                        blank=True,
                        help_text="As the platform names the order; empty before it is told to pay.",
                        max_length=100,
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
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="payments",
                        to="annotation.crowdstudy",
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
                        name="bonuspayment_not_ended",
                    ),
                    models.Index(fields=["-created_at"], name="bonuspayment_by_time"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Broadcast",
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
                ("key", models.UUIDField(help_text="Of the form that was sent; the same form twice is one message.")),
                ("text", models.TextField()),
                ("recipients", models.JSONField(help_text="Ids of places.")),
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
            ],
            options={
                "ordering": ["-pk"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="CrowdRefusal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("visit", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="refusals", to="annotation.crowdstudy"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("study", "visit"), name="one_refusal_a_visit")],
            },
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("summary", "Summary"), ("report", "Report")], max_length=10)),
                ("key", models.CharField(max_length=200)),
                ("title", models.TextField(blank=True)),
                ("position", models.PositiveIntegerField()),
                (
                    "incident",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="documents", to="annotation.incident"
                    ),
                ),
            ],
            options={
                "ordering": ["incident", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("incident", "position"), name="one_document_a_position")
                ],
            },
        ),
        migrations.CreateModel(
            name="Installation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("administered_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("pk", 1)), name="one_installation")],
            },
        ),
        migrations.CreateModel(
            name="InvitationLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.CharField(max_length=20)),
                ("pool", models.CharField(blank=True, max_length=20)),
                (
                    "kind",
                    models.CharField(
                        choices=[("open", "open"), ("personal", "personal"), ("standing", "standing")],
                        default="open",
                        max_length=10,
                    ),
                ),
                (
                    "token",
                    models.CharField(
                        blank=True, help_text="Random; a standing link has a signed one instead.", max_length=64
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=200)),
                (
                    "most",
                    models.PositiveIntegerField(blank=True, help_text="So many people; empty for no limit.", null=True),
                ),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=250)),
                ("position", models.PositiveIntegerField(help_text="Order of the file, or of selection.")),
                ("sentence1", models.TextField()),
                ("sentence2", models.TextField()),
                (
                    "context1",
                    models.TextField(
                        blank=True, help_text="The first sentence in <sent></sent>, with what surrounds it."
                    ),
                ),
                ("context2", models.TextField(blank=True)),
                ("language", models.CharField(blank=True, max_length=35)),
                ("gold", models.BooleanField(blank=True, help_text="Known to be similar, or dissimilar.", null=True)),
                ("calibration_order", models.PositiveIntegerField(blank=True, null=True)),
                ("source", models.TextField(blank=True)),
                (
                    "withdrawn_at",
                    models.DateTimeField(blank=True, help_text="Not shown, and in no score, since then.", null=True),
                ),
                ("extra", models.JSONField(default=dict)),
                (
                    "group",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="annotation.group",
                    ),
                ),
            ],
            options={
                "ordering": ["project", "position"],
            },
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("session", models.PositiveSmallIntegerField()),
                ("context", models.CharField(choices=[("free", "free"), ("dependent", "dependent")], max_length=10)),
                (
                    "block",
                    models.CharField(
                        choices=[("calibration", "calibration"), ("main", "main"), ("intra", "intra")], max_length=12
                    ),
                ),
                ("position", models.PositiveIntegerField(help_text="Counts from 1 in the session.")),
                (
                    "order",
                    models.CharField(
                        blank=True,
                        help_text="Of a tuple: which of its places is shown first, second and so on; digits.",
                        max_length=8,
                    ),
                ),
                (
                    "lent_until",
                    models.DateTimeField(
                        blank=True,
                        help_text="Of a tuple of an open round: after this it may be passed on, if unanswered.",
                        null=True,
                    ),
                ),
                (
                    "lapsed_at",
                    models.DateTimeField(
                        blank=True, help_text="When it went back to the pool or was withdrawn, unanswered.", null=True
                    ),
                ),
                ("shown_at", models.DateTimeField(blank=True, help_text="First shown, server time.", null=True)),
                ("answered_at", models.DateTimeField(blank=True, help_text="First answered, server time.", null=True)),
                (
                    "item",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="annotation.item",
                    ),
                ),
            ],
            options={
                "ordering": ["participation", "session", "position"],
            },
        ),
        migrations.CreateModel(
            name="Judgment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField(help_text="Made with the form: the same key is the same answer.")),
                ("value", models.FloatField(blank=True, null=True)),
                ("hard_to_say", models.BooleanField(default=False)),
                (
                    "invalid",
                    models.BooleanField(
                        default=False,
                        help_text="A choice brought in as it stands: with an item twice, or the same as best and worst.",
                    ),
                ),
                ("superseded_at", models.DateTimeField(blank=True, null=True)),
                ("saved_at", models.DateTimeField(help_text="Server time.")),
                (
                    "touched_ms",
                    models.PositiveIntegerField(blank=True, help_text="From shown to first touched.", null=True),
                ),
                (
                    "answered_ms",
                    models.PositiveIntegerField(blank=True, help_text="From shown to answered.", null=True),
                ),
                (
                    "active_ms",
                    models.PositiveIntegerField(blank=True, help_text="Of these, with the page in use.", null=True),
                ),
                ("adjustments", models.PositiveIntegerField(blank=True, help_text="Changes of the value.", null=True)),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgments",
                        to="annotation.assignment",
                    ),
                ),
                (
                    "best",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chosen_best",
                        to="annotation.item",
                    ),
                ),
                (
                    "worst",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chosen_worst",
                        to="annotation.item",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("superseded_at__isnull", True)),
                        fields=("assignment",),
                        name="one_current_judgment_an_assignment",
                    ),
                    models.UniqueConstraint(fields=("assignment", "key"), name="one_judgment_a_key"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("best__isnull", True), ("worst__isnull", True)),
                            models.Q(
                                ("best__isnull", False),
                                ("value__isnull", True),
                                ("worst__isnull", False),
                                models.Q(
                                    models.Q(("best", models.F("worst")), _negated=True),
                                    ("invalid", True),
                                    _connector="OR",
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="a_choice_has_best_and_worst",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Participation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.CharField(max_length=20)),
                ("seat", models.PositiveIntegerField(help_text="Counts from 1 in the round.")),
                ("pool", models.CharField(blank=True, max_length=20)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("invited", "Invited"),
                            ("active", "Active"),
                            ("resting", "Resting"),
                            ("finished", "Finished"),
                            ("excluded", "Excluded"),
                            ("left", "Left"),
                        ],
                        default="invited",
                        max_length=10,
                    ),
                ),
                ("reason", models.TextField(blank=True, help_text="Why excluded, or why they left.")),
                (
                    "ended_from",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("invited", "Invited"),
                            ("active", "Active"),
                            ("resting", "Resting"),
                            ("finished", "Finished"),
                            ("excluded", "Excluded"),
                            ("left", "Left"),
                        ],
                        help_text="Of who is excluded or left: the state before.",
                        max_length=10,
                    ),
                ),
                (
                    "reassigned",
                    models.BooleanField(
                        default=False, help_text="Of who left: a manager gave the place to somebody else."
                    ),
                ),
                (
                    "invited_at",
                    models.DateTimeField(
                        blank=True, help_text="When they were told, or came by themselves.", null=True
                    ),
                ),
                (
                    "most",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="In an open round: so many tuples at the most; empty for no limit.",
                        null=True,
                    ),
                ),
                ("consented_at", models.DateTimeField(blank=True, null=True)),
                (
                    "asking",
                    models.BooleanField(
                        default=False, help_text="Questions about the person come before anything else."
                    ),
                ),
                (
                    "practising",
                    models.BooleanField(default=False, help_text="Practice or a check comes before the work."),
                ),
                (
                    "rest_until",
                    models.DateTimeField(blank=True, help_text="End of the pause after the last session.", null=True),
                ),
                ("rest_shortened", models.BooleanField(default=False)),
                ("reminded_at", models.DateTimeField(blank=True, null=True)),
                (
                    "due_at",
                    models.DateTimeField(
                        blank=True, help_text="The day by which the round is to be finished.", null=True
                    ),
                ),
                (
                    "due_closes",
                    models.BooleanField(default=False, help_text="Whether no new screen is shown after that day."),
                ),
                ("due_reminded_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("screened_at", models.DateTimeField(blank=True, null=True)),
                (
                    "annotator",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="participations",
                        to="annotation.annotator",
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="refill",
                        to="annotation.participation",
                    ),
                ),
                (
                    "validates",
                    models.ForeignKey(
                        blank=True,
                        help_text="Whose selections.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="validators",
                        to="annotation.participation",
                    ),
                ),
            ],
            options={
                "ordering": ["project", "round", "seat"],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField()),
                ("sent_at", models.DateTimeField()),
                ("mailed_at", models.DateTimeField(blank=True, help_text="When it went out by e-mail.", null=True)),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                (
                    "broadcast",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="annotation.broadcast",
                    ),
                ),
                (
                    "sender",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "participation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to="annotation.participation",
                    ),
                ),
            ],
            options={
                "ordering": ["participation", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("read_at__isnull", True)), fields=["participation"], name="messages_unread"
                    ),
                    models.Index(
                        condition=models.Q(("mailed_at__isnull", True)), fields=["sent_at"], name="messages_to_mail"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("broadcast__isnull", False)),
                        fields=("broadcast", "participation"),
                        name="one_message_a_broadcast_and_place",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LinkUse",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="uses", to="annotation.invitationlink"
                    ),
                ),
                (
                    "participation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="link_use",
                        to="annotation.participation",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="incident",
            name="participation",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="incidents",
                to="annotation.participation",
            ),
        ),
        migrations.CreateModel(
            name="CrowdSubmission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("submission_id", models.CharField(max_length=64)),
                ("came_at", models.DateTimeField()),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="submissions",
                        to="annotation.crowdstudy",
                    ),
                ),
                (
                    "participation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="submissions",
                        to="annotation.participation",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("study", "submission_id"), name="one_person_a_submission")
                ],
            },
        ),
        migrations.CreateModel(
            name="Bonus",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "amount",
                    models.DecimalField(
                        decimal_places=2, max_digits=8, validators=[django.core.validators.MinValueValidator(0)]
                    ),
                ),
                ("currency", models.CharField(max_length=3)),
                ("reason", models.CharField(max_length=100)),
                ("key", models.CharField(help_text="The reason, spelled the same way each time.", max_length=100)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "planned"),
                            ("sending", "being paid"),
                            ("sent", "paid"),
                            ("uncertain", "uncertain"),
                            ("failed", "not paid"),
                        ],
                        default="planned",
                        max_length=10,
                    ),
                ),
                ("note", models.TextField(blank=True, help_text="What a manager found out about it.")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "payment",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="bonuses",
                        to="annotation.bonuspayment",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT, related_name="bonuses", to="annotation.crowdstudy"
                    ),
                ),
                (
                    "participation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="bonuses",
                        to="annotation.participation",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "bonuses",
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["study", "state"], name="bonuses_by_state")],
                "constraints": [
                    models.UniqueConstraint(fields=("participation", "key"), name="one_bonus_a_reason"),
                    models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="a_bonus_is_money"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state__in", ["sending", "uncertain"]), _negated=True),
                            ("payment__isnull", False),
                            _connector="OR",
                        ),
                        name="only_an_order_pays",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="assignment",
            name="participation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="assignments", to="annotation.participation"
            ),
        ),
        migrations.CreateModel(
            name="PracticeAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("attempt", models.PositiveSmallIntegerField(default=1)),
                ("best", models.PositiveSmallIntegerField()),
                ("worst", models.PositiveSmallIntegerField()),
                ("right", models.BooleanField()),
                ("answered_at", models.DateTimeField()),
                (
                    "seen_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Of a practice task: when the person had read the solution and went on.",
                        null=True,
                    ),
                ),
                (
                    "participation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="practice_answers",
                        to="annotation.participation",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="annotation.practicetask",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("participation", "task", "attempt"), name="one_answer_an_attempt"),
                    models.CheckConstraint(
                        condition=models.Q(("best", models.F("worst")), _negated=True),
                        name="practised_best_is_not_worst",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Project",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "key",
                    models.CharField(
                        max_length=50,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z0-9][a-z0-9-]{0,49}$", "Small letters, digits and hyphens, at most 50."
                            )
                        ],
                    ),
                ),
                ("title", models.CharField(max_length=200)),
                ("protocol_json", models.JSONField(verbose_name="protocol")),
                ("seed", models.BigIntegerField(default=0)),
                (
                    "language",
                    models.CharField(
                        blank=True,
                        help_text="BCP 47, of texts that name none.",
                        max_length=35,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", "A language tag such as en, cs or ar-EG."
                            )
                        ],
                    ),
                ),
                ("guidelines", models.TextField(blank=True, help_text="Markdown, shown to annotators.")),
                (
                    "consent",
                    models.TextField(blank=True, help_text="Markdown; annotators agree to it before they begin."),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "closed_at",
                    models.DateTimeField(blank=True, help_text="A closed project takes no answers.", null=True),
                ),
                (
                    "paused_at",
                    models.DateTimeField(blank=True, help_text="Since when it shows nobody a new screen.", null=True),
                ),
                (
                    "requires_second_factor",
                    models.BooleanField(
                        default=False, help_text="Whether its members have to sign in with a second factor."
                    ),
                ),
                (
                    "draft",
                    models.BooleanField(
                        default=False, help_text="Being set up on its pages: admits nobody before its launch."
                    ),
                ),
                (
                    "launched_at",
                    models.DateTimeField(blank=True, help_text="From then on the protocol does not change.", null=True),
                ),
                (
                    "rehearsal_of",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        help_text="The project of which this is a copy for simulated people; nobody sees it.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rehearsals",
                        to="annotation.project",
                    ),
                ),
            ],
            options={
                "ordering": ["key"],
            },
        ),
        migrations.AddField(
            model_name="practicetask",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="practice_tasks", to="annotation.project"
            ),
        ),
        migrations.AddField(
            model_name="participation",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="participations", to="annotation.project"
            ),
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("manager", "Manager"), ("researcher", "Researcher")],
                        max_length=20,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="annotation.project"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("project", "user"), name="one_role_a_person_and_project")
                ],
            },
        ),
        migrations.CreateModel(
            name="MemberInvitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(max_length=254)),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("manager", "Manager"), ("researcher", "Researcher")],
                        max_length=20,
                    ),
                ),
                ("invited_at", models.DateTimeField()),
                (
                    "invited_by",
                    models.ForeignKey(
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
                        related_name="member_invitations",
                        to="annotation.project",
                    ),
                ),
            ],
            options={
                "ordering": ["project", "email"],
                "constraints": [models.UniqueConstraint(fields=("project", "email"), name="one_invitation_an_address")],
            },
        ),
        migrations.CreateModel(
            name="Mailing",
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
                ("round", models.CharField(max_length=20)),
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="mailings", to="annotation.project"
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
                        name="mailing_not_ended",
                    ),
                    models.Index(fields=["-created_at"], name="mailing_by_time"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemImport",
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
                ("file", models.FileField(upload_to="imports/")),
                ("name", models.CharField(max_length=255)),
                ("imported", models.PositiveIntegerField(default=0)),
                ("check_texts", models.BooleanField(default=False, help_text="Look through the texts first, and ask.")),
                (
                    "expletives",
                    models.JSONField(default=list, help_text="Words to look for, beside those that are at hand."),
                ),
                (
                    "mix",
                    models.JSONField(
                        blank=True, help_text="For a corpus: how many pairs by which heuristic.", null=True
                    ),
                ),
                (
                    "findings",
                    models.JSONField(
                        blank=True, help_text="What the check found; the spread of built pairs.", null=True
                    ),
                ),
                (
                    "cleaning",
                    models.JSONField(
                        blank=True, help_text="The kinds of changes agreed to; null before that.", null=True
                    ),
                ),
                ("problems", models.JSONField(default=list, help_text="The bad rows of a file that was refused.")),
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="imports", to="annotation.project"
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
                        name="itemimport_not_ended",
                    ),
                    models.Index(fields=["-created_at"], name="itemimport_by_time"),
                ],
            },
        ),
        migrations.AddField(
            model_name="item",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="items", to="annotation.project"
            ),
        ),
        migrations.CreateModel(
            name="InvitedAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.CharField(max_length=20)),
                ("address", models.EmailField(help_text="In small letters.", max_length=254)),
                ("name", models.CharField(blank=True, max_length=100)),
                ("language", models.CharField(blank=True, max_length=10)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("sending", "perhaps sent"),
                            ("sent", "sent"),
                            ("failed", "not sent"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("problem", models.TextField(blank=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                (
                    "link",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invited",
                        to="annotation.invitationlink",
                    ),
                ),
                (
                    "mailing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="addresses", to="annotation.mailing"
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invited", to="annotation.project"
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(fields=["project", "-id"], name="invited_by_project"),
                    models.Index(fields=["mailing", "state"], name="invited_by_mailing"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "round", "address"), name="one_invitation_an_address_and_round"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="invitationlink",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="links", to="annotation.project"
            ),
        ),
        migrations.AddField(
            model_name="incident",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="incidents", to="annotation.project"
            ),
        ),
        migrations.CreateModel(
            name="Guest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("nonce", models.CharField(max_length=32)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="guest", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="guests", to="annotation.project"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="group",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="groups", to="annotation.project"
            ),
        ),
        migrations.AddField(
            model_name="crowdstudy",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="studies", to="annotation.project"
            ),
        ),
        migrations.AddField(
            model_name="broadcast",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="broadcasts", to="annotation.project"
            ),
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("project_key", models.CharField(max_length=50)),
                (
                    "place",
                    models.CharField(
                        blank=True, help_text="Round and number of the place, if it is about one.", max_length=60
                    ),
                ),
                (
                    "by",
                    models.CharField(
                        choices=[("system", "the system"), ("member", "a member"), ("annotator", "the annotator")],
                        default="system",
                        max_length=10,
                    ),
                ),
                ("action", models.CharField(max_length=40)),
                ("reason", models.TextField(blank=True)),
                ("details", models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ("at", models.DateTimeField()),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "participation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="annotation.participation",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="audit_entries",
                        to="annotation.project",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ["-at", "-pk"],
                "indexes": [
                    models.Index(fields=["project", "-at"], name="audit_by_project"),
                    models.Index(fields=["project", "action", "-at"], name="audit_by_action"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("project_key", ""), _negated=True), name="an_entry_names_its_project"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("token_key", models.CharField(db_index=True, max_length=25)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expiry", models.DateTimeField(blank=True, null=True)),
                (
                    "name",
                    models.CharField(
                        blank=True, help_text="What it is for, such as the name of a notebook.", max_length=100
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[("read", "read"), ("write", "read and start runs and releases")],
                        default="read",
                        max_length=5,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="auth_token_set",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty for all.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to="annotation.project",
                    ),
                ),
            ],
            options={
                "ordering": ["-created", "pk"],
            },
        ),
        migrations.AddField(
            model_name="annotator",
            name="project",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="annotators", to="annotation.project"
            ),
        ),
        migrations.CreateModel(
            name="Question",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField(help_text="Counts from 1.")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("text", "Text"),
                            ("number", "Number"),
                            ("choice", "Choice"),
                            ("country", "Country"),
                            ("language", "Language"),
                        ],
                        default="text",
                        max_length=10,
                    ),
                ),
                ("text", models.CharField(max_length=300)),
                ("help", models.CharField(blank=True, max_length=300)),
                ("choices", models.JSONField(blank=True, default=list, help_text="Of a choice: a list of texts.")),
                (
                    "published",
                    models.BooleanField(
                        default=False, help_text="Whether answers may leave the project with its data."
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="questions", to="annotation.project"
                    ),
                ),
            ],
            options={
                "ordering": ["project", "position", "pk"],
            },
        ),
        migrations.CreateModel(
            name="PersonalAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(max_length=500)),
                (
                    "annotator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="personal_answers",
                        to="annotation.annotator",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="answers", to="annotation.question"
                    ),
                ),
            ],
            options={
                "ordering": ["question", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("annotator", "question"), name="one_answer_a_question")
                ],
            },
        ),
        migrations.CreateModel(
            name="RecruitingOptions",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "without_address",
                    models.BooleanField(default=False, help_text="People may begin without an e-mail address."),
                ),
                (
                    "project",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="recruiting", to="annotation.project"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RoundDeadline",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.CharField(max_length=20)),
                ("due_at", models.DateTimeField()),
                (
                    "closes",
                    models.BooleanField(default=False, help_text="Whether no new screen is shown after that day."),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deadlines", to="annotation.project"
                    ),
                ),
            ],
            options={
                "ordering": ["project", "round"],
                "constraints": [models.UniqueConstraint(fields=("project", "round"), name="one_deadline_a_round")],
            },
        ),
        migrations.CreateModel(
            name="RoundPlan",
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
                ("round", models.CharField(max_length=20)),
                (
                    "people",
                    models.PositiveIntegerField(
                        blank=True, help_text="Places in all, if a number was asked for.", null=True
                    ),
                ),
                (
                    "calibration",
                    models.JSONField(blank=True, default=list, help_text="Keys of the calibration pairs asked for."),
                ),
                ("seed", models.BigIntegerField()),
                ("outcome", models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                (
                    "certificate",
                    models.JSONField(blank=True, help_text="Of a best-worst design: what it is worth.", null=True),
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
                        on_delete=django.db.models.deletion.CASCADE, related_name="plans", to="annotation.project"
                    ),
                ),
            ],
            options={
                "ordering": ["project", "pk"],
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["waiting", "running"])),
                        fields=["created_at"],
                        name="roundplan_not_ended",
                    ),
                    models.Index(fields=["-created_at"], name="roundplan_by_time"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SelectedPair",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("role", models.CharField(max_length=5)),
                ("value", models.FloatField()),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="selections", to="annotation.item"
                    ),
                ),
                (
                    "judgment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pairs", to="annotation.judgment"
                    ),
                ),
            ],
            options={
                "ordering": ["judgment", "role"],
                "constraints": [
                    models.UniqueConstraint(fields=("judgment", "role"), name="one_pair_a_role"),
                    models.UniqueConstraint(fields=("judgment", "item"), name="one_role_a_pair"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Sentence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField()),
                ("text", models.TextField()),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sentences", to="annotation.document"
                    ),
                ),
            ],
            options={
                "ordering": ["document", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("document", "position"), name="one_sentence_a_position")
                ],
            },
        ),
        migrations.AddField(
            model_name="item",
            name="report_sentence",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotation.sentence",
            ),
        ),
        migrations.AddField(
            model_name="item",
            name="summary_sentence",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotation.sentence",
            ),
        ),
        migrations.AddField(
            model_name="assignment",
            name="sentence",
            field=models.ForeignKey(
                blank=True,
                help_text="S of a selection.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="annotation.sentence",
            ),
        ),
        migrations.CreateModel(
            name="Tuple",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.CharField(max_length=20)),
                (
                    "position",
                    models.PositiveIntegerField(help_text="Counts from 1 in the round, in the order of the design."),
                ),
                ("planned", models.PositiveSmallIntegerField(help_text="Answers wanted, each by another person.")),
                (
                    "given",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="Of these, how many are given or out with somebody; never more than planned.",
                    ),
                ),
                (
                    "rank",
                    models.PositiveIntegerField(
                        default=0, help_text="Among tuples with as few answers, drawn anew each time."
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tuples", to="annotation.project"
                    ),
                ),
            ],
            options={
                "ordering": ["project", "round", "position"],
            },
        ),
        migrations.AddField(
            model_name="assignment",
            name="tuple",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="annotation.tuple",
            ),
        ),
        migrations.CreateModel(
            name="TuplePlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField(help_text="Counts from 1, as designed.")),
                (
                    "again",
                    models.BooleanField(
                        default=False,
                        help_text="The item has a place before this one: only of judgments brought in as they stand.",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="places", to="annotation.item"
                    ),
                ),
                (
                    "tuple",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="places", to="annotation.tuple"
                    ),
                ),
            ],
            options={
                "ordering": ["tuple", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("tuple", "position"), name="one_item_a_place"),
                    models.UniqueConstraint(
                        condition=models.Q(("again", False)), fields=("tuple", "item"), name="an_item_once_a_tuple"
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="tuple",
            name="items",
            field=models.ManyToManyField(related_name="tuples", through="annotation.TuplePlace", to="annotation.item"),
        ),
        migrations.AddConstraint(
            model_name="practicetask",
            constraint=models.UniqueConstraint(fields=("project", "part", "position"), name="one_task_a_position"),
        ),
        migrations.AddIndex(
            model_name="participation",
            index=models.Index(fields=["project", "round", "state"], name="participations_by_state"),
        ),
        migrations.AddIndex(
            model_name="participation",
            index=models.Index(
                condition=models.Q(("state", "resting")), fields=["rest_until"], name="participations_resting"
            ),
        ),
        migrations.AddIndex(
            model_name="participation",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False), ("due_reminded_at__isnull", True)),
                fields=["due_at"],
                name="due_to_remind",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.UniqueConstraint(fields=("project", "round", "seat"), name="one_participation_a_seat"),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("annotator__isnull", False)),
                fields=("annotator", "round"),
                name="one_participation_a_person_and_round",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("annotator__isnull", False), ("state__in", ["invited", "excluded", "left"]), _connector="OR"
                ),
                name="only_people_work",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ["excluded", "left"]), _negated=True),
                    models.Q(("reason", ""), _negated=True),
                    _connector="OR",
                ),
                name="an_end_has_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "finished"), _negated=True), ("finished_at__isnull", False), _connector="OR"
                ),
                name="finished_has_a_time",
            ),
        ),
        migrations.AddIndex(
            model_name="invitationlink",
            index=models.Index(fields=["project", "kind", "-id"], name="links_by_project"),
        ),
        migrations.AddConstraint(
            model_name="invitationlink",
            constraint=models.UniqueConstraint(
                condition=models.Q(("token", ""), _negated=True), fields=("token",), name="one_link_a_token"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitationlink",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "standing")),
                fields=("project", "round", "pool"),
                name="one_standing_link_a_pool",
            ),
        ),
        migrations.AddConstraint(
            model_name="incident",
            constraint=models.UniqueConstraint(fields=("project", "key"), name="one_incident_a_key"),
        ),
        migrations.AddConstraint(
            model_name="group",
            constraint=models.UniqueConstraint(fields=("project", "key"), name="one_group_a_key"),
        ),
        migrations.AddConstraint(
            model_name="crowdstudy",
            constraint=models.UniqueConstraint(
                fields=("project", "round", "platform", "session", "pool"), name="one_study_a_session"
            ),
        ),
        migrations.AddConstraint(
            model_name="crowdstudy",
            constraint=models.UniqueConstraint(
                condition=models.Q(("study_id", ""), _negated=True),
                fields=("project", "platform", "study_id"),
                name="one_study_an_outside_id",
            ),
        ),
        migrations.AddConstraint(
            model_name="crowdstudy",
            constraint=models.UniqueConstraint(
                condition=models.Q(("platform", "prolific"), models.Q(("study_id", ""), _negated=True)),
                fields=("study_id",),
                name="one_project_a_prolific_study",
            ),
        ),
        migrations.AddIndex(
            model_name="broadcast",
            index=models.Index(
                condition=models.Q(("state__in", ["waiting", "running"])),
                fields=["created_at"],
                name="broadcast_not_ended",
            ),
        ),
        migrations.AddIndex(
            model_name="broadcast",
            index=models.Index(fields=["-created_at"], name="broadcast_by_time"),
        ),
        migrations.AddConstraint(
            model_name="broadcast",
            constraint=models.UniqueConstraint(fields=("project", "key"), name="one_broadcast_a_form"),
        ),
        migrations.AddConstraint(
            model_name="annotator",
            constraint=models.UniqueConstraint(
                condition=models.Q(("user__isnull", False)), fields=("project", "user"), name="one_annotator_an_account"
            ),
        ),
        migrations.AddConstraint(
            model_name="annotator",
            constraint=models.UniqueConstraint(
                condition=models.Q(("external_id", ""), _negated=True),
                fields=("project", "external_id"),
                name="one_annotator_an_outside_id",
            ),
        ),
        migrations.AddConstraint(
            model_name="annotator",
            constraint=models.UniqueConstraint(fields=("project", "pseudonym"), name="one_annotator_a_pseudonym"),
        ),
        migrations.AddConstraint(
            model_name="annotator",
            constraint=models.UniqueConstraint(fields=("project", "guest_number"), name="one_annotator_a_guest_number"),
        ),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(fields=["project", "position"], name="items_in_order"),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.UniqueConstraint(fields=("project", "key"), name="one_item_a_key"),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.UniqueConstraint(
                condition=models.Q(("summary_sentence__isnull", False)),
                fields=("summary_sentence", "report_sentence"),
                name="one_item_a_pair_of_sentences",
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.UniqueConstraint(
                condition=models.Q(("calibration_order__isnull", False)),
                fields=("project", "calibration_order"),
                name="one_item_a_calibration_place",
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                condition=models.Q(
                    ("answered_at__isnull", True), ("lapsed_at__isnull", True), ("lent_until__isnull", False)
                ),
                fields=["tuple", "lent_until"],
                name="tuples_lent",
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                condition=models.Q(("answered_at__isnull", True), ("lapsed_at__isnull", True)),
                fields=["participation", "session", "position"],
                name="open_screens",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                fields=("participation", "session", "position"), name="one_screen_a_position"
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("item__isnull", False)),
                fields=("participation", "session", "item"),
                name="an_item_once_a_session",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("sentence__isnull", False)),
                fields=("participation", "session", "sentence"),
                name="a_sentence_once_a_session",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("tuple__isnull", False)),
                fields=("participation", "session", "tuple"),
                name="a_tuple_once_a_session",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("item__isnull", False), ("sentence__isnull", True), ("tuple__isnull", True)),
                    models.Q(("item__isnull", True), ("sentence__isnull", False), ("tuple__isnull", True)),
                    models.Q(("item__isnull", True), ("sentence__isnull", True), ("tuple__isnull", False)),
                    _connector="OR",
                ),
                name="an_item_a_sentence_or_a_tuple",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(("lapsed_at__isnull", True), ("answered_at__isnull", True), _connector="OR"),
                name="only_unanswered_screens_lapse",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(("tuple__isnull", True), models.Q(("order", ""), _negated=True), _connector="OR"),
                name="a_tuple_has_an_order",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("answered_at__isnull", True),
                    ("shown_at__isnull", True),
                    ("answered_at__gte", models.F("shown_at")),
                    _connector="OR",
                ),
                name="shown_before_answered",
            ),
        ),
        migrations.AddIndex(
            model_name="tuple",
            index=models.Index(
                condition=models.Q(("given__lt", models.F("planned"))),
                fields=["project", "round", "given", "rank"],
                name="tuples_to_give",
            ),
        ),
        migrations.AddConstraint(
            model_name="tuple",
            constraint=models.UniqueConstraint(fields=("project", "round", "position"), name="one_tuple_a_position"),
        ),
        migrations.AddConstraint(
            model_name="tuple",
            constraint=models.CheckConstraint(
                condition=models.Q(("given__lte", models.F("planned"))), name="no_more_answers_than_planned"
            ),
        ),
    ]
