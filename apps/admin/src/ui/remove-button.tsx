import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';

interface Props extends ActionIconProps, Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  readonly label: string;
}

/** A button that removes a row of a list. */
export function RemoveButton({ label, ...props }: Props) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}
