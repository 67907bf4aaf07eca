// The pause counts down; when it is over, the server is asked, which alone decides.

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
    line.textContent = `In ${inWords(left)}`;
    setTimeout(tick, left > 3600000 ? 30000 : 1000);
  };
  tick();
}

function inWords(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  if (days) return `${count(days, "day")} and ${count(hours, "hour")}`;
  if (hours) return `${count(hours, "hour")} and ${count(minutes, "minute")}`;
  return minutes ? `${count(minutes, "minute")} and ${count(seconds % 60, "second")}` : count(seconds, "second");
}
