import { useLayoutEffect, useState } from 'react';

/** The element that had the focus before the last closed dialog. A dialog that replaces it returns the focus there. */
let pendingTarget: HTMLElement | undefined;

/**
 * Restores the focus when a dialog unmounts: to the element that opened it, to the menu button for a menu entry, or to
 * the page content when both are gone. An element that took the focus meanwhile keeps it.
 */
export function useRestoreFocus(): void {
  // Read while rendering: the menu of the chosen entry closes in the same commit.
  const [opener] = useState(() => openerOf(document.activeElement));
  useLayoutEffect(() => {
    const inherited = pendingTarget;
    return () => {
      pendingTarget = opener?.isConnected === true ? opener : inherited;
      const target = pendingTarget;
      // Elements of the dialog stay in the document until the commit is complete.
      setTimeout(() => {
        pendingTarget = undefined;
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        const element = target?.isConnected === true ? target : document.getElementById('main');
        element?.focus({ preventScroll: true });
      });
    };
  }, [opener]);
}

/** Menu entries disappear when chosen, so the button of their menu is the opener. */
function openerOf(focused: Element | null): HTMLElement | undefined {
  if (!(focused instanceof HTMLElement) || focused === document.body) return undefined;
  const button = focused.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return (button == null ? null : document.getElementById(button)) ?? focused;
}
