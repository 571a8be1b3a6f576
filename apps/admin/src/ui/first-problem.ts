import { useEffect, useRef } from 'react';

/** Leads to the first field that something is wrong with, as soon as something is: a form may be longer than the window. */
export function useFirstProblem(errors: Readonly<Record<string, unknown>>): void {
  const had = useRef(false);
  const has = Object.keys(errors).length > 0;
  useEffect(() => {
    if (has && !had.current) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
    had.current = has;
  }, [has]);
}
