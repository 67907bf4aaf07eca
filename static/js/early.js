// Runs before the page is painted, so that fields which a script will replace do not flash up first.
document.documentElement.classList.add("js");
