import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to the first invalid field when errors appear, because the field may be out of view in a long form.
 */
export function useFocusFirstError(errors: Readonly<Record<string, unknown>>): void {
  const had = useRef(false);
  const has = Object.keys(errors).length > 0;
  useEffect(() => {
    if (has && !had.current) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
    had.current = has;
  }, [has]);
}

/**
 * Moves the focus to the first invalid field inside the element with the returned ref, each time that the errors
 * change.
 */
export function useFocusFirstErrorIn<E extends HTMLElement>(
  problems: Readonly<Record<string, string>>,
): RefObject<E | null> {
  const place = useRef<E>(null);
  useEffect(() => {
    if (Object.keys(problems).length > 0) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  return place;
}
