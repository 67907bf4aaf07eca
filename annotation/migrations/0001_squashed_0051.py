import annotation.encryption
import annotation.models.people
import django.contrib.auth.validators
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from annotation.migrations._tables import CreateTables


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
        ("annotation", "0017_screening_of_leavers"),
        ("annotation", "0018_judgments_set_aside"),
        ("annotation", "0019_authors_contact_url"),
        ("annotation", "0020_refills_of_all_sessions"),
        ("annotation", "0021_an_item_once_a_block"),
        ("annotation", "0022_open_rating_pool"),
        ("annotation", "0023_tallies"),
        ("annotation", "0024_resume_codes"),
        ("annotation", "0025_wallets"),
        ("annotation", "0026_encrypted_second_factors"),
        ("annotation", "0030_security_log"),
        ("annotation", "0034_inverted_ratings"),
        ("annotation", "0035_what_people_agree_to"),
        ("annotation", "0037_item_figures"),
        ("annotation", "0038_import_layouts"),
        ("annotation", "0039_prolific_studies"),
        ("annotation", "0040_recruiting_by_mail"),
        ("annotation", "0041_words"),
        ("annotation", "0042_known_labels"),
        ("annotation", "0043_waves"),
        ("annotation", "0046_digest_key"),
        ("annotation", "0047_adaptive"),
        ("annotation", "0049_coming"),
        ("annotation", "0051_browser_sessions"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        CreateTables(
            [
                migrations.CreateModel(
                    name="CrowdStudy",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.CharField(max_length=20)),
                        ("pool", models.CharField(blank=True, max_length=20)),
                        ("session", models.PositiveSmallIntegerField(default=1)),
                        (
                            "platform",
                            models.CharField(
                                choices=[("prolific", "Prolific"), ("mturk", "Amazon Mechanical Turk")], max_length=10
                            ),
                        ),
                        (
                            "study_id",
                            models.CharField(blank=True, help_text="As the platform names it.", max_length=64),
                        ),
                        ("completion_code", models.CharField(blank=True, max_length=64)),
                        ("screen_out_code", models.CharField(blank=True, max_length=64)),
                        ("no_consent_code", models.CharField(blank=True, max_length=64)),
                        (
                            "signed",
                            models.BooleanField(
                                default=False, help_text="Only addresses with a valid signature of Prolific admit."
                            ),
                        ),
                        (
                            "open",
                            models.BooleanField(
                                default=True,
                                help_text="A closed study admits nobody new; those already in can continue.",
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        "verbose_name_plural": "crowd studies",
                        "ordering": ["project", "round", "platform", "session"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("platform", "prolific"), models.Q(("study_id", ""), _negated=True)),
                                fields=("study_id",),
                                name="one_project_a_prolific_study",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Group",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "part",
                            models.CharField(
                                choices=[("example", "Example"), ("practice", "Practice"), ("check", "Check")],
                                max_length=10,
                            ),
                        ),
                        ("position", models.PositiveIntegerField(help_text="Counts from 1 in its part.")),
                        (
                            "texts",
                            models.JSONField(
                                help_text="A list of texts for each item: two of a pair, one of an utterance."
                            ),
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        (
                            "date_joined",
                            models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined"),
                        ),
                        (
                            "language",
                            models.CharField(
                                blank=True,
                                help_text="Of pages and emails; empty: as the browser requests.",
                                max_length=10,
                            ),
                        ),
                        (
                            "time_zone",
                            models.CharField(
                                blank=True, help_text="An IANA name such as Europe/Prague.", max_length=64
                            ),
                        ),
                        (
                            "opens_projects",
                            models.BooleanField(default=False, help_text="May open projects of their own."),
                        ),
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
                        ("objects", annotation.models.people.Accounts()),
                    ],
                ),
                migrations.CreateModel(
                    name="Annotator",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("external_id", models.CharField(blank=True, max_length=200)),
                        ("pseudonym", models.CharField(max_length=20)),
                        (
                            "guest_number",
                            models.PositiveIntegerField(
                                blank=True,
                                help_text="Of an annotator with neither an email address nor an external ID; counted from 1 in the project.",
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
                                blank=True,
                                help_text="When they answered or skipped the questions about themselves.",
                                null=True,
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
                            "outside_id",
                            models.CharField(
                                blank=True,
                                help_text="As the platform names the order; empty until payment is requested.",
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
                            "key",
                            models.UUIDField(
                                help_text="Of the form that was sent; the same form twice is one message."
                            ),
                        ),
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
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="broadcast_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="broadcast_by_time"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="BrowserSession",
                    fields=[
                        (
                            "session_key",
                            models.CharField(
                                max_length=40, primary_key=True, serialize=False, verbose_name="session key"
                            ),
                        ),
                        ("session_data", models.TextField(verbose_name="session data")),
                        ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                        ("browser", models.CharField(blank=True, help_text="Such as Firefox (Linux).", max_length=60)),
                        (
                            "began_at",
                            models.DateTimeField(
                                help_text="Empty for sessions of versions that did not store it.", null=True
                            ),
                        ),
                        ("used_at", models.DateTimeField(help_text="Not more exact than a few minutes.")),
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="browser_sessions",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-used_at"],
                    },
                ),
                migrations.CreateModel(
                    name="CrowdRefusal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("visit", models.CharField(max_length=64)),
                        ("at", models.DateTimeField()),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="refusals",
                                to="annotation.crowdstudy",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [models.UniqueConstraint(fields=("study", "visit"), name="one_refusal_a_visit")],
                    },
                ),
                migrations.CreateModel(
                    name="DigestKey",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", annotation.encryption.EncryptedText()),
                    ],
                    options={
                        "constraints": [models.CheckConstraint(condition=models.Q(("pk", 1)), name="one_digest_key")],
                    },
                ),
                migrations.CreateModel(
                    name="Document",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(choices=[("summary", "Summary"), ("report", "Report")], max_length=10),
                        ),
                        ("key", models.CharField(max_length=200)),
                        ("title", models.TextField(blank=True)),
                        ("position", models.PositiveIntegerField()),
                        (
                            "incident",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="documents",
                                to="annotation.incident",
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("administered_at", models.DateTimeField()),
                    ],
                    options={
                        "constraints": [models.CheckConstraint(condition=models.Q(("pk", 1)), name="one_installation")],
                    },
                ),
                migrations.CreateModel(
                    name="InvitationLink",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                            "language",
                            models.CharField(
                                blank=True, help_text="Of the annotators it is for; quotas count them.", max_length=20
                            ),
                        ),
                        (
                            "most",
                            models.PositiveIntegerField(
                                blank=True, help_text="Maximum number of annotators; empty for no limit.", null=True
                            ),
                        ),
                        ("expires_at", models.DateTimeField(blank=True, null=True)),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
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
                    ],
                    options={
                        "ordering": ["-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("token", ""), _negated=True),
                                fields=("token",),
                                name="one_link_a_token",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Item",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        (
                            "gold",
                            models.BooleanField(blank=True, help_text="Known to be similar, or dissimilar.", null=True),
                        ),
                        ("calibration_order", models.PositiveIntegerField(blank=True, null=True)),
                        ("source", models.TextField(blank=True)),
                        (
                            "withdrawn_at",
                            models.DateTimeField(
                                blank=True, help_text="Not shown, and in no score, since then.", null=True
                            ),
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("session", models.PositiveSmallIntegerField()),
                        (
                            "context",
                            models.CharField(choices=[("free", "free"), ("dependent", "dependent")], max_length=10),
                        ),
                        (
                            "block",
                            models.CharField(
                                choices=[("calibration", "calibration"), ("main", "main"), ("intra", "intra")],
                                max_length=12,
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
                                help_text="Of a screen of an open round: after this it may be passed on, if unanswered.",
                                null=True,
                            ),
                        ),
                        (
                            "lapsed_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="When it went back to the pool or was withdrawn, unanswered.",
                                null=True,
                            ),
                        ),
                        (
                            "shown_at",
                            models.DateTimeField(blank=True, help_text="First shown, server time.", null=True),
                        ),
                        (
                            "answered_at",
                            models.DateTimeField(blank=True, help_text="First answered, server time.", null=True),
                        ),
                        (
                            "tally",
                            models.JSONField(
                                blank=True,
                                editable=False,
                                help_text="Of the present screen: how far its person was when it was shown.",
                                null=True,
                            ),
                        ),
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
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("lapsed_at__isnull", True), ("answered_at__isnull", True), _connector="OR"
                                ),
                                name="only_unanswered_screens_lapse",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("answered_at__isnull", True),
                                    ("shown_at__isnull", True),
                                    ("answered_at__gte", models.F("shown_at")),
                                    _connector="OR",
                                ),
                                name="shown_before_answered",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ItemImport",
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
                        ("file", models.FileField(upload_to="imports/")),
                        ("name", models.CharField(max_length=255)),
                        ("imported", models.PositiveIntegerField(default=0)),
                        (
                            "check_texts",
                            models.BooleanField(default=False, help_text="Check the texts before importing, and ask."),
                        ),
                        (
                            "expletives",
                            models.JSONField(
                                default=list, help_text="Words to look for, in addition to the built-in list."
                            ),
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
                            "encoding",
                            models.CharField(
                                blank=True, help_text="As it was confirmed; empty for UTF-8 and UTF-16.", max_length=20
                            ),
                        ),
                        (
                            "columns",
                            models.JSONField(
                                default=dict, help_text="Other names for columns of the file, by their names there."
                            ),
                        ),
                        (
                            "cleaning",
                            models.JSONField(
                                blank=True, help_text="The kinds of changes agreed to; null before that.", null=True
                            ),
                        ),
                        (
                            "problems",
                            models.JSONField(default=list, help_text="The bad rows of a file that was refused."),
                        ),
                        (
                            "undone_at",
                            models.DateTimeField(blank=True, help_text="When its items were deleted again.", null=True),
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
                    name="item_import",
                    field=models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="items",
                        to="annotation.itemimport",
                    ),
                ),
                migrations.AddField(
                    model_name="incident",
                    name="item_import",
                    field=models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="incidents",
                        to="annotation.itemimport",
                    ),
                ),
                migrations.AddField(
                    model_name="group",
                    name="item_import",
                    field=models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="groups",
                        to="annotation.itemimport",
                    ),
                ),
                migrations.CreateModel(
                    name="Judgment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.UUIDField(help_text="Made with the form: the same key is the same answer.")),
                        ("value", models.FloatField(blank=True, null=True)),
                        ("hard_to_say", models.BooleanField(default=False)),
                        (
                            "inversion",
                            models.CharField(
                                blank=True,
                                choices=[("kept", "Kept"), ("changed", "Changed")],
                                db_default="",
                                help_text="Of a selection; empty if not asked.",
                                max_length=7,
                            ),
                        ),
                        (
                            "invalid",
                            models.BooleanField(
                                default=False,
                                help_text="An imported choice with an item twice, or with the same item as best and worst.",
                            ),
                        ),
                        (
                            "set_aside",
                            models.BooleanField(
                                default=False,
                                help_text="An invalid choice that was imported with a mark only: it does not count.",
                            ),
                        ),
                        ("superseded_at", models.DateTimeField(blank=True, null=True)),
                        ("saved_at", models.DateTimeField(help_text="Server time.")),
                        (
                            "touched_ms",
                            models.PositiveIntegerField(
                                blank=True, help_text="From shown to first touched.", null=True
                            ),
                        ),
                        (
                            "answered_ms",
                            models.PositiveIntegerField(blank=True, help_text="From shown to answered.", null=True),
                        ),
                        (
                            "active_ms",
                            models.PositiveIntegerField(
                                blank=True, help_text="Of these, with the page in use.", null=True
                            ),
                        ),
                        (
                            "adjustments",
                            models.PositiveIntegerField(blank=True, help_text="Changes of the value.", null=True),
                        ),
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.CharField(max_length=20)),
                        ("seat", models.PositiveIntegerField(help_text="Counts from 1 in the round.")),
                        ("pool", models.CharField(blank=True, max_length=20)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("invited", "Not started"),
                                    ("active", "In progress"),
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
                                    ("invited", "Not started"),
                                    ("active", "In progress"),
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
                            "passed_on",
                            models.BooleanField(
                                default=False,
                                help_text="Of who left: pairs that they did not rate in every session are rated again by their replacement.",
                            ),
                        ),
                        (
                            "invited_at",
                            models.DateTimeField(
                                blank=True, help_text="When they were notified, or came on their own.", null=True
                            ),
                        ),
                        (
                            "most",
                            models.PositiveIntegerField(
                                blank=True,
                                help_text="In an open round: the maximum number of tuples or items; empty for no limit.",
                                null=True,
                            ),
                        ),
                        ("consented_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "consent_version",
                            models.PositiveIntegerField(
                                blank=True,
                                help_text="The number of the `ConsentText` that they agreed to; empty if none was kept.",
                                null=True,
                            ),
                        ),
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
                            models.DateTimeField(
                                blank=True, help_text="End of the pause after the last session.", null=True
                            ),
                        ),
                        ("rest_shortened", models.BooleanField(default=False)),
                        ("reminded_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "stopped_reminded_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="When they were reminded because they had not answered for some days.",
                                null=True,
                            ),
                        ),
                        (
                            "due_at",
                            models.DateTimeField(
                                blank=True, help_text="The day by which the round is to be finished.", null=True
                            ),
                        ),
                        (
                            "due_closes",
                            models.BooleanField(
                                default=False, help_text="Whether no new screen is shown after that day."
                            ),
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
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="refills",
                                related_query_name="refill",
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
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state", "resting")),
                                fields=["rest_until"],
                                name="participations_resting",
                            ),
                            models.Index(
                                condition=models.Q(("due_at__isnull", False), ("due_reminded_at__isnull", True)),
                                fields=["due_at"],
                                name="due_to_remind",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("annotator__isnull", False)),
                                fields=("annotator", "round"),
                                name="one_participation_a_person_and_round",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("annotator__isnull", False),
                                    ("state__in", ["invited", "excluded", "left"]),
                                    _connector="OR",
                                ),
                                name="only_people_work",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("state__in", ["excluded", "left"]), _negated=True),
                                    models.Q(("reason", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="an_end_has_a_reason",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("state", "finished"), _negated=True),
                                    ("finished_at__isnull", False),
                                    _connector="OR",
                                ),
                                name="finished_has_a_time",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Message",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("text", models.TextField()),
                        ("sent_at", models.DateTimeField()),
                        (
                            "mailed_at",
                            models.DateTimeField(blank=True, help_text="When it was sent by email.", null=True),
                        ),
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
                                condition=models.Q(("read_at__isnull", True)),
                                fields=["participation"],
                                name="messages_unread",
                            ),
                            models.Index(
                                condition=models.Q(("mailed_at__isnull", True)),
                                fields=["sent_at"],
                                name="messages_to_mail",
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "link",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="uses",
                                to="annotation.invitationlink",
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "amount",
                            models.DecimalField(
                                decimal_places=2, max_digits=8, validators=[django.core.validators.MinValueValidator(0)]
                            ),
                        ),
                        ("currency", models.CharField(max_length=3)),
                        ("reason", models.CharField(max_length=100)),
                        (
                            "key",
                            models.CharField(help_text="The reason, spelled the same way each time.", max_length=100),
                        ),
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
                                on_delete=django.db.models.deletion.RESTRICT,
                                related_name="bonuses",
                                to="annotation.crowdstudy",
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
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assignments",
                        to="annotation.participation",
                    ),
                ),
                migrations.CreateModel(
                    name="PooledItem",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.CharField(max_length=20)),
                        (
                            "position",
                            models.PositiveIntegerField(
                                help_text="Counts from 1 in the round, in the order of the design."
                            ),
                        ),
                        (
                            "planned",
                            models.PositiveSmallIntegerField(help_text="Answers wanted, each by another person."),
                        ),
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
                                default=0,
                                help_text="Order among tuples with equally few answers; drawn again each time.",
                            ),
                        ),
                        (
                            "pool",
                            models.CharField(
                                blank=True, help_text="The group of raters, as of their places.", max_length=20
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="pooled", to="annotation.item"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "round", "pool", "position"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("given__lte", models.F("planned"))),
                                name="no_more_ratings_than_planned",
                            )
                        ],
                    },
                ),
                migrations.AddField(
                    model_name="assignment",
                    name="pooled",
                    field=models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The entry of the item in the pool that it was taken from, in an open round of ratings.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="annotation.pooleditem",
                    ),
                ),
                migrations.CreateModel(
                    name="PracticeAnswer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("attempt", models.PositiveSmallIntegerField(default=1)),
                        ("best", models.PositiveSmallIntegerField()),
                        ("worst", models.PositiveSmallIntegerField()),
                        ("right", models.BooleanField()),
                        ("answered_at", models.DateTimeField()),
                        (
                            "seen_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="Of a practice task: when the annotator had read the solution and continued.",
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
                            models.UniqueConstraint(
                                fields=("participation", "task", "attempt"), name="one_answer_an_attempt"
                            ),
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        (
                            "authors",
                            models.TextField(
                                blank=True, help_text="Of the data, one per line; releases name them in this order."
                            ),
                        ),
                        (
                            "contact",
                            models.CharField(
                                blank=True, help_text="Whom to ask about the data; in every release.", max_length=200
                            ),
                        ),
                        (
                            "url",
                            models.URLField(
                                blank=True,
                                help_text="Where the data are published; in every release.",
                                verbose_name="URL",
                            ),
                        ),
                        (
                            "pay",
                            models.CharField(
                                blank=True,
                                help_text="What people get, as they read it before they agree.",
                                max_length=200,
                            ),
                        ),
                        (
                            "contact_person",
                            models.CharField(blank=True, help_text="Whom annotators can contact.", max_length=200),
                        ),
                        (
                            "contact_address",
                            models.CharField(
                                blank=True, help_text="Their email address or telephone number.", max_length=200
                            ),
                        ),
                        (
                            "ethics_approval",
                            models.CharField(
                                blank=True, help_text="The committee, and the approval's number.", max_length=300
                            ),
                        ),
                        ("guidelines", models.TextField(blank=True, help_text="Markdown, shown to annotators.")),
                        (
                            "consent",
                            models.TextField(
                                blank=True, help_text="Markdown; annotators agree to it before they begin."
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "closed_at",
                            models.DateTimeField(blank=True, help_text="A closed project takes no answers.", null=True),
                        ),
                        (
                            "paused_at",
                            models.DateTimeField(
                                blank=True, help_text="Since when it shows nobody a new screen.", null=True
                            ),
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
                            models.DateTimeField(
                                blank=True, help_text="From then on the protocol does not change.", null=True
                            ),
                        ),
                        (
                            "layout",
                            models.PositiveIntegerField(
                                default=0,
                                editable=False,
                                help_text="Counts the changes to screens that people have already; see `Assignment.tally`.",
                            ),
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
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="practice_tasks",
                        to="annotation.project",
                    ),
                ),
                migrations.AddField(
                    model_name="pooleditem",
                    name="project",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pooled_items",
                        to="annotation.project",
                    ),
                ),
                migrations.AddField(
                    model_name="participation",
                    name="project",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="participations",
                        to="annotation.project",
                    ),
                ),
                migrations.CreateModel(
                    name="Membership",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to="annotation.project",
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "email"), name="one_invitation_an_address")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MailTemplate",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("invitation", "Invitation"),
                                    ("place", "Invitation from the waiting list"),
                                    ("reminder", "Reminder to people who stopped"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("subject", models.CharField(max_length=150)),
                        ("body", models.TextField()),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="mail_templates",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "kind"), name="one_template_a_kind")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Mailing",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="mailings",
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
                                name="mailing_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="mailing_by_time"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="JudgmentUpload",
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
                        ("file", models.FileField(upload_to="judgments/")),
                        ("name", models.CharField(max_length=255)),
                        (
                            "format",
                            models.CharField(
                                blank=True, help_text="As it was chosen; empty to recognize it.", max_length=20
                            ),
                        ),
                        (
                            "options",
                            models.JSONField(
                                default=dict, help_text="The round, the question, and what to do with which rows."
                            ),
                        ),
                        ("findings", models.JSONField(blank=True, help_text="What is in the file.", null=True)),
                        (
                            "confirmed",
                            models.BooleanField(default=False, help_text="Whether somebody agreed to what is in it."),
                        ),
                        (
                            "problems",
                            models.JSONField(default=list, help_text="The bad rows of a file that was refused."),
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
                                related_name="judgment_uploads",
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
                                name="judgmentupload_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="judgmentupload_by_time"),
                        ],
                    },
                ),
                migrations.AddField(
                    model_name="itemimport",
                    name="project",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="imports", to="annotation.project"
                    ),
                ),
                migrations.CreateModel(
                    name="ItemFigures",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.CharField(max_length=20)),
                        ("context", models.CharField(max_length=10)),
                        (
                            "wanted",
                            models.PositiveIntegerField(
                                default=0, help_text="Answers planned, of people whose answers count."
                            ),
                        ),
                        ("answers", models.PositiveIntegerField(default=0, help_text="Answers that count.")),
                        (
                            "value",
                            models.FloatField(
                                blank=True, help_text="Mean of the ratings, or score of the choices.", null=True
                            ),
                        ),
                        ("deviation", models.FloatField(blank=True, help_text="Sample standard deviation.", null=True)),
                        (
                            "low",
                            models.FloatField(
                                blank=True, help_text="95 % confidence interval of the value.", null=True
                            ),
                        ),
                        ("high", models.FloatField(blank=True, null=True)),
                        (
                            "disputed",
                            models.BooleanField(
                                default=False, help_text="Among the items on which people disagree most."
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="figures",
                                to="annotation.item",
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["project", "round", "context"], name="item_figures_of_a_part")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("item", "round", "context"), name="figures_once_an_item_and_context"
                            )
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="addresses",
                                to="annotation.mailing",
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invited",
                                to="annotation.project",
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("nonce", models.CharField(max_length=32)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="guest",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="guests",
                                to="annotation.project",
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
                migrations.CreateModel(
                    name="ConsentText",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "number",
                            models.PositiveIntegerField(
                                help_text="`Participation.consent_version` of those who agreed to it."
                            ),
                        ),
                        (
                            "text",
                            models.TextField(
                                blank=True, help_text="Markdown; empty for the sentence that is shown without a text."
                            ),
                        ),
                        ("first_at", models.DateTimeField()),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="consent_texts",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "number"), name="one_consent_text_a_number")
                        ],
                    },
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("project_key", models.CharField(max_length=50)),
                        (
                            "place",
                            models.CharField(
                                blank=True,
                                help_text="Round and number of the place, if it is about one.",
                                max_length=60,
                            ),
                        ),
                        (
                            "by",
                            models.CharField(
                                choices=[
                                    ("system", "the system"),
                                    ("member", "a member"),
                                    ("annotator", "the annotator"),
                                ],
                                default="system",
                                max_length=10,
                            ),
                        ),
                        ("action", models.CharField(max_length=40)),
                        ("reason", models.TextField(blank=True)),
                        (
                            "details",
                            models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "actor",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                to=settings.AUTH_USER_MODEL,
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
                                condition=models.Q(("project_key", ""), _negated=True),
                                name="an_entry_names_its_project",
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
                                choices=[("read", "Read"), ("write", "Read, and start runs and releases")],
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
                    name="ProlificStudy",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=120)),
                        ("internal_name", models.CharField(blank=True, max_length=120)),
                        ("description", models.TextField()),
                        ("places", models.PositiveIntegerField()),
                        ("reward", models.PositiveIntegerField(help_text="For one participant, in cents or pence.")),
                        ("minutes", models.PositiveIntegerField(help_text="Estimated time for one participant.")),
                        ("devices", models.JSONField(default=list)),
                        (
                            "filters",
                            models.JSONField(default=list, help_text="Screeners, with their names on the pages."),
                        ),
                        (
                            "approves",
                            models.BooleanField(
                                default=False, help_text="Prolific approves submissions with the completion code."
                            ),
                        ),
                        ("status", models.CharField(blank=True, max_length=30)),
                        ("places_taken", models.PositiveIntegerField(default=0)),
                        ("currency", models.CharField(blank=True, max_length=3)),
                        ("read_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "study",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="prolific",
                                to="annotation.crowdstudy",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "Prolific studies",
                    },
                ),
                migrations.CreateModel(
                    name="Question",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        (
                            "choices",
                            models.JSONField(blank=True, default=list, help_text="Of a choice: a list of texts."),
                        ),
                        (
                            "published",
                            models.BooleanField(
                                default=False, help_text="Whether answers may leave the project with its data."
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="questions",
                                to="annotation.project",
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="answers",
                                to="annotation.question",
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
                    name="Quota",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.CharField(max_length=20)),
                        ("pool", models.CharField(blank=True, max_length=20)),
                        ("language", models.CharField(blank=True, max_length=20)),
                        ("most", models.PositiveIntegerField()),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="quotas",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["round", "pool", "language"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("project", "round", "pool", "language"), name="one_quota_a_group"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("language", ""), ("pool", ""), _negated=True),
                                name="a_quota_has_a_group",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RecruitingOptions",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "without_address",
                            models.BooleanField(
                                default=False, help_text="Annotators can start without an email address."
                            ),
                        ),
                        (
                            "stopped_days",
                            models.PositiveSmallIntegerField(
                                blank=True,
                                help_text="Days without an answer before annotators are reminded once; empty for never.",
                                null=True,
                            ),
                        ),
                        (
                            "project",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="recruiting",
                                to="annotation.project",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="RoundDeadline",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.CharField(max_length=20)),
                        ("due_at", models.DateTimeField()),
                        (
                            "closes",
                            models.BooleanField(
                                default=False, help_text="Whether no new screen is shown after that day."
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deadlines",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "round"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "round"), name="one_deadline_a_round")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RoundPlan",
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
                        ("round", models.CharField(max_length=20)),
                        (
                            "people",
                            models.PositiveIntegerField(
                                blank=True, help_text="Total number of places, if requested.", null=True
                            ),
                        ),
                        (
                            "calibration",
                            models.JSONField(
                                blank=True, default=list, help_text="Keys of the requested calibration pairs."
                            ),
                        ),
                        ("seed", models.BigIntegerField()),
                        (
                            "outcome",
                            models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder),
                        ),
                        (
                            "certificate",
                            models.JSONField(
                                blank=True, help_text="Of a best-worst design: what it is worth.", null=True
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
                                related_name="plans",
                                to="annotation.project",
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
                    name="SecurityEvent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=40)),
                        (
                            "address",
                            models.CharField(
                                blank=True, help_text="Of the client, where there was a request.", max_length=50
                            ),
                        ),
                        ("project_key", models.CharField(blank=True, max_length=50)),
                        ("details", models.JSONField(default=dict)),
                        ("at", models.DateTimeField()),
                        (
                            "user",
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
                        "ordering": ["-at", "-pk"],
                        "indexes": [
                            models.Index(fields=["-at", "-id"], name="security_by_time"),
                            models.Index(fields=["kind", "-at", "-id"], name="security_by_kind"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SelectedPair",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("role", models.CharField(max_length=5)),
                        ("value", models.FloatField()),
                        (
                            "item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="selections",
                                to="annotation.item",
                            ),
                        ),
                        (
                            "judgment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pairs",
                                to="annotation.judgment",
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.PositiveIntegerField()),
                        ("text", models.TextField()),
                        (
                            "document",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sentences",
                                to="annotation.document",
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.CharField(max_length=20)),
                        (
                            "position",
                            models.PositiveIntegerField(
                                help_text="Counts from 1 in the round, in the order of the design."
                            ),
                        ),
                        (
                            "planned",
                            models.PositiveSmallIntegerField(help_text="Answers wanted, each by another person."),
                        ),
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
                                default=0,
                                help_text="Order among tuples with equally few answers; drawn again each time.",
                            ),
                        ),
                        (
                            "wave",
                            models.PositiveIntegerField(
                                blank=True,
                                help_text="The adaptive wave that it was chosen for; null if it is of the first design.",
                                null=True,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="tuples",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "round", "position"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("given__lt", models.F("planned"))),
                                fields=["project", "round", "given", "rank"],
                                name="tuples_to_give",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("project", "round", "position"), name="one_tuple_a_position"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("given__lte", models.F("planned"))),
                                name="no_more_answers_than_planned",
                            ),
                        ],
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField(help_text="Counts from 1, as designed.")),
                        (
                            "again",
                            models.BooleanField(
                                default=False,
                                help_text="The item already has a place in the tuple; only for imported judgments.",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="places",
                                to="annotation.tuple",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["tuple", "position"],
                        "constraints": [
                            models.UniqueConstraint(fields=("tuple", "position"), name="one_item_a_place"),
                            models.UniqueConstraint(
                                condition=models.Q(("again", False)),
                                fields=("tuple", "item"),
                                name="an_item_once_a_tuple",
                            ),
                        ],
                    },
                ),
                migrations.AddField(
                    model_name="tuple",
                    name="items",
                    field=models.ManyToManyField(
                        related_name="tuples", through="annotation.TuplePlace", to="annotation.item"
                    ),
                ),
                migrations.CreateModel(
                    name="Unsubscribed",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("digest", models.CharField(max_length=64)),
                        ("at", models.DateTimeField()),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="unsubscribed",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "unsubscribed",
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "digest"), name="unsubscribed_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WaitingPerson",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.CharField(max_length=20)),
                        ("pool", models.CharField(blank=True, max_length=20)),
                        ("address", models.EmailField(help_text="In small letters.", max_length=254)),
                        (
                            "language",
                            models.CharField(
                                blank=True,
                                help_text="Language of the page on which they joined the waiting list.",
                                max_length=10,
                            ),
                        ),
                        (
                            "group",
                            models.CharField(
                                blank=True, help_text="The language of the link by which they came.", max_length=20
                            ),
                        ),
                        ("came_at", models.DateTimeField()),
                        ("invited_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "link",
                            models.OneToOneField(
                                blank=True,
                                help_text="That they were sent.",
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="waiting",
                                to="annotation.invitationlink",
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="waiting",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["came_at", "pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("invited_at__isnull", True)),
                                fields=["project", "came_at"],
                                name="waiting_by_time",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("project", "round", "pool", "address"), name="waiting_once_for_a_round"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Wallet",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("token", annotation.encryption.EncryptedText(blank=True)),
                        ("aws_key_id", models.CharField(blank=True, max_length=128)),
                        ("aws_secret", annotation.encryption.EncryptedText(blank=True)),
                        (
                            "aws_sandbox",
                            models.BooleanField(
                                default=False, help_text="The key pays in Mechanical Turk's sandbox only."
                            ),
                        ),
                        ("saved_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "allowed_at",
                            models.DateTimeField(
                                blank=True, help_text="Since when owners pay without a second factor.", null=True
                            ),
                        ),
                        (
                            "project",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="wallet",
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
                ),
                migrations.CreateModel(
                    name="Wave",
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
                        ("round", models.CharField(max_length=20)),
                        ("number", models.PositiveIntegerField(help_text="Counts from 1 in the round.")),
                        (
                            "seed",
                            models.BigIntegerField(
                                help_text="Of the look after it, which orders items that gain equally."
                            ),
                        ),
                        ("opened", models.PositiveIntegerField(help_text="Judgments that it added to the pool.")),
                        ("entries", models.PositiveIntegerField(help_text="Items or tuples that they are for.")),
                        (
                            "found",
                            models.JSONField(blank=True, help_text="What the look found; null before that.", null=True),
                        ),
                        (
                            "decision",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("continue", "Another wave"),
                                    ("target", "Target reached"),
                                    ("budget", "Budget spent"),
                                    ("looks", "Last wave"),
                                    ("room", "No item can get more judgments"),
                                    ("manager", "Stopped by a manager"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "further",
                            models.PositiveIntegerField(
                                blank=True,
                                help_text="Judgments that a manager opened after it, whatever was found.",
                                null=True,
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
                                related_name="waves",
                                to="annotation.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["project", "round", "number"],
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=["created_at"],
                                name="wave_not_ended",
                            ),
                            models.Index(fields=["-created_at"], name="wave_by_time"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "round", "number"), name="one_wave_a_number")
                        ],
                    },
                ),
                migrations.AddConstraint(
                    model_name="practicetask",
                    constraint=models.UniqueConstraint(
                        fields=("project", "part", "position"), name="one_task_a_position"
                    ),
                ),
                migrations.AddIndex(
                    model_name="pooleditem",
                    index=models.Index(
                        condition=models.Q(("given__lt", models.F("planned"))),
                        fields=["project", "round", "pool", "given", "rank"],
                        name="pooled_items_to_give",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="pooleditem",
                    constraint=models.UniqueConstraint(
                        fields=("project", "round", "pool", "item"), name="an_item_once_a_pool"
                    ),
                ),
                migrations.AddIndex(
                    model_name="participation",
                    index=models.Index(fields=["project", "round", "state"], name="participations_by_state"),
                ),
                migrations.AddConstraint(
                    model_name="participation",
                    constraint=models.UniqueConstraint(
                        fields=("project", "round", "seat"), name="one_participation_a_seat"
                    ),
                ),
                migrations.AddIndex(
                    model_name="invitationlink",
                    index=models.Index(fields=["project", "kind", "-id"], name="links_by_project"),
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
                    model_name="broadcast",
                    constraint=models.UniqueConstraint(fields=("project", "key"), name="one_broadcast_a_form"),
                ),
                migrations.AddConstraint(
                    model_name="annotator",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("user__isnull", False)),
                        fields=("project", "user"),
                        name="one_annotator_an_account",
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
                    constraint=models.UniqueConstraint(
                        fields=("project", "pseudonym"), name="one_annotator_a_pseudonym"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="annotator",
                    constraint=models.UniqueConstraint(
                        fields=("project", "guest_number"), name="one_annotator_a_guest_number"
                    ),
                ),
                migrations.AddIndex(
                    model_name="item",
                    index=models.Index(fields=["project", "position"], name="items_in_order"),
                ),
                migrations.AddIndex(
                    model_name="item",
                    index=models.Index(
                        condition=models.Q(("gold__isnull", False)),
                        fields=["project", "position"],
                        name="items_with_a_known_label",
                    ),
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
                        condition=models.Q(("pooled__isnull", False)), fields=["pooled"], name="pooled_screens"
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
                        fields=("participation", "session", "item", "block"),
                        name="an_item_once_a_block",
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
                        condition=models.Q(
                            ("tuple__isnull", True), models.Q(("order", ""), _negated=True), _connector="OR"
                        ),
                        name="a_tuple_has_an_order",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="assignment",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("pooled__isnull", True), ("item__isnull", False), _connector="OR"),
                        name="a_pooled_screen_has_an_item",
                    ),
                ),
            ]
        )
    ]
