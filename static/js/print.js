// The button that prints the page; without JavaScript the browser's own menu does.
export function showPrintButtons(root) {
  for (const button of root.querySelectorAll("[data-print][hidden]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
}
