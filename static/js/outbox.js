// Answers that the server has not confirmed yet, kept in this browser for each account apart:
// { key: { key, url, fields, at } }. Another account on the same computer never sees or sends them.
import { lasting } from "./memory.js";

const name = () => `outbox-${document.body.dataset.user ?? ""}`;

function read() {
  try {
    return JSON.parse(lasting.get(name())) ?? {};
  } catch {
    return {};
  }
}

function write(entries) {
  if (Object.keys(entries).length) lasting.set(name(), JSON.stringify(entries));
  else lasting.remove(name());
}

/** The answers that wait, the oldest first. */
export const waiting = () => Object.values(read()).sort((one, other) => one.at - other.at);

export const waitingFor = (url) => waiting().find((entry) => entry.url === url);

/** Puts an answer in; one that is there already stays as it was. */
export function put(key, url, fields) {
  const entries = read();
  entries[key] ??= { key, url, fields, at: Date.now() };
  write(entries);
}

export function remove(key) {
  const { [key]: _, ...others } = read();
  write(others);
}

/** Calls back when another tab of the same account puts something in or takes it out. */
export function onChangeElsewhere(act) {
  window.addEventListener("storage", (event) => {
    if (event.key === name() || event.key === null) act();
  });
}
