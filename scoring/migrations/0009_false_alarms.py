"""The rate of false alarms that the limits of flags allow."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0008_jobs"),
    ]

    operations = [
        migrations.AddField(
            model_name="monitoringoptions",
            name="false_alarms",
            field=models.FloatField(
                default=0.01,
                validators=[
                    django.core.validators.MinValueValidator(1e-06),
                    django.core.validators.MaxValueValidator(0.5),
                ],
            ),
        ),
    ]
