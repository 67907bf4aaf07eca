// Buttons that copy what stands in another element; they only appear where the browser can.
import { words } from "./words.js";

export function showCopyButtons(root) {
  if (!navigator.clipboard) return;
  root.querySelectorAll("button[data-copy][hidden]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  });
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    button.textContent = words.page.copied;
  } catch {
    source.select?.();
    button.textContent = words.page.press_to_copy;
  }
  setTimeout(() => { button.textContent = before; }, 2000);
}
