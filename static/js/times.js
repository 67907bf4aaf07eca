// Times as the reader's own clock and habits write them; without JavaScript the server's words stand.
import { fill, language, words } from "./words.js";

const formats = {
  "": { weekday: "long", day: "numeric", month: "long", hour: "numeric", minute: "2-digit" },
  short: { dateStyle: "medium", timeStyle: "short" }, // with the year, for lists that reach back
};
const write = (form, at) => new Intl.DateTimeFormat(language, formats[form]).format(at);

export function showLocalTimes(root) {
  root.querySelectorAll("time[data-local]").forEach((time) => {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.textContent = write(time.dataset.local, at);
  });
  root.querySelectorAll("[data-zone]").forEach((place) => {
    place.textContent = fill(words.page.zone, { zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  });
}
