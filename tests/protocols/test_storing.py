import json

import pytest

from annotation.protocols.errors import ProtocolError
from annotation.protocols.presets import CZECH_NEWS, PRESETS, STSS131
from annotation.protocols.storing import protocol_from_json, to_json

pytestmark = pytest.mark.once


@pytest.mark.parametrize("protocol", PRESETS.values(), ids=lambda protocol: protocol.key)
def test_protocol_comes_back_from_json(protocol):
    stored = json.loads(json.dumps(to_json(protocol)))
    assert protocol_from_json(stored) == protocol


def damaged(path, value):
    stored = to_json(CZECH_NEWS)
    *parents, last = path
    node = stored
    for step in parents:
        node = node[step]
    node[last] = value
    return stored


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ({}, "cannot be read: 'key'"),
        ({name: part for name, part in to_json(STSS131).items() if name != "scale"}, "cannot be read: 'scale'"),
        (damaged(["rounds"], None), "cannot be read"),
        (damaged(["rounds", 0, "design"], {"kind": "Guessing"}), "cannot be read: 'Guessing'"),
        (damaged(["rounds", 0, "design"], {}), "cannot be read: 'kind'"),
        (damaged(["material"], "films"), "cannot be read: 'films' is not a valid Material"),
        (damaged(["scale", "step"], "wide"), "cannot be read"),
        (damaged(["rounds", 2, "design", "intra"], "five"), "cannot be read: invalid literal"),
        (damaged(["rounds", 2, "design", "intra"], -1), "^The intra-annotator block cannot have a negative size"),
    ],
)
def test_stored_protocol_damaged(stored, message):
    with pytest.raises(ProtocolError, match=message):
        protocol_from_json(stored)
