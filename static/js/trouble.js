// What the status line says about an answer that was taken or was not, and what the person can do about it.
import { say } from "./status.js";
import { fill, words } from "./words.js";

const told = words.sending;

/** Who has no password is not asked for one: their own link leads back in. */
function signIn(url) {
  const { linkBack } = document.body.dataset;
  if (linkBack) return { text: told.link_back, href: linkBack };
  return { text: told.sign_in, href: `${document.body.dataset.login}?next=${encodeURIComponent(url)}` };
}

export function sayTaken({ xhr, target }) {
  if (xhr.status < 300) say("saved", told.saved);
  // The page that is put in says what was wrong; where it is not put in, this line does.
  else if (target.id === "screen") say("");
  else say("refused", told.too_late);
}

/** An answer that is still in the outbox. A status of 0 is no answer at all; 200 without a receipt comes from elsewhere. */
export function explainAnswer(status, url, { retry, discard }) {
  const now = { text: told.try_now, act: retry };
  if (status === 401 || status === 403) say("waiting", told.signed_out, [signIn(url)]);
  else if (status >= 500) say("waiting", fill(told.fault, { status }), [now]);
  else if (status >= 400) say("refused", fill(told.unknown, { status }), [now, { text: told.discard, act: discard }]);
  else say("waiting", told.offline, [now]);
}

/** A page or a part of one that did not come; nothing is lost. */
export function explainPage({ xhr, requestConfig }) {
  if (requestConfig.elt.closest("[data-poll]")) return;
  if (xhr.status === 401) say("waiting", told.page_signed_out, [signIn(location.pathname)]);
  else say("waiting", xhr.status ? fill(told.page_fault, { status: xhr.status }) : told.page_offline);
}
