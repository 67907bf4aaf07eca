// Brings a page to life: what every page may need, and the parts that its kind adds. Each part looks for its own marks in
// the page and does nothing without them.
import { showCopyButtons } from "./copy.js";
import { startDialogs } from "./dialog.js";
import { startMenus } from "./menu.js";
import { startPreferences } from "./preferences.js";
import { startRest } from "./rest.js";
import { startSending } from "./sending.js";
import { keepTimeZone } from "./time_zone.js";
import { showLocalTimes } from "./times.js";

/** @param added parts of this kind of page, in their order, which come before those of every page */
export function startPage(added = []) {
  const parts = [...added, startRest, showCopyButtons, showLocalTimes];
  const start = (root) => parts.forEach((part) => part(root));

  startDialogs();
  startMenus();
  startPreferences();
  start(document);
  keepTimeZone();
  startSending();

  // A part of the page that htmx has put in.
  document.addEventListener("htmx:load", ({ detail }) => {
    if (detail.elt.id === "screen") document.querySelector(".messages")?.remove(); // they were about the screen before
    if (detail.elt !== document.body) start(detail.elt.parentElement ?? document);
  });

  // A page out of the browser's memory shows a screen that may be answered by now: ask the server.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}
