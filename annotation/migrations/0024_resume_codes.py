from secrets import token_urlsafe

from django.db import migrations, models


def give_nonces(apps, schema_editor):
    """People from crowd platforms who came before get a resume link and code too."""
    Annotator, Guest = apps.get_model("annotation", "Annotator"), apps.get_model("annotation", "Guest")
    without = Annotator.objects.filter(user__username__startswith="crowd-", user__guest=None)
    Guest.objects.bulk_create(
        [
            Guest(project_id=project, user_id=user, nonce=token_urlsafe(16))
            for project, user in without.values_list("project", "user")
        ],
        batch_size=1000,
    )


class Migration(migrations.Migration):
    dependencies = [("annotation", "0023_tallies")]

    operations = [
        migrations.AddField(
            model_name="crowdstudy",
            name="signed",
            field=models.BooleanField(
                default=False, help_text="Only addresses with a valid signature of Prolific admit."
            ),
        ),
        migrations.RunPython(give_nonces, migrations.RunPython.noop),
    ]
