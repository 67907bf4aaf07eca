from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='evaluation',
            name='baseline',
            field=models.BooleanField(default=False, help_text='Whether it came with the program.'),
        ),
        migrations.AlterField(
            model_name='delivery',
            name='event',
            field=models.CharField(choices=[('round.finished', 'a round is finished'), ('run.finished', 'a run is finished'), ('release.made', 'a release is made'), ('test', 'a test')], max_length=20),
        ),
    ]
