import { Button, Group, Stack } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Dialog, SidePanel } from './dialog.tsx';
import { FormError } from './form-error.tsx';

interface Props {
  readonly title: string;
  /** The label of the submit button. */
  readonly save: string;
  readonly saving: {
    readonly submit: ComponentProps<'form'>['onSubmit'];
    readonly pending: boolean;
    readonly formError: string | undefined;
  };
  readonly onClose: () => void;
  /** The width in pixels, on screens that are wide enough. */
  readonly width?: number;
  /** A second submit button. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

/** A form in a panel at the side of the page. */
export function FormDrawer({ title, save, saving, onClose, width = 560, more, children }: Props) {
  return (
    <SidePanel onClose={onClose} size={width} title={title} closeOnClickOutside={false}>
      <form onSubmit={saving.submit} noValidate>
        <Stack>
          {children}
          <FormError>{saving.formError}</FormError>
          <Group>
            <Button type="submit" loading={saving.pending}>
              {save}
            </Button>
            {more}
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </SidePanel>
  );
}

type DialogProps = Omit<Props, 'width' | 'more'> & {
  /** The color of the submit button; set for actions that deserve a warning. */
  readonly color?: string;
  /** Set when the dialog can open above another dialog. */
  readonly zIndex?: number;
};

/** A short form in a dialog. */
export function FormDialog({ title, save, saving, onClose, color, zIndex, children }: DialogProps) {
  return (
    <Dialog onClose={onClose} title={title} closeOnClickOutside={false} {...(zIndex === undefined ? {} : { zIndex })}>
      <form onSubmit={saving.submit} noValidate>
        <Stack>
          {children}
          <FormError>{saving.formError}</FormError>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.pending} {...(color === undefined ? {} : { color })}>
              {save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
