"""Managers used to enter the administration pages; from now on superusers do, and nobody else."""

from django.db import migrations, models


def let_superusers_in(apps, schema_editor):
    users = apps.get_model("annotation", "User").objects
    users.update(is_staff=models.F("is_superuser"))


class Migration(migrations.Migration):
    dependencies = [("annotation", "0014_jobs")]

    operations = [migrations.RunPython(let_superusers_in, migrations.RunPython.noop)]
