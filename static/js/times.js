// Times as the reader's own clock and habits write them; without JavaScript the server's words stand.

/** The reader's own English, or English with a 24-hour clock. */
const language = navigator.language.startsWith("en") ? navigator.language : "en-GB";
const format = new Intl.DateTimeFormat(language, {
  weekday: "long", day: "numeric", month: "long", hour: "numeric", minute: "2-digit",
});

export function showLocalTimes(root) {
  root.querySelectorAll("time[data-local]").forEach((time) => {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.textContent = format.format(at);
  });
  root.querySelectorAll("[data-zone]").forEach((place) => {
    place.textContent = `(${Intl.DateTimeFormat().resolvedOptions().timeZone} time)`;
  });
}
