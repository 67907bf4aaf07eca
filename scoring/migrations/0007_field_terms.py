"""Names of the field: statistics of projects and people, options of monitoring, figures of runs."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0013_field_terms"), ("scoring", "0006_watching")]

    operations = [
        migrations.RenameModel("WatchOptions", "MonitoringOptions"),
        migrations.RenameModel("Pulse", "ProjectStatistics"),
        migrations.RenameModel("PersonPulse", "PersonStatistics"),
        migrations.RenameModel("Drawing", "RunFigure"),
        migrations.AlterField(
            "projectstatistics",
            "project",
            models.OneToOneField("annotation.project", django.db.models.deletion.CASCADE, related_name="statistics"),
        ),
        migrations.AlterField(
            "personstatistics",
            "participation",
            models.OneToOneField(
                "annotation.participation", django.db.models.deletion.CASCADE, related_name="statistics"
            ),
        ),
        migrations.AlterField(
            "runfigure",
            "run",
            models.ForeignKey("scoring.run", django.db.models.deletion.CASCADE, related_name="figures"),
        ),
    ]
