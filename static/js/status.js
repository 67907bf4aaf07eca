// The line that says where the answer is: being saved, saved, or waiting, and for what.

const line = () => document.getElementById("status");
let later = 0;

/** @param actions {text, href} or {text, act}, shown behind the words */
export function say(state, text = "", actions = []) {
  clearTimeout(later);
  const place = line();
  place.dataset.state = state;
  place.replaceChildren(text, ...actions.map(made));
}

/** Says it only if it still holds after a moment: what is quick needs no words. */
export function sayLater(state, text, milliseconds) {
  clearTimeout(later);
  later = setTimeout(() => say(state, text), milliseconds);
}

function made({ text, href, act }) {
  const action = document.createElement(href ? "a" : "button");
  action.className = "quiet";
  action.textContent = text;
  if (href) action.href = href;
  else {
    action.type = "button";
    action.addEventListener("click", act);
  }
  return action;
}
