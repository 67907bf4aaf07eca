/** On a narrow screen a project's tabs scroll: the open ones come into sight. */
export function showTab(root) {
  for (const tab of root.querySelectorAll(".tabs [aria-current]")) {
    const strip = tab.parentElement;
    if (strip.scrollWidth <= strip.clientWidth) continue;
    // Of the strip alone: scrollIntoView would move the page too.
    strip.scrollLeft += tab.getBoundingClientRect().left - strip.getBoundingClientRect().left - (strip.clientWidth - tab.clientWidth) / 2;
  }
}
