"""Names of the field: a broadcast is one message to many people; a place is reassigned to somebody else."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0012_people_whom_nobody_knows")]

    operations = [
        migrations.RemoveConstraint("message", "one_message_a_circular_and_place"),
        migrations.RemoveConstraint("circular", "one_circular_a_form"),
        migrations.RenameModel("Circular", "Broadcast"),
        migrations.RenameField("message", "circular", "broadcast"),
        migrations.RenameField("participation", "given_on", "reassigned"),
        migrations.AlterField(
            "broadcast",
            "project",
            models.ForeignKey("annotation.project", django.db.models.deletion.CASCADE, related_name="broadcasts"),
        ),
        migrations.RenameIndex("broadcast", new_name="broadcasts_not_sent", old_name="circulars_not_sent"),
        migrations.AddConstraint(
            "broadcast", models.UniqueConstraint(fields=("project", "key"), name="one_broadcast_a_form")
        ),
        migrations.AddConstraint(
            "message",
            models.UniqueConstraint(
                condition=models.Q(("broadcast__isnull", False)),
                fields=("broadcast", "participation"),
                name="one_message_a_broadcast_and_place",
            ),
        ),
    ]
