import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Place } from '../lib/me.ts';
import { LeftOut, useReasonAgainst } from './permitted.tsx';

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
 * The menu of a table row. An impossible action gives its reason in a tooltip. What the user may not do is left out,
 * and a menu of which nothing is left, too.
 */
export function RowMenu({ of, actions }: RowMenuProps) {
  const reasonAgainst = useReasonAgainst();
  const against = actions.flatMap(({ needs, place }) => reasonAgainst(needs, place) ?? []);
  const notes = [...new Set(against)].map((reason) => <LeftOut key={reason} reason={reason} />);
  if (actions.length > 0 && against.length === actions.length) return notes;
  return (
    <>
      {notes}
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
    </>
  );
}

/**
 * A menu entry that runs an action; nothing when the user may not run it. An impossible one gives the reason in a
 * tooltip, and stays reachable by keyboard.
 */
export function ActionItem({ label, icon, run, needs, place, impossible: reason, danger = false }: RowAction) {
  if (useReasonAgainst()(needs, place) !== undefined) return null;
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
