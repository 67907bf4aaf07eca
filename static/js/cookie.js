const PREFIX = "__Host-";

export function cookie(name) {
  const pairs = document.cookie.split("; ");
  // Over https the server names its cookies with this prefix, which no other host of the domain can set.
  for (const full of [PREFIX + name, name]) {
    const found = pairs.find((pair) => pair.startsWith(`${full}=`));
    if (found) return decodeURIComponent(found.slice(full.length + 1));
  }
  return "";
}

export function setCookie(name, value, seconds) {
  const [prefix, secure] = location.protocol === "https:" ? [PREFIX, "; Secure"] : ["", ""];
  document.cookie = `${prefix}${name}=${value}; Max-Age=${seconds}; Path=/; SameSite=Lax${secure}`;
}
