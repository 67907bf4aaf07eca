// Sends answers by htmx, and keeps each in the outbox until the server has confirmed that very answer. What cannot go
// out now (no network, server down, login run out) goes out by itself later; meanwhile its screen is locked.
import { cookie } from "./cookie.js";
import { onChangeElsewhere, put, remove, waiting, waitingFor } from "./outbox.js";
import { answerForm } from "./page.js";
import { say, sayLater } from "./status.js";

const DELAYS = [2, 4, 8, 15, 30]; // seconds between attempts
const SWAP = "outerHTML show:window:top";
const inFlight = new Set();
let attempts = 0;
let timer = 0;

const keyOf = ({ requestConfig }) => (requestConfig.verb === "post" ? requestConfig.parameters.key : undefined);
const present = () => answerForm()?.getAttribute("action");

/** The server has the answer, or has refused it and shows why; anything else is no answer from it. */
function confirmed(xhr, key) {
  const took = xhr.status >= 200 && xhr.status < 300 && xhr.getResponseHeader("X-Saved") === key;
  return took || xhr.status === 409 || xhr.status === 422;
}

/** Locks the screen whose answer is on its way, so that it is not answered differently by accident. */
export function lockIfWaiting(form) {
  const locked = Boolean(waitingFor(form.getAttribute("action")));
  form.toggleAttribute("data-locked", locked);
  form.setAttribute("aria-busy", locked);
  [form, ...document.querySelectorAll("[data-while-waiting] [hx-get]")].forEach((each) => { each.inert = locked; });
}

/** Sends the oldest answer that waits; the others follow one by one. */
function send() {
  clearTimeout(timer);
  const entry = waiting().find(({ key }) => !inFlight.has(key));
  if (!entry || !window.htmx || inFlight.size) return;
  const here = entry.url === present();
  sayLater("saving", "Saving…", 400);
  // Not tied to the form, which the next screen replaces; and a page of another round is left as it is.
  window.htmx.ajax("POST", entry.url, {
    source: "#status", target: here ? "#screen" : "#status", swap: here ? SWAP : "none", values: entry.fields,
  }).catch(() => {});
}

function sendNow() {
  attempts = 0;
  send();
}

function sendLater() {
  clearTimeout(timer);
  timer = setTimeout(send, 1000 * DELAYS[Math.min(attempts, DELAYS.length - 1)]);
  attempts += 1;
}

function explain(status, key, url) {
  const retry = { text: "Try now", act: sendNow };
  const login = { text: "Sign in again", href: `${document.body.dataset.login}?next=${encodeURIComponent(url)}` };
  const kept = "Your answer is kept on this device";
  if (status === 401 || status === 403) say("waiting", `Your login has run out. ${kept} and goes out as soon as you are signed in.`, [login]);
  else if (status >= 500) say("waiting", `The server does not answer properly (${status}). ${kept} and goes out by itself.`, [retry]);
  else if (status >= 400) say("refused", `The server does not know this screen (${status}); perhaps you are signed in as somebody else. ${kept}.`, [retry, { text: "Throw it away", act: () => { remove(key); location.reload(); } }]);
  else say("waiting", `No connection. ${kept} and goes out by itself.`, [retry]);
}

function listenToHtmx() {
  const on = (name, act) => document.addEventListener(`htmx:${name}`, ({ detail }) => act(detail));

  on("configRequest", ({ verb, headers, parameters, path }) => {
    if (verb !== "post") return;
    // The token changes with every login; the cookie always has the present one.
    headers["X-CSRFToken"] = parameters.csrfmiddlewaretoken = cookie("csrftoken");
    if (parameters.key) put(parameters.key, path, Object.fromEntries(Object.entries(parameters)));
  });
  on("beforeRequest", (detail) => {
    const key = keyOf(detail);
    if (!key) return;
    inFlight.add(key);
    sayLater("saving", "Saving…", 400);
    if (answerForm()) lockIfWaiting(answerForm());
  });
  on("beforeSwap", (detail) => {
    const key = keyOf(detail);
    if (!key) return;
    if (confirmed(detail.xhr, key)) remove(key);
    else detail.shouldSwap = false;
  });
  on("afterRequest", (detail) => {
    const key = keyOf(detail);
    const { status } = detail.xhr;
    if (!key) return status === 0 || status >= 400 ? explainPage(detail) : undefined;
    inFlight.delete(key);
    if (confirmed(detail.xhr, key)) {
      acknowledge(detail);
      sendNow();
    } else {
      explain(status, key, detail.requestConfig.path);
      sendLater();
    }
    if (answerForm()) lockIfWaiting(answerForm());
  });
}

function acknowledge({ xhr, target }) {
  if (xhr.status < 300) say("saved", "Saved");
  // The page that is put in says what was wrong; where it is not put in, this line does.
  else if (target.id === "screen") say("");
  else say("refused", "An answer that had waited was no longer wanted: its screen had been answered already, or its round has ended.");
}

/** A page or a part of one that did not come; nothing is lost. */
function explainPage({ xhr, requestConfig }) {
  if (requestConfig.elt.closest("[data-poll]")) return;
  if (xhr.status === 401) say("waiting", "Your login has run out.", [{ text: "Sign in again", href: `${document.body.dataset.login}?next=${encodeURIComponent(location.pathname)}` }]);
  else say("waiting", xhr.status ? `The server does not answer properly (${xhr.status}).` : "No connection. Please try again in a moment.");
}

export function startSending() {
  if (!document.body.dataset.user) return;
  listenToHtmx();
  window.addEventListener("online", sendNow);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") sendNow(); });
  onChangeElsewhere(() => {
    const form = answerForm();
    const wasLocked = form?.hasAttribute("data-locked");
    if (form) lockIfWaiting(form);
    // Another tab has brought the answer to the server: this one's screen is no longer the present one.
    if (wasLocked && !form.hasAttribute("data-locked") && !inFlight.size) location.assign(form.getAttribute("action"));
  });
  sendNow();
}
