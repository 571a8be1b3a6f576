import { Fieldset, Tooltip } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { cloneElement, createContext, use } from 'react';
import { type Place, reasonOf, useMay } from '../lib/me.ts';
import { EmptyState } from './empty-state.tsx';

interface Props {
  /** The permissions, any one of which is enough; undefined for a control that needs none. */
  readonly needs: string | readonly string[] | undefined;
  readonly place?: Place;
  /** Whether the control is shown also where others are left out: it shows a state. */
  readonly stays?: boolean;
  readonly children: ReactElement<{ disabled?: boolean }>;
}

/**
 * Disables a control that the user lacks the permission for, and says why in a tooltip. Leaves it out within
 * {@link PermittedOnly}.
 */
export function Permitted({ needs, place, stays = false, children }: Props) {
  const may = useMay();
  const isLeftOut = useLeftOut();
  const reason = needs === undefined || may(needs, place) ? undefined : reasonOf(needs, place);
  if (isLeftOut(needs, place) && !stays) return null;
  return <DisabledBecause reason={reason}>{children}</DisabledBecause>;
}

const LeavesOut = createContext(false);

/** Returns a function that tells whether a control is left out here, within {@link PermittedOnly}. */
export function useLeftOut(): (needs: Props['needs'], place?: Place) => boolean {
  const may = useMay();
  const leavesOut = use(LeavesOut);
  return (needs, place) => leavesOut && needs !== undefined && !may(needs, place);
}

/**
 * Leaves out the controls in it that the user may not use, instead of disabling them. For pages on which most controls
 * need the same few permissions: one sentence there says what the user may not do.
 */
export function PermittedOnly({ children }: { readonly children: ReactNode }) {
  return <LeavesOut value={true}>{children}</LeavesOut>;
}

interface DisabledProps {
  /** The reason for the tooltip; undefined to leave the control as it is. */
  readonly reason: string | undefined;
  readonly children: ReactElement<{ disabled?: boolean }>;
}

/** Disables a control and says why in a tooltip. */
export function DisabledBecause({ reason, children }: DisabledProps) {
  if (reason === undefined) return children;
  return (
    <Tooltip label={reason} multiline maw="calc(100vw - 16px)" style={{ overflowWrap: 'anywhere' }}>
      {/* Disabled controls take no focus, so the element around them does. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reached by keyboard too */}
      <span tabIndex={0}>{cloneElement(children, { disabled: true })}</span>
    </Tooltip>
  );
}

/**
 * Disables the fields of a form for users without the permission. The tooltip of the submit button gives the reason.
 */
export function PermittedFields({
  needs,
  place,
  children,
}: Pick<Props, 'needs' | 'place'> & { readonly children: ReactNode }) {
  const may = useMay();
  return (
    <Fieldset variant="unstyled" m={0} disabled={!may(needs, place)}>
      {children}
    </Fieldset>
  );
}

/** Says that the user may not see the content of a page. The page does not request that content. */
export function NotPermitted({ needs, place }: { readonly needs: string | readonly string[]; readonly place?: Place }) {
  return (
    <EmptyState title="You do not have access to this page">
      {reasonOf(needs, place)} Ask an administrator for a role with this permission.
    </EmptyState>
  );
}

/** Marks a menu entry or tab that the user may not open. */
export function NotPermittedMark() {
  return <IconLock size={14} role="img" aria-label="No access" />;
}
