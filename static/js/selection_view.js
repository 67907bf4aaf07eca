// How sentences and slots of a selection look; what they hold is decided in selection.js.
import { fill, words } from "./words.js";

/** The whole sentence becomes a button; its radio buttons are reached by mouse, finger and letter keys. */
export function makeButton(sentence, index) {
  const text = sentence.querySelector("p");
  text.setAttribute("role", "button");
  text.tabIndex = index === 0 ? 0 : -1;
  sentence.querySelectorAll(".picks input").forEach((input) => { input.tabIndex = -1; });
}

/** The slot that a sentence is in: by letter and colour on it. */
export function showRole(sentence, role, slots) {
  const slot = slots.find((each) => each.dataset.role === role);
  if ((sentence.dataset.role ?? null) === role && sentence.dataset.shown) return;
  sentence.dataset.shown = "1";
  const text = sentence.querySelector("p");
  text.setAttribute("aria-pressed", Boolean(role));
  if (role) Object.assign(sentence.dataset, { role, colour: slot.dataset.colour });
  else ["role", "colour"].forEach((name) => delete sentence.dataset[name]);
  text.querySelector(".letter")?.remove();
  if (!role) return;
  const sign = document.createElement("span");
  sign.className = "letter";
  sign.dataset.colour = slot.dataset.colour;
  sign.textContent = role;
  text.prepend(sign, " ");
}

/** The sentence that a slot holds. */
export function showSentence(slot, sentence) {
  const text = slot.querySelector(".chosen");
  slot.toggleAttribute("data-empty", !sentence);
  slot.querySelector("header button").hidden = !sentence;
  const shown = sentence ? plainText(sentence) : words.selecting.empty;
  if (text.textContent !== shown) text.textContent = shown;
}

function plainText(sentence) {
  const copy = sentence.querySelector("p").cloneNode(true);
  copy.querySelector(".letter")?.remove();
  return copy.textContent.trim();
}

export function clearButton(slot, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = words.selecting.take_out;
  button.setAttribute("aria-label", fill(words.selecting.take_out_of, slot.dataset));
  button.addEventListener("click", act);
  slot.querySelector("header").append(button);
}
