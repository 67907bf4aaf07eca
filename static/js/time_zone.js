// Tells the server the reader's time zone: a cookie for the pages, and the account's own for the emails.
import { cookie, setCookie } from "./cookie.js";
import { lasting } from "./memory.js";

const YEAR = 365 * 24 * 3600;

export async function keepTimeZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { user, timeZone: url } = document.body.dataset;
  if (!zone) return;
  if (cookie("time_zone") !== zone) setCookie("time_zone", zone, YEAR);
  if (!user || lasting.get(`time-zone-${user}`) === zone) return;
  try {
    const answer = await fetch(url, {
      method: "POST", headers: { "X-CSRFToken": cookie("csrftoken") }, body: new URLSearchParams({ time_zone: zone }),
    });
    if (answer.ok) lasting.set(`time-zone-${user}`, zone);
  } catch {
    // No connection: the next page tries again.
  }
}
