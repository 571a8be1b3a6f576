import { useEffect } from 'react';

/**
 * Calls `goTo` with the last page when a list has become shorter than the page that is shown. `pages` is undefined
 * while the number of pages is not known.
 */
export function useLastPage(page: number, pages: number | undefined, goTo: (page: number) => void): void {
  const last = Math.max(pages ?? page, 1);
  useEffect(() => {
    if (page > last) goTo(last);
  });
}
