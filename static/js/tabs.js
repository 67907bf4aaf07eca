/** On a narrow screen a project's tabs scroll: the one that is open comes into sight. */
export function showTab(root) {
  const tab = root.querySelector(".tabs [aria-current]");
  const strip = tab?.parentElement;
  if (!strip || strip.scrollWidth <= strip.clientWidth) return;
  // Of the strip alone: scrollIntoView would move the page too.
  strip.scrollLeft += tab.getBoundingClientRect().left - strip.getBoundingClientRect().left - (strip.clientWidth - tab.clientWidth) / 2;
}
