"""The licence of a release in the words of the Hugging Face hub (huggingface.co/docs/hub/repositories-licenses)."""

from scoring.exports.citing import LICENCES

KNOWN = frozenset(
    """
    apache-2.0 mit bsd-2-clause bsd-3-clause c-uda cc0-1.0 cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 cc-by-sa-3.0
    cc-by-sa-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nd-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0
    cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cdla-sharing-1.0 cdla-permissive-1.0 cdla-permissive-2.0 etalab-2.0 eupl-1.1
    eupl-1.2 unlicense
    """.split()
)
"""Licences of data whose SPDX identifier in small letters is the hub's."""
OTHERS = {"odbl-1.0": "odbl", "odc-by-1.0": "odc-by", "pddl-1.0": "pddl"}


def licence_on_hub(licence: str) -> dict[str, str]:
    """Return the fields of a data card's header for an SPDX identifier; the hub refuses a card with an unknown one."""
    if not licence:
        return {}
    small = OTHERS.get(licence.lower(), licence.lower())
    if small in KNOWN or small in OTHERS.values():
        return {"license": small}
    return {"license": "other", "license_name": small, "license_link": LICENCES.format(licence)}
