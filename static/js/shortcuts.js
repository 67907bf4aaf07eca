// Single keys that work wherever the focus is: digits for the scale, G for the guidelines. They can be switched off.
import { openDialog } from "./dialog.js";
import { answerForm, slidersOf } from "./page.js";
import { prefers } from "./preferences.js";

const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";

/** Whether a key press is ours to take: no dialog open, no modifier, not in a field. */
export function freely(event) {
  return !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing
    && !document.querySelector("dialog[open]") && !event.target.closest?.(FIELDS);
}

export const singleKeys = () => !prefers("keys-on-focus");

/** The digit of a key by its place on the keyboard: Czech and French keyboards write others there without Shift. */
export function digit(event) {
  const found = /^(?:Digit|Numpad)(\d)$/.exec(event.code) ?? /^(\d)$/.exec(event.key);
  return found ? found[1] : "";
}

/** The Latin letter of a key, also on a keyboard that writes another script. */
export function letter(event) {
  if (/^[a-z]$/i.test(event.key)) return event.key.toLowerCase();
  return event.key.length === 1 && event.key > "\u007f" ? (/^Key([A-Z])$/.exec(event.code)?.[1] ?? "").toLowerCase() : "";
}

/** The slider that typed digits go to: the one in focus, else the one that the page is at. */
function presentSlider(form) {
  const sliders = slidersOf(form);
  return sliders.find((each) => each.fieldset.contains(document.activeElement))
    ?? sliders.find((each) => each.fieldset.closest("[data-active]"))
    ?? (sliders.length === 1 ? sliders[0] : undefined);
}

export function startShortcuts() {
  document.addEventListener("keydown", (event) => {
    const form = answerForm();
    if (!form || form.hasAttribute("data-locked") || event.defaultPrevented || !freely(event)) return;
    const slider = presentSlider(form);
    const onSlider = slider?.fieldset.contains(document.activeElement);
    if (!singleKeys() && !onSlider) return;
    const shifted = event.shiftKey && form.selection; // there Shift with a digit chooses a sentence
    const typed = digit(event) || ({ ".": ".", ",": ".", "-": "-" })[event.key] || "";
    if (typed && slider && !shifted) {
      slider.type(typed);
      if (!form.selection) slider.focus(); // the keys that follow belong to the scale; there, to the sentences
    } else if ((event.key === "Backspace" || event.key === "Delete") && slider) slider.choose(null);
    else if (singleKeys() && (letter(event) === "g" || event.key === "?")) openDialog("guidelines");
    else return;
    event.preventDefault();
  });
}
