// The form of a screen: what is missing before it may go, its times, Enter, and where the focus goes on a new screen.
import { Clock } from "./clock.js";
import { answerForm, slidersOf } from "./page.js";
import { lockIfWaiting } from "./sending.js";
import { freely } from "./shortcuts.js";
import { fill, words } from "./words.js";

let clock = null;
let followsAnother = false; // the screen took the place of one before, in the same page

export function startAnswers(root) {
  clock?.stop.abort();
  clock = null;
  followsAnother = root !== document;
  const form = root.querySelector("form[data-answer]");
  if (followsAnother) root.querySelector("#screen [data-focus]")?.focus({ preventScroll: true });
  if (!form) return;
  clock = new Clock();
  // What is missing is said in our own words, which stay on the page; the browser's bubbles would not.
  if (slidersOf(form).length) form.noValidate = true;
  form.addEventListener("slider:change", () => { clock.touch(); say(form, ""); });
  form.addEventListener("slider:settled", () => clock.act());
  for (const name of ["slider:typed", "selection:refused"]) form.addEventListener(name, ({ detail }) => say(form, detail.text));
  form.addEventListener("selection:change", () => { clock.act(); say(form, ""); });
  // The answer is best and worst together: half of it only touches.
  form.addEventListener("choice:change", () => { form.choice.complete ? clock.act() : clock.touch(); say(form, ""); });
  form.addEventListener("change", ({ target }) => {
    if (target.closest(".picks, .marks, .hard")) clock.touch();
    else clock.act();
    say(form, "");
  });
  lockIfWaiting(form);
}

/** What keeps the form from being sent, with what to go to for it; undefined when nothing does. */
function firstMissing(form) {
  if (form.choice) return form.choice.missing();
  const empty = form.querySelector(".slot[data-empty]");
  if (empty) return { text: fill(words.selecting.missing, empty.dataset), go: () => form.selection.focus() };
  const slider = slidersOf(form).find((each) => each.value === null);
  if (!slider) return undefined;
  const title = slider.fieldset.closest(".slot")?.dataset.title;
  const text = title ? fill(words.rating.missing_of, { title }) : words.rating.missing;
  return { text, go: () => slider.parts.track.focus() };
}

function say(form, text) {
  const line = form.querySelector("#missing");
  if (line && line.textContent !== text) line.textContent = text;
}

// In the capturing phase, so that it comes before htmx, which listens on the form itself.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-answer]");
  if (!form) return;
  const missing = firstMissing(form);
  if (missing || form.hasAttribute("data-locked")) {
    event.preventDefault();
    event.stopPropagation();
    // The second half of a double click was meant for the screen before.
    if (missing && !(followsAnother && clock.isNew())) {
      say(form, missing.text);
      missing.go();
    }
    return;
  }
  const question = form.selection?.question();
  if (question) {
    event.preventDefault();
    event.stopPropagation();
    say(form, question);
    return;
  }
  for (const [name, value] of Object.entries(clock.times())) {
    if (form.elements[name]) form.elements[name].value = value; // practice measures no times
  }
}, { capture: true });

// Enter goes on from wherever the focus is, unless it stands on something that has an Enter of its own.
document.addEventListener("keydown", (event) => {
  const form = answerForm();
  if (event.key !== "Enter" || event.repeat || event.defaultPrevented || !form) return;
  const always = (event.ctrlKey || event.metaKey) && !document.querySelector("dialog[open]");
  if (!always && (!freely(event) || event.target.closest("a, button, input, [role=button]"))) return;
  event.preventDefault();
  form.requestSubmit();
});
