import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Dialog, SidePanel } from './over-page.tsx';

interface Props {
  readonly title: string;
  /** What the button says that saves. */
  readonly save: string;
  readonly saving: {
    readonly submit: ComponentProps<'form'>['onSubmit'];
    readonly pending: boolean;
    readonly refusal: string | undefined;
  };
  readonly onClose: () => void;
  /** In pixels, where there is room. */
  readonly width?: number;
  /** Another way to save, beside the usual one. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

/** A form at the side of the page, over what it belongs to. */
export function FormDrawer({ title, save, saving, onClose, width = 560, more, children }: Props) {
  return (
    <SidePanel onClose={onClose} size={width} title={title} closeOnClickOutside={false}>
      <form onSubmit={saving.submit} noValidate>
        <Stack>
          {children}
          <Refusal>{saving.refusal}</Refusal>
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
  /** Given when it may come up over another dialog. */
  readonly zIndex?: number;
};

/** A short form in the middle of the page. */
export function FormDialog({ title, save, saving, onClose, zIndex, children }: DialogProps) {
  return (
    <Dialog onClose={onClose} title={title} {...(zIndex === undefined ? {} : { zIndex })}>
      <form onSubmit={saving.submit} noValidate>
        <Stack>
          {children}
          <Refusal>{saving.refusal}</Refusal>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.pending}>
              {save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** What the server has against what was asked for, in its words; nothing when it has nothing. */
export function Refusal({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <Alert color="red" role="alert">
      {children}
    </Alert>
  );
}
