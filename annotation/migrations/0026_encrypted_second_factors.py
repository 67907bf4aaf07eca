from django.db import migrations

from annotation.encryption import decrypt, encrypt

FIELDS = ("secret", "seed")


def change(how):
    def changed(apps, schema_editor):
        # Not a dependency: allauth's tables refer to the accounts, which new databases get together with all other tables.
        if "authenticator" not in apps.all_models["mfa"]:
            return
        for factor in apps.get_model("mfa", "Authenticator").objects.iterator(chunk_size=1000):
            found = {name: how(factor.data[name]) for name in FIELDS if factor.data.get(name)}
            if found:
                factor.data |= found
                factor.save(update_fields=["data"])

    return changed


def encrypt_once(stored):
    return encrypt(decrypt(stored))


class Migration(migrations.Migration):
    dependencies = [("annotation", "0025_wallets")]

    operations = [migrations.RunPython(change(encrypt_once), change(decrypt))]
