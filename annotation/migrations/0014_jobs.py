"""Imports, plans, broadcasts, mailings and payments are jobs, with the same fields and states."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

FIELDS = {
    "state": models.CharField(
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
    "attempts": models.PositiveIntegerField(default=0, help_text="Number of the latest attempt."),
    "attempts_before": models.PositiveIntegerField(
        default=0, help_text="Attempts made before it was queued again; they do not count towards the limit."
    ),
    "heartbeat_at": models.DateTimeField(
        blank=True, null=True, help_text="Last sign of the worker, or when it was last sent to one."
    ),
    "not_before": models.DateTimeField(blank=True, null=True, help_text="When to try, or to try again."),
    "step": models.CharField(blank=True, max_length=20, help_text="What is being done."),
    "done": models.PositiveIntegerField(default=0, help_text="How much of this step is done."),
    "total": models.PositiveIntegerField(default=0),
    "problem": models.TextField(blank=True, help_text="Why it failed, or why it will be tried again."),
    "created_by": models.ForeignKey(
        settings.AUTH_USER_MODEL, django.db.models.deletion.SET_NULL, blank=True, null=True, related_name="+"
    ),
    "created_at": models.DateTimeField(default=django.utils.timezone.now),
    "started_at": models.DateTimeField(blank=True, null=True, help_text="When the latest attempt began."),
    "ended_at": models.DateTimeField(blank=True, null=True),
}
HAD = {
    "itemimport": {"state", "created_by", "created_at", "started_at", "ended_at"},
    "roundplan": {"state", "problem", "created_by", "created_at", "started_at", "ended_at"},
    "broadcast": {"created_by", "created_at", "ended_at"},
    "mailing": {"state", "problem", "created_by", "created_at"},
    "bonuspayment": {"state", "problem", "created_by", "created_at", "started_at", "ended_at"},
}
NOT_ENDED = models.Q(("state__in", ["waiting", "running"]))


def as_jobs(had):
    """The operations that give every model all fields of a job, of which it had some."""
    for model, known in had.items():
        for name, field in FIELDS.items():
            operation = migrations.AlterField if name in known else migrations.AddField
            yield operation(model, name, field.clone())


def indexed(models_):
    for model in models_:
        for name, fields, condition in ((f"{model}_not_ended", ["created_at"], NOT_ENDED), (f"{model}_by_time", ["-created_at"], None)):
            yield migrations.AddIndex(model, models.Index(fields=fields, condition=condition, name=name))


def convert(apps, schema_editor):
    rows = {name: apps.get_model("annotation", name).objects for name in HAD}
    rows["broadcast"].filter(ended_at__isnull=False).update(state="done")
    rows["bonuspayment"].filter(state="sent").update(state="done")
    rows["bonuspayment"].filter(state__in=["preparing", "paying"]).update(state="running")
    for job in rows["itemimport"].filter(state__in=["refused", "failed"]):
        _explain(job)
    rows["roundplan"].filter(state="refused").update(state="failed")
    for each in rows.values():
        each.exclude(state="waiting").update(attempts=1)
        # Their workers are taken for lost, and the sweep takes them up.
        each.filter(state="running").update(heartbeat_at=models.F("started_at"))
    schema_editor.connection.check_constraints()  # PostgreSQL makes no index while checks are put off


def _explain(job):
    """What is wrong with the whole of a file was the only row of the table of problems."""
    whole = [one["reason"] for one in job.problems if not one["line"] and not one["column"]]
    if len(job.problems) == 1 and whole:
        job.problem, job.problems = whole[0], []
    else:
        job.problem = f"The file has {len(job.problems)} problems; nothing was imported."
    job.state = "failed"
    job.save(update_fields=["state", "problem", "problems"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0013_field_terms")]

    operations = [
        migrations.RemoveIndex("itemimport", "imports_not_ended"),
        migrations.RemoveIndex("roundplan", "plans_not_ended"),
        migrations.RemoveIndex("broadcast", "broadcasts_not_sent"),
        migrations.RemoveIndex("mailing", "mailings_not_ended"),
        migrations.RemoveIndex("bonuspayment", "payments_not_ended"),
        migrations.RenameField("broadcast", "sender", "created_by"),
        migrations.RenameField("broadcast", "asked_at", "created_at"),
        migrations.RenameField("broadcast", "sent_at", "ended_at"),
        migrations.RenameField("bonuspayment", "begun_at", "started_at"),
        *as_jobs(HAD),
        migrations.AlterField(
            "bonuspayment",
            "outside_id",
            models.CharField(
                blank=True,
                max_length=100,
                help_text="As the platform names the order; empty before it is told to pay.",
            ),
        ),
        migrations.AlterField(
            "itemimport",
            "problems",
            models.JSONField(default=list, help_text="The bad rows of a file that was refused."),
        ),
        migrations.RunPython(convert, migrations.RunPython.noop),
        *indexed(HAD),
    ]
