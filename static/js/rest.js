// The pause counts down; when it is over, the server is asked, which alone decides.
import { fill, language, words } from "./words.js";

export function startRest(root) {
  const page = root.querySelector("[data-rest]");
  if (!page) return;
  // Only the server's clock counts: the one here may be minutes off.
  const ahead = Date.now() - Number(page.dataset.now) * 1000;
  const until = Number(page.dataset.rest) * 1000 + ahead;
  const line = page.querySelector("[data-countdown]");
  const tick = () => {
    if (!page.isConnected) return;
    const left = until - Date.now();
    if (left <= 0) {
      setTimeout(() => location.reload(), 1500);
      return;
    }
    line.textContent = fill(words.page.countdown, { time: inWords(left) });
    setTimeout(tick, left > 3600000 ? 30000 : 1000);
  };
  tick();
}

function inWords(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const count = (number, unit) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(number);
  const both = (number, size, unit, part) => new Intl.ListFormat(language, { type: "conjunction" })
    .format([count(Math.floor(number / size), unit), ...number % size ? [count(number % size, part)] : []]);
  if (seconds > 86400) return both(Math.round(seconds / 3600), 24, "day", "hour");
  if (seconds > 3600) return both(Math.round(seconds / 60), 60, "hour", "minute");
  return seconds > 60 ? both(seconds, 60, "minute", "second") : count(seconds, "second");
}
