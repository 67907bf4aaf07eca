"""Encryption of a backup in the age format (https://age-encryption.org/v1), which the program `age` opens too.

pyrage reads one file and writes another by itself, so it has a thread of its own and is joined by a pipe.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from config.backup.errors import BackupError

MAGIC = b"age-encryption.org/"
Convert = Callable[[IO[bytes], IO[bytes], list[Any]], None]


class _Conversion(threading.Thread):
    """Encrypts or decrypts one file into another, and closes that end of it which is a pipe."""

    def __init__(self, convert: Convert, source: IO[bytes], target: IO[bytes], keys: list[Any], pipe: IO[bytes]):
        super().__init__(daemon=True)
        self._work, self._pipe = (lambda: convert(source, target, keys)), pipe
        self.error: Exception | None = None

    def run(self) -> None:
        with suppress(BrokenPipeError), self._pipe:
            try:
                self._work()
            except Exception as error:  # raised again at the other end of the pipe, which ends after this
                self.error = error


@contextmanager
def encrypted(sink: IO[bytes], recipients: list[str]) -> Iterator[IO[bytes]]:
    """Yield a file whose content is written into the sink, encrypted for everybody named; unchanged for nobody."""
    if not recipients:
        yield sink
        return
    import pyrage  # noqa: PLC0415 only for those who encrypt

    keys = [_recipient(text) for text in recipients]
    reading, writing = _pipe()
    thread = _Conversion(pyrage.encrypt_io, reading, sink, keys, reading)
    thread.start()
    try:
        yield writing
        writing.close()
        thread.join()
        if thread.error:
            raise thread.error
    except (BrokenPipeError, pyrage.EncryptError) as error:
        thread.join()
        raise BackupError(f"The backup cannot be encrypted and written: {thread.error or error}") from error
    finally:
        with suppress(OSError):
            writing.close()
        thread.join()


@contextmanager
def decrypted(source: IO[bytes], identities: list[str]) -> Iterator[IO[bytes]]:
    """Yield a file with the decrypted content of a seekable one; a source that is not encrypted is yielded itself.

    Raises:
        BackupError: no identity opens it, or it is damaged.
    """
    if not is_encrypted(source):
        yield source
        return
    if not identities:
        raise BackupError("The backup is encrypted. Name the file with the secret key (--identity).")
    import pyrage  # noqa: PLC0415

    keys = [_identity(text) for text in identities]
    reading, writing = _pipe()
    thread = _Conversion(pyrage.decrypt_io, source, writing, keys, writing)
    thread.start()
    try:
        yield reading
    except BackupError as error:
        raise _why(thread.error) or error from error
    finally:
        reading.close()
        thread.join()
    if thread.error:
        raise BackupError(f"The backup is damaged or incomplete: {thread.error}") from thread.error


def is_encrypted(source: IO[bytes]) -> bool:
    start = source.read(len(MAGIC))
    source.seek(0)
    return start == MAGIC


def read_identities(path: Path) -> list[str]:
    """Return the secret keys in a file as `age-keygen` writes it, or one private key of SSH.

    Raises:
        BackupError: the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BackupError(f"The secret key in {path} cannot be read: {error}") from error
    if "PRIVATE KEY-----" in text:
        return [text]
    return [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]


def _recipient(text: str) -> Any:
    import pyrage  # noqa: PLC0415

    kind = pyrage.ssh if text.startswith("ssh-") else pyrage.x25519
    try:
        return kind.Recipient.from_str(text)
    except pyrage.RecipientError as error:
        raise BackupError(f"“{text}” is not a public age key (age1...) or SSH key: {error}") from error


def _identity(text: str) -> Any:
    import pyrage  # noqa: PLC0415

    try:
        if "PRIVATE KEY-----" in text:
            return pyrage.ssh.Identity.from_buffer(text.encode())
        return pyrage.x25519.Identity.from_str(text)
    except pyrage.IdentityError as error:
        raise BackupError(f"The secret key is not an age key (AGE-SECRET-KEY-1...) or SSH key: {error}") from error


def _why(error: Exception | None) -> BackupError | None:
    import pyrage  # noqa: PLC0415

    if isinstance(error, pyrage.DecryptError):
        return BackupError(f"The secret key does not match this backup, or the start of the backup is damaged: {error}")
    if error:
        return BackupError(f"The backup is damaged or incomplete: {error}")
    return None


def _pipe() -> tuple[IO[bytes], IO[bytes]]:
    reading, writing = os.pipe()
    return open(reading, "rb"), open(writing, "wb")
