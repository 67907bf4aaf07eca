"""Finds the presets of this installation."""

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from annotation import presets as package
from annotation.presets.registration import Preset
from annotation.protocols.errors import ProtocolError


@cache
def presets() -> dict[str, Preset]:
    """Return the preset of every folder in this package, by its key, in the order in which people see them."""
    folders = [folder.name for folder in iter_modules(package.__path__) if folder.ispkg]
    found: list[Preset] = [import_module(f"{package.__name__}.{name}").PRESET for name in folders]
    found.sort(key=lambda preset: (preset.order, preset.protocol.key))
    return {preset.protocol.key: preset for preset in found}


def preset(key: str) -> Preset:
    """Return the preset with this key.

    Raises:
        ProtocolError: there is none; the message lists the keys that exist.
    """
    try:
        return presets()[key]
    except KeyError:
        raise ProtocolError(
            "There is no preset “%(key)s”. The presets: %(names)s.", key=key, names=", ".join(presets())
        ) from None


def consent() -> str:
    """Return the consent that every new project starts with, in Markdown."""
    return (Path(__file__).parent / "consent.md").read_text(encoding="utf-8")
