import json

import pytest

from annotation.protocols.errors import ProtocolError
from annotation.protocols.storing import protocol_from_json, to_json
from tests.presets import CZECH_NEWS, DSCS, PRESETS, STSS131


@pytest.mark.parametrize("protocol", PRESETS.values(), ids=lambda protocol: protocol.key)
def test_protocol_comes_back_from_json(protocol):
    stored = json.loads(json.dumps(to_json(protocol)))
    assert protocol_from_json(stored) == protocol


def test_protocol_of_an_earlier_version_has_the_default_of_what_is_missing():
    stored = to_json(DSCS)
    for pool in stored["rounds"][0]["design"]["pools"]:
        del pool["screening_minimum"]
    assert protocol_from_json(stored) == DSCS
    assert [pool.screening_minimum for pool in DSCS.rounds[0].design.pools] == [None, 10]


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
        (damaged(["rounds", 2, "design", "intra"], -1), "^“intra” must be between 0 and 1000"),
    ],
)
def test_stored_protocol_damaged(stored, message):
    with pytest.raises(ProtocolError, match=message):
        protocol_from_json(stored)
