from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0017_machines"),
    ]

    operations = [
        migrations.AddField(
            model_name="evaluation",
            name="distributions",
            field=models.JSONField(
                blank=True,
                help_text="Predicted distribution of the answers to each item, by item key.",
                null=True,
            ),
        ),
    ]
