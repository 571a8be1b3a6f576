import { useLayoutEffect, useState } from 'react';

/**
 * The element that had the focus before the dialog that was just closed. A dialog that replaces the closed one returns
 * the focus to this element.
 */
let pendingTarget: HTMLElement | undefined;

/**
 * Restores the focus when a dialog unmounts: to the element that opened the dialog. For a menu entry this is the button
 * of the menu. If the element is gone, the page content gets the focus. An element that took the focus meanwhile keeps
 * it.
 */
export function useRestoreFocus(): void {
  // Read during rendering, because the menu with the chosen entry closes in the same commit.
  const [opener] = useState(() => openerOf(document.activeElement));
  useLayoutEffect(() => {
    const inherited = pendingTarget;
    return () => {
      pendingTarget = opener?.isConnected === true ? opener : inherited;
      const target = pendingTarget;
      // Waits for the end of the commit, because the elements of the dialog are in the document until then.
      setTimeout(() => {
        pendingTarget = undefined;
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        const element = target?.isConnected === true ? target : document.getElementById('main');
        element?.focus({ preventScroll: true });
      });
    };
  }, [opener]);
}

/**
 * Returns the element to which the focus returns. A menu entry disappears when it is chosen, so for an entry this is
 * the button of its menu.
 */
function openerOf(focused: Element | null): HTMLElement | undefined {
  if (!(focused instanceof HTMLElement) || focused === document.body) return undefined;
  const button = focused.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return (button == null ? null : document.getElementById(button)) ?? focused;
}
