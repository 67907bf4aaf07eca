"""Runs, their parts and figures, releases, rehearsals, statistics and deliveries are jobs."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

earlier = import_module("annotation.migrations.0014_jobs")
HAD = {
    "run": {"state", "problem", "created_by", "created_at", "attempts", "heartbeat_at", "started_at", "ended_at"},
    "runpart": {"state", "problem", "attempts", "heartbeat_at", "started_at", "ended_at"},
    "release": {"state", "problem", "created_by", "created_at", "attempts", "heartbeat_at", "started_at", "ended_at"},
    "rehearsal": {*earlier.FIELDS} - {"attempts_before", "not_before", "started_at"},
    "projectstatistics": set(),
    "delivery": {"state", "problem", "created_at", "attempts", "not_before", "ended_at"},
}


def convert(apps, schema_editor):
    run, statistics = apps.get_model("scoring", "Run"), apps.get_model("scoring", "ProjectStatistics")
    statistics.objects.update(state="done", ended_at=models.F("at"))
    for one in run.objects.defer("results"):
        states = list(one.parts.values_list("state", flat=True))
        changed = {"done": states.count("done"), "total": len(states)}
        if one.state == "running" and one.snapshot_sha256 and changed["done"] < changed["total"]:
            changed["heartbeat_at"] = None  # it waits for its parts
        run.objects.filter(pk=one.pk).update(**changed)
    rendering = apps.get_model("scoring", "FigureRendering")
    done = run.objects.filter(state="done").only("drawn_at", "drawing_attempts", "drawing_error", "ended_at")
    rendering.objects.bulk_create([_rendering(rendering, one) for one in done], batch_size=500)
    schema_editor.connection.check_constraints()  # PostgreSQL makes no index while checks are put off


def _rendering(model, run):
    values = {"run_id": run.pk, "attempts": run.drawing_attempts, "created_at": run.ended_at}
    if run.drawn_at is not None:
        return model(**values, state="done", ended_at=run.drawn_at)
    if run.drawing_attempts >= 3:
        return model(**values, state="failed", problem=run.drawing_error, ended_at=run.ended_at)
    return model(**values)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0014_jobs"), ("scoring", "0007_field_terms")]

    operations = [
        migrations.RemoveConstraint("run", "failed_has_an_error"),
        migrations.RemoveIndex("run", "runs_not_ended"),
        migrations.RemoveIndex("run", "runs_not_drawn"),
        migrations.RemoveIndex("release", "releases_not_ended"),
        migrations.RemoveIndex("rehearsal", "rehearsals_not_ended"),
        migrations.RemoveIndex("delivery", "deliveries_to_send"),
        *[migrations.RenameField(model, "error", "problem") for model in ("run", "runpart", "release", "delivery")],
        migrations.RenameField("delivery", "next_at", "not_before"),
        migrations.RemoveField("projectstatistics", "asked_at"),
        *earlier.as_jobs(HAD),
        migrations.CreateModel(
            "FigureRendering",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                *[(name, field.clone()) for name, field in earlier.FIELDS.items()],
                (
                    "run",
                    models.OneToOneField(
                        "scoring.run", django.db.models.deletion.CASCADE, related_name="rendering"
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.RunPython(convert, migrations.RunPython.noop),
        migrations.RemoveField("run", "drawing_attempts"),
        migrations.RemoveField("run", "drawing_error"),
        migrations.AddConstraint(
            "run",
            models.CheckConstraint(
                condition=~models.Q(state="failed") | ~models.Q(problem=""), name="failed_has_an_error"
            ),
        ),
        *earlier.indexed([*HAD, "figurerendering"]),
    ]
