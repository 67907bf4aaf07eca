"""What a screen is to those who hear it, and how much of it can be seen in a picture of it."""

from base64 import b64encode
from typing import Any

import numpy as np
from playwright.sync_api import FloatRect, Page

SAID = {"heading", "link", "button", "slider", "radio", "checkbox", "progressbar", "StaticText"}
STATES = {
    "pressed": {"true": "pressed", "false": "not pressed"},
    "checked": {"true": "checked", "false": "not checked"},
    "disabled": {"true": "disabled"},
}
LUMINANCES = """async (picture) => {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  canvas.drawImage(bitmap, 0, 0);
  const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
  const linear = (byte) => byte <= 10 ? byte / 3294.6 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
  return Array.from({ length: data.length / 4 }, (_, at) =>
    0.2126 * linear(data[4 * at]) + 0.7152 * linear(data[4 * at + 1]) + 0.0722 * linear(data[4 * at + 2]));
}"""


Node = dict[str, Any]


def properties(node: Node) -> dict[str, Any]:
    return {each["name"]: each["value"].get("value") for each in node.get("properties", [])}


def in_words(node: Node) -> str:
    """Return role, name, value and states of a node of the accessibility tree, as a screen reader says them."""
    role, name = node["role"]["value"], " ".join(node.get("name", {}).get("value", "").split())
    if role == "StaticText":
        return name
    value = str(node.get("value", {}).get("value", ""))
    known = properties(node)
    states = [said.get(str(known.get(state)).lower(), "") for state, said in STATES.items()]
    return ", ".join(part for part in (f"{role} “{name}”", value, *states) if part)


def tree(page: Page) -> list[Node]:
    """Return the nodes of Chromium's accessibility tree in the order in which they are read.

    What a control or a heading contains is its name and is not read again.
    """
    cdp = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in cdp.send("Accessibility.getFullAXTree")["nodes"]}
    for node in nodes.values():
        if node.get("role", {}).get("value") == "slider":  # of its value, this protocol gives only the number
            given = cdp.send("DOM.describeNode", {"backendNodeId": node["backendDOMNodeId"]})["node"]["attributes"]
            node["value"]["value"] = dict(zip(given[::2], given[1::2], strict=True))["aria-valuetext"]
    cdp.detach()
    order, left = [], [next(iter(nodes))]
    while left:
        node = nodes[left.pop()]
        order.append(node)
        if node["ignored"] or node["role"]["value"] not in SAID:
            left += reversed(node.get("childIds", []))
    return [node for node in order if not node["ignored"]]


def heard(page: Page) -> list[str]:
    """Return what a screen reader reads from the first heading on, a line for each thing that has a role."""
    said = [node for node in tree(page) if node["role"]["value"] in SAID]
    first = next(place for place, node in enumerate(said) if node["role"]["value"] == "heading")
    return [in_words(node) for node in said[first:]]


def heard_in_focus(page: Page) -> str:
    """Return what a screen reader says of the element in focus."""
    return in_words([node for node in tree(page) if properties(node).get("focused")][-1])


def luminances(page: Page, place: FloatRect) -> np.ndarray:
    """Return the relative luminance of each pixel of a place in the window, from 0 to 1 (WCAG 2.2)."""
    picture = b64encode(page.screenshot(clip=place, animations="disabled", scale="css")).decode()
    painter = page.context.new_page()  # the policy of our own pages lets no picture in
    found = np.array(painter.evaluate(LUMINANCES, picture))
    painter.close()
    return found


def contrast(page: Page, place: FloatRect) -> float:
    """Return the contrast between the lightest and the darkest pixel of the place, from 1 to 21 (WCAG 2.2)."""
    seen = luminances(page, place)
    return (seen.max() + 0.05) / (seen.min() + 0.05)
