import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useRestoreFocus } from './restore-focus.ts';

/** A dialog in the middle of the page. It restores the focus when it unmounts. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'centered'>) {
  useRestoreFocus();
  return <Modal opened centered {...props} />;
}

/** A panel over the right side of the page. It restores the focus when it unmounts. */
export function SidePanel(props: Omit<DrawerProps, 'opened' | 'position'>) {
  useRestoreFocus();
  return <Drawer opened position="right" {...props} />;
}
