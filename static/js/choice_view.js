// How the cards of a tuple look and what is said of them; what is chosen is decided in choice.js.
import { fill } from "./words.js";

export function makeButton(option) {
  const texts = option.querySelector(".texts");
  texts.setAttribute("role", "button");
  texts.tabIndex = 0;
}

export function showMark(option, mark) {
  if (mark) option.dataset.mark = mark;
  else delete option.dataset.mark;
  option.querySelector(".texts").setAttribute("aria-pressed", Boolean(mark));
}

/** The state of the choice, and what is to be done next, in words. */
export function stateInWords(words, names, bestNumber, worstNumber) {
  const chosen = bestNumber && worstNumber ? "both" : bestNumber ? "best" : worstNumber ? "worst" : "none";
  return fill(words[chosen], { ...names, best_number: bestNumber, worst_number: worstNumber });
}
