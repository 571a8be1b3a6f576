import { createRequire } from 'node:module';

// Loaded before a program by `--import`: creates the document of a page with an element `root`, and prints the text of
// the page when it changes.

/** The part of happy-dom's window that is used here. */
interface PageWindow {
  readonly document: { readonly body: { innerHTML: string; readonly textContent: string } };
  readonly MutationObserver: new (changed: () => void) => { observe(node: object, options: object): void };
}

const { Window } = createRequire(import.meta.url)('happy-dom') as {
  Window: new (options: { url: string }) => PageWindow;
};
const window = new Window({ url: 'http://shop.test/' });
const { document, MutationObserver } = window;
Object.assign(globalThis, { window, document });
// happy-dom refuses requests to other origins, so the page uses `fetch` of Node.
Object.assign(window, { fetch, AbortController });
document.body.innerHTML = '<div id="root"></div>';
new MutationObserver(() => console.log(document.body.textContent)).observe(document.body, {
  childList: true,
  characterData: true,
  subtree: true,
});
