import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Place, reasonOf, useMay } from '../lib/me.ts';

export interface RowAction {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly run: () => void;
  /** Any of these permissions is enough; everybody may without. */
  readonly needs?: string | readonly string[];
  readonly place?: Place;
  /** Why it cannot be done now, whoever asks. */
  readonly impossible?: string | undefined;
  /** It takes away. */
  readonly danger?: boolean;
}

type Details = Pick<RowAction, 'needs' | 'place' | 'impossible'>;

/** What opens a row to be edited. */
export function editAction(run: () => void, details: Details = {}): RowAction {
  return { label: 'Edit', icon: <IconPencil size={16} />, run, ...details };
}

/** What takes a row away. */
export function deleteAction(run: () => void, details: Details = {}): RowAction {
  return { label: 'Delete', icon: <IconTrash size={16} />, danger: true, run, ...details };
}

/** What takes a row out of the list that it is in. */
export function removeAction(run: () => void, details: Details = {}): RowAction {
  return { label: 'Remove', icon: <IconTrash size={16} />, danger: true, run, ...details };
}

export interface RowMenuProps {
  /** The name of the row, for screen readers. */
  readonly of: string;
  readonly actions: readonly RowAction[];
}

/** What can be done with a row of a table, behind three dots; `of` names the row. What cannot be done says why. */
export function RowMenu({ of, actions }: RowMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${of}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <ActionItem key={action.label} {...action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** An entry of a menu that does something. What cannot be done says why, and can be reached all the same. */
export function ActionItem({ label, icon, run, needs, place, impossible, danger = false }: RowAction) {
  const may = useMay();
  const forbidden = needs === undefined || may(needs, place) ? undefined : reasonOf(needs, place);
  const reason = forbidden ?? impossible;
  return (
    <Tooltip
      label={reason}
      disabled={reason === undefined}
      position="left"
      events={{ hover: true, focus: true, touch: true }}
    >
      <Menu.Item
        leftSection={icon}
        {...(reason === undefined ? { onClick: run } : { 'aria-disabled': true, 'data-disabled': true })}
        closeMenuOnClick={reason === undefined}
        {...(danger ? { c: 'var(--mantine-color-error)' } : {})}
      >
        {label}
      </Menu.Item>
    </Tooltip>
  );
}
