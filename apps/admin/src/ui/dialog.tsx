import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useRestoreFocus } from './restore-focus.ts';

/** A dialog in the middle of the page. It restores the focus when it unmounts. */
export function Dialog({ closeOnEscape = true, ...props }: Omit<ModalProps, 'opened' | 'centered'>) {
  useRestoreFocus();
  const isTopmost = useIsTopmost();
  return <Modal opened centered closeOnEscape={closeOnEscape && isTopmost} {...props} />;
}

/** A panel over the right side of the page. It restores the focus when it unmounts. */
export function SidePanel({ closeOnEscape = true, ...props }: Omit<DrawerProps, 'opened' | 'position'>) {
  useRestoreFocus();
  const isTopmost = useIsTopmost();
  return <Drawer opened position="right" closeOnEscape={closeOnEscape && isTopmost} {...props} />;
}

/** The open dialogs and panels, by numbers that grow with each. */
let open: readonly number[] = [];
let last = 0;
const listeners = new Set<() => void>();

/**
 * Returns whether this dialog or panel is the topmost. Escape closes only that one: each listens to the whole window,
 * so that a dialog which must not be closed would otherwise vanish with the panel below it.
 */
function useIsTopmost(): boolean {
  const [number] = useState(() => ++last);
  useEffect(() => {
    change([...open, number]);
    return () => change(open.filter((other) => other !== number));
  }, [number]);
  return useSyncExternalStore(listen, () => number >= Math.max(...open));
}

function change(now: readonly number[]): void {
  open = now;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
