"""Predictions of several random seeds of one model."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0009_false_alarms"),
    ]

    operations = [
        migrations.AddField(
            model_name="evaluation",
            name="seed",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="The random seed by which the model was trained; empty if there is only one.",
                null=True,
            ),
        ),
        migrations.RemoveConstraint(model_name="evaluation", name="one_evaluation_a_model"),
        migrations.AddConstraint(
            model_name="evaluation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("seed__isnull", True)),
                fields=("release", "model"),
                name="one_evaluation_a_model",
            ),
        ),
        migrations.AddConstraint(
            model_name="evaluation",
            constraint=models.UniqueConstraint(fields=("release", "model", "seed"), name="one_evaluation_a_seed"),
        ),
    ]
