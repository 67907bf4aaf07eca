"""Places whose pairs are rated again in all sessions after somebody left."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0019_authors_contact_url"),
    ]

    operations = [
        migrations.AddField(
            model_name="participation",
            name="passed_on",
            field=models.BooleanField(
                default=False,
                help_text="Of who left: pairs that they did not rate in every session are rated again, by their refill.",
            ),
        ),
    ]
