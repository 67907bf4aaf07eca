// Sends answers by htmx, and keeps each in the outbox until the server has confirmed that very answer. What cannot go
// out now (no network, server down, login run out) goes out by itself later; meanwhile its screen is locked.
import { cookie } from "./cookie.js";
import { onChangeElsewhere, put, remove, waiting, waitingFor } from "./outbox.js";
import { answerForm } from "./page.js";
import { sayLater } from "./status.js";
import { explainAnswer, explainPage, sayTaken } from "./trouble.js";
import { words } from "./words.js";

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
  sayLater("saving", words.sending.saving, 400);
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

function discard(key) {
  remove(key);
  location.reload();
}

function listenToHtmx() {
  const on = (name, act) => document.addEventListener(`htmx:${name}`, ({ detail }) => act(detail));

  on("configRequest", ({ verb, headers, parameters, path }) => {
    if (verb !== "post") return;
    // The token changes with every login; the cookie always has the present one.
    headers["X-CSRFToken"] = parameters.csrfmiddlewaretoken = cookie("csrftoken");
    const { csrfmiddlewaretoken, ...fields } = Object.fromEntries(Object.entries(parameters));
    if (fields.key) put(fields.key, path, fields);
  });
  on("beforeRequest", (detail) => {
    const key = keyOf(detail);
    if (!key) return;
    inFlight.add(key);
    sayLater("saving", words.sending.saving, 400);
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
      sayTaken(detail);
      sendNow();
    } else {
      explainAnswer(status, detail.requestConfig.path, { retry: sendNow, discard: () => discard(key) });
      sendLater();
    }
    if (answerForm()) lockIfWaiting(answerForm());
  });
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
