from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0018_judgments_set_aside'),
    ]

    operations = [
        migrations.AddField(
            model_name='project',
            name='authors',
            field=models.TextField(blank=True, help_text='Of the data, one on each line; releases name them in this order.'),
        ),
        migrations.AddField(
            model_name='project',
            name='contact',
            field=models.CharField(blank=True, help_text='Whom to ask about the data; in every release.', max_length=200),
        ),
        migrations.AddField(
            model_name='project',
            name='url',
            field=models.URLField(blank=True, help_text='Where the data are published; in every release.', verbose_name='URL'),
        ),
    ]
