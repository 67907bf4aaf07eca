"""An encrypted backup is opened by Debian's `age` program, without Semblance."""

import json
import shutil
import subprocess
import tarfile

import pytest

from annotation.models import Judgment
from tests.backup.installations import another_installation, in_use, rows, run

AGE = shutil.which("age") and shutil.which("age-keygen")
pytestmark = [pytest.mark.skipif(not AGE, reason="needs the programs age and age-keygen (apt-get install age)")]


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_age_and_tar_open_an_encrypted_backup(tmp_path):
    in_use()
    key, backup, opened = (tmp_path / name for name in ("identity.txt", "backup.age", "backup.tar.gz"))
    made = subprocess.run(["age-keygen", "-o", key], capture_output=True, text=True, check=True)
    run("backup", backup, "--recipient", made.stderr.split()[-1])
    assert backup.read_bytes().startswith(b"age-encryption.org/v1")

    subprocess.run(["age", "-d", "-i", key, "-o", opened, backup], check=True)
    with tarfile.open(opened) as tar:
        names = tar.getnames()
        tables = [name for name in names if name.startswith("tables/annotation_judgment/")]
        rows = [json.loads(line) for name in tables for line in tar.extractfile(name).read().splitlines()]
    assert (names[0], names[-1]) == ("backup.json", "manifest.json")
    assert len(rows) == Judgment.objects.count() > 0

    other = tmp_path / "other.txt"
    subprocess.run(["age-keygen", "-o", other], capture_output=True, check=True)
    refused = subprocess.run(["age", "-d", "-i", other, backup], capture_output=True, text=True)
    assert (refused.returncode, "no identity matched" in refused.stderr) == (1, True)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_backup_that_age_encrypted_is_restored(tmp_path, template):
    """As in a pipe: `age -d` gives what `restore -` reads, and a file that age wrote is read with --identity."""

    in_use()
    before, key, plain = rows(), tmp_path / "identity.txt", tmp_path / "backup.tar.gz"
    made = subprocess.run(["age-keygen", "-o", key], capture_output=True, text=True, check=True)
    run("backup", plain)
    subprocess.run(["age", "-r", made.stderr.split()[-1], "-o", tmp_path / "backup.age", plain], check=True)
    with another_installation(tmp_path / "new", template):
        run("restore", tmp_path / "backup.age", "--identity", key)
        assert {table: found for table, found in rows().items() if before[table] != found} == {}
