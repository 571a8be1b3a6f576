import { type RefObject, useEffect, useRef } from 'react';

/** Moves the focus to the element with `data-autofocus` inside the returned ref when a page appears, as dialogs do. */
export function useAutofocus(): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    page.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return page;
}
