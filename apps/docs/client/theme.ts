// Loaded before the page is drawn, so that a chosen theme does not flash.
try {
  const chosen = localStorage.getItem('yardarm-docs-theme');
  if (chosen !== null) document.documentElement.dataset.theme = chosen;
} catch {
  // Browsers can deny storage: the theme of the system stays.
}
