import { useLayoutEffect, useState } from 'react';

/** Where the focus belongs that the dialog closed last has left: a dialog that takes its place gives it back there. */
let owed: HTMLElement | undefined;

/**
 * For what lies over the page while it is mounted: once it is gone the focus is where it was before, on the button or on
 * that of the menu that it was opened with; when that is gone too, on the content of the page. What has taken the focus
 * meanwhile keeps it.
 */
export function useFocusBack(): void {
  // Looked at while it is drawn: the menu that it was chosen in goes in the same change as it comes.
  const [opener] = useState(() => openerOf(document.activeElement));
  useLayoutEffect(() => {
    const inherited = owed;
    return () => {
      owed = opener?.isConnected === true ? opener : inherited;
      const place = owed;
      // What was focused in the dialog is in the document until all of it has been taken out.
      setTimeout(() => {
        owed = undefined;
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        const there = place?.isConnected === true ? place : document.getElementById('main');
        there?.focus({ preventScroll: true });
      });
    };
  }, [opener]);
}

/** An entry of a menu is gone as soon as it was chosen: it stands for the button that shows the menu. */
function openerOf(focused: Element | null): HTMLElement | undefined {
  if (!(focused instanceof HTMLElement) || focused === document.body) return undefined;
  const button = focused.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return (button == null ? null : document.getElementById(button)) ?? focused;
}
