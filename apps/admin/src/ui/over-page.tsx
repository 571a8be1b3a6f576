import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useFocusBack } from './focus-back.ts';

/** A dialog in the middle of the page for as long as it is mounted. Afterwards the focus is where it was before. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'centered'>) {
  useFocusBack();
  return <Modal opened centered {...props} />;
}

/** What lies over the right side of the page for as long as it is mounted. Afterwards the focus is where it was before. */
export function SidePanel(props: Omit<DrawerProps, 'opened' | 'position'>) {
  useFocusBack();
  return <Drawer opened position="right" {...props} />;
}
