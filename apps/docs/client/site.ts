import { startSearch } from './search.ts';

const element = (id: string) => document.getElementById(id);
const root = document.documentElement;

const menu = element('menu');
menu?.addEventListener('click', () => {
  const open = document.body.classList.toggle('menu-open');
  menu.setAttribute('aria-expanded', String(open));
});

const themes = ['system', 'light', 'dark'];
const theme = element('theme');
const themeName = element('theme-name');
const showTheme = () => {
  if (themeName !== null) themeName.textContent = root.dataset.theme ?? 'system';
};
theme?.addEventListener('click', () => {
  const next = themes[(themes.indexOf(root.dataset.theme ?? 'system') + 1) % themes.length] ?? 'system';
  if (next === 'system') delete root.dataset.theme;
  else root.dataset.theme = next;
  remember(next);
  showTheme();
});
showTheme();

for (const block of document.querySelectorAll('pre')) addCopyButton(block);

const [input, results] = [element('search'), element('results')];
if (input instanceof HTMLInputElement && results !== null)
  startSearch(input, results, document.body.dataset.root ?? '');

function addCopyButton(block: HTMLPreElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, button);
}

function remember(chosen: string): void {
  try {
    if (chosen === 'system') localStorage.removeItem('yardarm-docs-theme');
    else localStorage.setItem('yardarm-docs-theme', chosen);
  } catch {
    // The browser denies storage: the chosen theme then applies to this page only.
  }
}
