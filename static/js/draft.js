// What was begun on a selection is kept in this tab while the person looks at another sentence, or loads the page anew.
import { passing } from "./memory.js";

const name = (form) => `draft-${document.body.dataset.user}-${form.elements.assignment.value}`;

export function keepDraft(form, state) {
  passing.set(name(form), JSON.stringify(state));
}

export function dropDraft(form) {
  passing.remove(name(form));
}

export function draftOf(form) {
  try {
    return JSON.parse(passing.get(name(form))) ?? null;
  } catch {
    return null;
  }
}
