"""What does not fit its place on a page: texts outside the window, cut off, or over one another."""

from playwright.sync_api import Page

MISFITS = """() => {
  const HOLDERS = "button, .button, .badge, summary, a, li, td, th, label, p, h1, h2, h3, dt, dd, div";
  const found = [];
  const visible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !element.closest(".visually-hidden, .skip, [aria-hidden=true], svg, option, dialog:not([open])");
  const style = (element) => getComputedStyle(element);
  // A name or an address of any length ends in an ellipsis; what only screen readers get is clipped away.
  const shortened = (element) => {
    for (let up = element; up && up !== document.body; up = up.parentElement)
      if (style(up).textOverflow === "ellipsis" || style(up).clipPath !== "none") return true;
    return false;
  };
  const scrolls = (element) => {
    for (let up = element; up && up !== document.body; up = up.parentElement)
      if (["auto", "scroll"].includes(style(up).overflowX)) return true;
    return false;
  };
  const floats = (element) => {
    for (let up = element; up && up !== document.body; up = up.parentElement)
      if (["fixed", "sticky"].includes(style(up).position)) return true;
    return false;
  };
  const say = (kind, element, text) =>
    found.push(`${kind}: ${element.tagName.toLowerCase()}.${element.className} “${text.trim().slice(0, 60)}”`);
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the window");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const pieces = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, style, template")) continue;
    if (!visible(element) || shortened(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
    if (!lines.length) continue;
    if (!scrolls(element)) {
      const outside = lines.some((box) => box.left < -1 || box.right > innerWidth + 1);
      if (outside) say("outside the window", element, node.data);
      const holder = element.closest(HOLDERS);
      if (!holder) continue;
      const place = holder.getBoundingClientRect();
      const longer = lines.some((box) => box.left < place.left - 1.5 || box.right > place.right + 1.5);
      if (style(holder).display !== "inline" && longer)
        say("longer than its place", holder, node.data);
    }
    const cuts = ["hidden", "clip"].includes(style(element).overflowX);
    if (cuts && element.scrollWidth > element.clientWidth + 1) say("cut off", element, node.data);
    if (!floats(element)) for (const box of lines) pieces.push([box, node, element]);
  }
  pieces.sort(([one], [other]) => one.top - other.top);
  for (const [index, [one, node, element]] of pieces.entries())
    for (const [other, second, owner] of pieces.slice(index + 1)) {
      if (other.top > one.bottom) break;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      const deep = Math.min(one.height, other.height) * 0.4;
      const over = node !== second && wide > 2 && high > deep;
      if (over) say(`lies over “${node.data.trim().slice(0, 30)}”`, owner, second.data);
    }
  return [...new Set(found)];
}"""


def misfits(page: Page) -> list[str]:
    """Return a line for each text that does not fit the place that it has on the page."""
    return page.evaluate(MISFITS)
