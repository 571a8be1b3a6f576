import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Place, reasonOf, useMay } from '../lib/me.ts';
import { useLeftOut } from './permitted.tsx';

export interface RowAction {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly run: () => void;
  /** The permissions, any one of which is enough. Absent when no permission is needed. */
  readonly needs?: string | readonly string[];
  readonly place?: Place;
  /** The reason why no user can run the action now; undefined when users with the permission can. */
  readonly impossible?: string | undefined;
  /** A destructive action, shown in red. */
  readonly danger?: boolean;
}

type Details = Pick<RowAction, 'needs' | 'place' | 'impossible'>;

/** Returns the action that opens the form of a row. */
export function editAction(run: () => void, details: Details = {}): RowAction {
  return { label: 'Edit', icon: <IconPencil size={16} />, run, ...details };
}

/** Returns the action that deletes a row. */
export function deleteAction(run: () => void, details: Details = {}): RowAction {
  return { label: 'Delete', icon: <IconTrash size={16} />, danger: true, run, ...details };
}

/** Returns the action that removes a row from its list. */
export function removeAction(run: () => void, details: Details = {}): RowAction {
  return { label: 'Remove', icon: <IconTrash size={16} />, danger: true, run, ...details };
}

export interface RowMenuProps {
  /** The name of the row, for screen readers. */
  readonly of: string;
  readonly actions: readonly RowAction[];
}

/**
 * The menu of a table row. An unavailable action gives its reason in a tooltip. A menu of which all is left out is left
 * out, too.
 */
export function RowMenu({ of, actions }: RowMenuProps) {
  const isLeftOut = useLeftOut();
  if (actions.length > 0 && actions.every(({ needs, place }) => isLeftOut(needs, place))) return null;
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

/**
 * A menu entry that runs an action. An unavailable entry gives the reason in a tooltip, and stays reachable by
 * keyboard. Within `PermittedOnly`, what the user may not do is left out.
 */
export function ActionItem({ label, icon, run, needs, place, impossible, danger = false }: RowAction) {
  const may = useMay();
  const isLeftOut = useLeftOut();
  if (isLeftOut(needs, place)) return null;
  const forbidden = needs === undefined || may(needs, place) ? undefined : reasonOf(needs, place);
  const reason = forbidden ?? impossible;
  return (
    <Tooltip
      label={reason}
      disabled={reason === undefined}
      position="left"
      multiline
      maw="min(320px, calc(100vw - 16px))"
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
