// What the status line says about an answer that was taken or was not, and what the person can do about it.
import { say } from "./status.js";

const KEPT = "Your answer is kept on this device";

function signIn(url) {
  return { text: "Sign in again", href: `${document.body.dataset.login}?next=${encodeURIComponent(url)}` };
}

export function sayTaken({ xhr, target }) {
  if (xhr.status < 300) say("saved", "Saved");
  // The page that is put in says what was wrong; where it is not put in, this line does.
  else if (target.id === "screen") say("");
  else say("refused", "An answer that had waited was not taken: its screen was answered already, or its round has ended.");
}

/** An answer that is still in the outbox. A status of 0 is no answer at all; 200 without a receipt comes from elsewhere. */
export function explainAnswer(status, url, { retry, discard }) {
  const now = { text: "Try now", act: retry };
  if (status === 401 || status === 403) say("waiting", `Your login has run out. ${KEPT} and goes out as soon as you are signed in.`, [signIn(url)]);
  else if (status >= 500) say("waiting", `The server does not answer properly (${status}). ${KEPT} and goes out by itself.`, [now]);
  else if (status >= 400) say("refused", `The server does not know this screen (${status}); perhaps you are signed in as somebody else. ${KEPT}.`, [now, { text: "Throw it away", act: discard }]);
  else say("waiting", `No connection. ${KEPT} and goes out by itself.`, [now]);
}

/** A page or a part of one that did not come; nothing is lost. */
export function explainPage({ xhr, requestConfig }) {
  if (requestConfig.elt.closest("[data-poll]")) return;
  if (xhr.status === 401) say("waiting", "Your login has run out.", [signIn(location.pathname)]);
  else say("waiting", xhr.status ? `The server does not answer properly (${xhr.status}).` : "No connection. Please try again in a moment.");
}
