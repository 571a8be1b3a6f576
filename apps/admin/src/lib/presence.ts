/** A page that got no input for this time, in milliseconds, is not in use. */
const awayAfterMs = 60_000;

let lastInput = Date.now();

/** Follows the input of the person, from now on. */
export function followPresence(page: Pick<Document, 'addEventListener'>): void {
  const note = () => {
    lastInput = Date.now();
  };
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    page.addEventListener(kind, note, { passive: true, capture: true });
}

/** Returns whether the person has used the page in the last minute. */
export function isPresent(): boolean {
  return Date.now() - lastInput < awayAfterMs;
}
