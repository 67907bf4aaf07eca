// Everything that a page may need; each part looks for its own marks in the page and does nothing without them.
import { startAnswers } from "./answer.js";
import { startChoices } from "./choice.js";
import { startChoiceKeys } from "./choice_keys.js";
import { showCopyButtons } from "./copy.js";
import { startDialogs } from "./dialog.js";
import { startMenus } from "./menu.js";
import { startPreferences } from "./preferences.js";
import { startRest } from "./rest.js";
import { startSelections } from "./selection.js";
import { startSelectionKeys } from "./selection_keys.js";
import { startSending } from "./sending.js";
import { startShortcuts } from "./shortcuts.js";
import { startSliders } from "./slider.js";
import { startSuggestions } from "./suggest.js";
import { showTab } from "./tabs.js";
import { keepTimeZone } from "./time_zone.js";
import { showLocalTimes } from "./times.js";
import { startWatching } from "./watch.js";

// In this order: a selection works on sliders that stand, and a form is locked when it is complete.
const parts = [startSliders, startSelections, startChoices, startAnswers, startRest, showCopyButtons, showLocalTimes, showTab, startSuggestions];

/** Brings the page, or the part of it that htmx has put in, to life. */
function start(root) {
  parts.forEach((part) => part(root));
}

startDialogs();
startMenus();
startPreferences();
startSelectionKeys(); // before the digits, which leave Shift with a digit to it
startChoiceKeys();
startShortcuts();
startWatching();
start(document);
keepTimeZone();
startSending();

document.addEventListener("htmx:load", ({ detail }) => {
  if (detail.elt.id === "screen") document.querySelector(".messages")?.remove(); // they were about the screen before
  if (detail.elt !== document.body) start(detail.elt.parentElement ?? document);
});

// A page out of the browser's memory shows a screen that may be answered by now: ask the server.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
