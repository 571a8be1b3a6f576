import { type RefObject, useEffect, useRef } from 'react';

/** Leads to the first field that something is wrong with, as soon as something is: a form may be longer than the window. */
export function useFirstProblem(errors: Readonly<Record<string, unknown>>): void {
  const had = useRef(false);
  const has = Object.keys(errors).length > 0;
  useEffect(() => {
    if (has && !had.current) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
    had.current = has;
  }, [has]);
}

/** As {@link useFirstProblem}, in the element with the ref that it answers, each time that something else is found to be wrong. */
export function useFirstProblemIn<E extends HTMLElement>(
  problems: Readonly<Record<string, string>>,
): RefObject<E | null> {
  const place = useRef<E>(null);
  useEffect(() => {
    if (Object.keys(problems).length > 0) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  return place;
}
