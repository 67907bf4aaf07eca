// Suggests a key from the title that is being typed, until somebody writes a key of their own.

/** Small Latin letters, digits and hyphens; accents go. */
function keyOf(title) {
  const plain = title.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 50).replace(/-+$/, "");
}

export function startSuggestions(root) {
  for (const title of root.querySelectorAll("[data-suggests]")) {
    const key = document.getElementById(title.dataset.suggests);
    if (!key || key.value) continue;
    let suggested = "";
    title.addEventListener("input", () => {
      if (key.value !== suggested) return;
      suggested = key.value = keyOf(title.value);
    });
  }
}
