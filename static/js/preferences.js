// What a person sets for this browser, by the boxes below the guidelines:
// `keys-on-focus`: single keys only work on the scale in focus, for those who speak to their computer or hit keys by
// accident (WCAG 2.1.4); `plain-scale`: native fields instead of the line, which some screen readers handle better.
import { lasting } from "./memory.js";

export const prefers = (name) => lasting.get(name) === "1";

export function startPreferences() {
  document.addEventListener("change", ({ target }) => {
    const name = target.dataset.prefers;
    if (!name) return;
    if (target.checked) lasting.set(name, "1");
    else lasting.remove(name);
    if (name === "plain-scale") location.reload();
  });
}

export function showPreferences(root) {
  root.querySelectorAll("[data-prefers]").forEach((box) => { box.checked = prefers(box.dataset.prefers); });
}
