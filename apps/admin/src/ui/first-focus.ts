import { type RefObject, useEffect, useRef } from 'react';

/** For a page that comes up: what is marked with `data-autofocus` in it has the focus then, as it has in a dialog. */
export function useFirstFocus(): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    page.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return page;
}
