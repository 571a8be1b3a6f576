import MiniSearch from 'minisearch';
import { findPassages, type SearchEntry, searchOptions } from '../site/search-options.ts';

const shown = 8;

/** Shows the passages that match the typed words. The index is loaded when the field is first used. */
export function startSearch(input: HTMLInputElement, list: HTMLElement, root: string): void {
  let index: Promise<MiniSearch<SearchEntry>> | undefined;
  const load = async () => {
    const answer = await fetch(`${root}assets/search.json`);
    if (!answer.ok) throw new Error(`the search index was answered with ${answer.status}`);
    return MiniSearch.loadJSON<SearchEntry>(await answer.text(), searchOptions);
  };
  const update = async () => {
    index ??= load();
    const found = findPassages(await index, input.value).slice(0, shown);
    list.hidden = input.value.trim() === '';
    list.replaceChildren(...(found.length === 0 ? [textItem('No pages match. Try fewer words.')] : found.map(item)));
  };
  const item = ({ id, title, page }: { id: string; [key: string]: unknown }) => {
    const [entry, link, place] = [
      document.createElement('li'),
      document.createElement('a'),
      document.createElement('small'),
    ];
    link.href = root + id;
    link.textContent = String(title);
    place.textContent = title === page ? '' : String(page);
    link.append(place);
    entry.append(link);
    return entry;
  };
  const failed = () => {
    // The next key press loads the index again.
    index = undefined;
    list.hidden = false;
    list.replaceChildren(textItem('The search could not be loaded. Try again.'));
  };
  input.addEventListener('input', () => void update().catch(failed));
  // A link to the documentation can name what to search for.
  const asked = new URLSearchParams(location.search).get('search');
  if (asked !== null) {
    input.value = asked;
    input.focus();
    void update().catch(failed);
  }
  addKeys(input, list);
}

function addKeys(input: HTMLInputElement, list: HTMLElement): void {
  const links = () => [...list.querySelectorAll('a')];
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement;
    if (!typing && (event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey)))) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === 'Escape') list.hidden = true;
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') links()[0]?.click();
    if (event.key === 'ArrowDown') links()[0]?.focus();
  });
  list.addEventListener('keydown', (event) => {
    const at = links().indexOf(document.activeElement as HTMLAnchorElement);
    const next = event.key === 'ArrowDown' ? at + 1 : event.key === 'ArrowUp' ? at - 1 : undefined;
    if (next === undefined) return;
    event.preventDefault();
    (links()[next] ?? input).focus();
  });
}

function textItem(text: string): HTMLLIElement {
  const entry = document.createElement('li');
  entry.textContent = text;
  return entry;
}
