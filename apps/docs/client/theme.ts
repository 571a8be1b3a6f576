// Loaded before the page is drawn, so that a chosen theme does not flash.
try {
  const chosen = localStorage.getItem('yardarm-docs-theme');
  if (chosen !== null) document.documentElement.dataset.theme = chosen;
} catch {
  // The browser denies storage: the page keeps the theme of the system.
}
