// Links that open a dialog of the page instead of going to another one.
import { showPreferences } from "./preferences.js";

export function openDialog(id) {
  const dialog = document.getElementById(id);
  if (!dialog || dialog.open) return false;
  showPreferences(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
  return true;
}

export function startDialogs() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-dialog]");
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (link && plain && openDialog(link.dataset.dialog)) event.preventDefault();
    // A click beside the dialog's content lands on the dialog itself.
    if (event.target.matches("dialog[open]") && outside(event)) event.target.close();
  });
}

function outside({ target, clientX, clientY }) {
  const box = target.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}
