from django.db import migrations

from annotation.encryption import EncryptedText, decrypt, encrypt


def change(how):
    def changed(apps, schema_editor):
        hooks = schema_editor.connection.ops.quote_name("scoring_webhook")
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(f"SELECT id, secret FROM {hooks}")
            found = [(how(secret), key) for key, secret in cursor.fetchall()]
            cursor.executemany(f"UPDATE {hooks} SET secret = %s WHERE id = %s", found)

    return changed


def encrypt_once(stored):
    return encrypt(decrypt(stored))


class Migration(migrations.Migration):
    dependencies = [("scoring", "0010_seeds_of_models")]

    operations = [
        migrations.AlterField("webhook", "secret", EncryptedText(help_text="Signs what is sent.")),
        migrations.RunPython(change(encrypt_once), change(decrypt)),
    ]
