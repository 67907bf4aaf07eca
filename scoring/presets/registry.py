"""The registry of publications: how the data of a protocol are published."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from annotation.protocols.spec import Protocol
from scoring import presets as package
from scoring.exports.publication import Publication


@cache
def publications() -> dict[str, Publication]:
    """Return the publication of every folder in this package, by its name, which is the key of a preset."""
    folders = [folder.name for folder in iter_modules(package.__path__) if folder.ispkg]
    return {name: import_module(f"{package.__name__}.{name}").PUBLICATION for name in folders}


def publication_of(protocol: Protocol) -> Publication:
    """Return how the data of this protocol are published; the general way where nothing is registered for its key."""
    return publications().get(protocol.key, Publication())
