"""A place may be replaced twice, and pools that screen people have a minimum of answers for those who leave."""

import django.db.models.deletion
from django.db import migrations, models

MINIMUM = 10


def add_minimum(apps, schema_editor):
    for project in apps.get_model("annotation", "Project").objects.iterator():
        pools = [pool for part in project.protocol_json.get("rounds", []) for pool in part["design"].get("pools", [])]
        for pool in pools:
            pool["screening_minimum"] = None if pool["contradictions_above"] is None else MINIMUM
        if pools:
            project.save(update_fields=["protocol_json"])


class Migration(migrations.Migration):
    dependencies = [("annotation", "0016_staff_are_superusers")]

    operations = [
        migrations.AlterField(
            model_name="participation",
            name="replaces",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="refills",
                related_query_name="refill",
                to="annotation.participation",
            ),
        ),
        migrations.RunPython(add_minimum, migrations.RunPython.noop),
    ]
