from django.db import migrations, models

EVENTS = [('project.launched', 'Project launched'), ('round.finished', 'Round finished'), ('run.finished', 'Scoring run finished'), ('release.made', 'Release made'), ('job.failed', 'Background job failed'), ('people.flagged', 'Annotators flagged'), ('budget.reached', 'Budget reached'), ('target.reached', 'Round in waves ended'), ('test', 'Test message')]


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0013_words'),
    ]

    operations = [
        migrations.AlterField(
            model_name=name,
            name='event',
            field=models.CharField(choices=EVENTS, max_length=20),
        )
        for name in ('delivery', 'notice')
    ]
