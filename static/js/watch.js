// A board that is fetched again and again: only while somebody looks, and without taking away what they are at.
const boardOf = ({ detail }) => (detail.target ?? detail.elt)?.closest?.("[data-watch]");

let shown = "";
let scrolled = new Map();

/** Whether the reader has marked some of its text, to copy it. */
function isMarked(board) {
  const marked = getSelection();
  return !marked.isCollapsed && board.contains(marked.anchorNode);
}

function rememberScrolling(board) {
  const regions = [...board.querySelectorAll(".scroll[id]")];
  scrolled = new Map(regions.map((region) => [region.id, region.scrollLeft]));
}

/** Says the headline to those who do not see it, if it became another one. */
function sayHeadline(board) {
  const said = document.querySelector("[data-watch-said]");
  const headline = board.querySelector("[data-watch-say]")?.textContent ?? "";
  if (said && said.dataset.watchSaid !== headline) said.textContent = said.dataset.watchSaid = headline;
}

export function startWatching() {
  const board = document.querySelector("[data-watch]");
  if (!board) return;
  const said = document.querySelector("[data-watch-said]");
  if (said) said.dataset.watchSaid = board.querySelector("[data-watch-say]")?.textContent ?? "";

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) board.dispatchEvent(new Event("wake"));
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (boardOf(event) && document.hidden) event.preventDefault();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!boardOf(event)) return;
    const { detail } = event;
    if (detail.serverResponse === shown || isMarked(board)) detail.shouldSwap = false;
    else if (detail.shouldSwap) {
      shown = detail.serverResponse;
      rememberScrolling(board);
    }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (!boardOf(event)) return;
    scrolled.forEach((left, id) => document.getElementById(id)?.scrollTo({ left }));
    sayHeadline(board);
  });
}
