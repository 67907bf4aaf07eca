from django.db import migrations
from django.db.models import F


def show_who_is_unknown(apps, schema_editor):
    """Choices of files without annotators have been stored under such outside ids; by the pseudonym nobody saw it."""
    annotators = apps.get_model("annotation", "Annotator").objects.using(schema_editor.connection.alias)
    choosing = annotators.filter(participations__assignments__tuple__isnull=False).values("pk")
    unknown = annotators.filter(external_id__regex=r"^unknown [1-9][0-9]{0,9}$", pk__in=choosing)
    unknown.update(pseudonym=F("external_id"))


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0011_circulars"),
    ]

    operations = [migrations.RunPython(show_who_is_unknown, migrations.RunPython.noop)]
