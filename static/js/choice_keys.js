// The keys of a choice: a digit sets the best, Shift with a digit the worst, wherever the focus is.
import { digit, freely, singleKeys } from "./shortcuts.js";

/** Whether Shift is held: on the number pad Windows hides it, and sends another key instead of the digit. */
function shifted(event) {
  const hidden = event.code.startsWith("Numpad") && event.key.length > 1 && event.getModifierState("NumLock");
  return event.shiftKey || hidden;
}

function onKey(event) {
  const form = document.querySelector("form[data-choice]");
  const choice = form?.choice;
  if (!choice || event.defaultPrevented || event.repeat || form.hasAttribute("data-locked") || !freely(event)) return;
  if (!singleKeys() && !form.contains(document.activeElement)) return;
  const option = choice.options[digit(event) - 1];
  const inFocus = event.target.closest(".option .texts")?.closest(".option");
  if (option) {
    choice.toggle(option, shifted(event) ? "worst" : "best");
    option.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Backspace") choice.clear("best", "worst");
  else if (inFocus && event.key === "Enter" && choice.complete) form.requestSubmit();
  else if (inFocus && (event.key === "Enter" || event.key === " ")) choice.take(inFocus);
  else return;
  event.preventDefault();
}

export function startChoiceKeys() {
  document.addEventListener("keydown", onKey);
}
