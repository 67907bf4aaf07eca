// The browser's storage, or a plain map where it is switched off or full; nothing here ever throws.

function safe(storage) {
  const spare = new Map();
  const attempt = (act) => { try { return act(storage()); } catch { return undefined; } };
  return {
    get: (name) => spare.get(name) ?? attempt((kept) => kept.getItem(name)) ?? null,
    set(name, text) {
      spare.delete(name);
      if (attempt((kept) => { kept.setItem(name, text); return true; }) !== true) spare.set(name, text);
    },
    remove(name) {
      spare.delete(name);
      attempt((kept) => kept.removeItem(name));
    },
  };
}

/** Kept until it is taken away. */
export const lasting = safe(() => window.localStorage);
/** Kept as long as the tab. */
export const passing = safe(() => window.sessionStorage);
