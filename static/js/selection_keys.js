// The keys of a selection: arrows and N lead from sentence to sentence, a slot's letter puts the sentence into it.
import { answerForm } from "./page.js";
import { freely, letter, singleKeys } from "./shortcuts.js";

const textOf = (sentence) => sentence.querySelector("p");

/** The sentence in focus. Asked for at each key: a window in the background is told of no change of focus. */
const focused = () => document.activeElement?.closest(".sentence > p")?.parentElement ?? null;

/** Goes up or down from the sentence that is or was in focus, or from above the first, to the next one that will do. */
function go({ sentences, present }, step, willDo = () => true) {
  for (let index = sentences.indexOf(focused() ?? present) + step; index in sentences; index += step) {
    if (!willDo(sentences[index])) continue;
    textOf(sentences[index]).focus({ preventScroll: true });
    sentences[index].scrollIntoView({ block: "nearest" });
    return;
  }
}

/** The role that a key stands for: its letter, or Shift with its number. */
function roleOf(event, roles) {
  const number = event.shiftKey && /^Digit(\d)$/.exec(event.code)?.[1];
  return number ? roles[number - 1] : roles.find((role) => role.toLowerCase() === letter(event));
}

function onKey(event) {
  const form = answerForm();
  const selection = form?.selection;
  if (!selection || event.defaultPrevented || form.hasAttribute("data-locked") || !freely(event)) return;
  const here = focused();
  const role = singleKeys() && here ? roleOf(event, selection.roles) : undefined;
  if (here && event.key === "ArrowDown") go(selection, 1);
  else if (here && event.key === "ArrowUp") go(selection, -1);
  else if (here && (event.key === " " || event.key === "Enter")) selection.take(here);
  else if (role) selection.put(here, role);
  else if (singleKeys() && letter(event) === "n") go(selection, event.shiftKey ? -1 : 1, (one) => one.querySelector("mark.word"));
  else return;
  event.preventDefault();
}

export function startSelectionKeys() {
  document.addEventListener("keydown", onKey);
}
