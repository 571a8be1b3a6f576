import { Fieldset, Tooltip } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { cloneElement, createContext, use, useEffect, useReducer } from 'react';
import { type Place, reasonOf, reasonStart, useMay } from '../lib/me.ts';
import { EmptyState } from './empty-state.tsx';
import { Muted } from './text.tsx';

interface Props {
  /** The permissions, any one of which is enough; undefined for a control that needs none. */
  readonly needs: string | readonly string[] | undefined;
  readonly place?: Place;
  /** Whether the control is shown, disabled, to those who may not use it: it shows a state. */
  readonly stays?: boolean;
  readonly children: ReactElement<{ disabled?: boolean }>;
}

/** Leaves out a control that the user lacks the permission for. One line on its page says so: {@link LeftOutLine}. */
export function Permitted({ needs, place, stays = false, children }: Props) {
  const reason = useReasonAgainst()(needs, place);
  if (reason !== undefined && !stays) return <LeftOut reason={reason} />;
  return <DisabledBecause reason={reason}>{children}</DisabledBecause>;
}

/** Returns a function that returns why the user may not use a control; undefined when it may. */
export function useReasonAgainst(): (needs: Props['needs'], place?: Place) => string | undefined {
  const may = useMay();
  return (needs, place) => (needs === undefined || may(needs, place) ? undefined : reasonOf(needs, place));
}

interface Note {
  readonly type: 'add' | 'remove';
  readonly reason: string;
}

/** Notes the reasons of left out controls for the page around them. */
export const NotesReasons = createContext<(note: Note) => void>(() => undefined);

/** Stands in place of a control that the user may not use, and shows nothing. */
export function LeftOut({ reason }: { readonly reason: string }) {
  const note = use(NotesReasons);
  useEffect(() => {
    note({ type: 'add', reason });
    return () => note({ type: 'remove', reason });
  }, [note, reason]);
  return null;
}

/** The reasons of the controls that are left out on a page, one for each control. */
function noted(reasons: readonly string[], { type, reason }: Note): readonly string[] {
  return type === 'add' ? [...reasons, reason] : reasons.toSpliced(reasons.indexOf(reason), 1);
}

/** Returns the different reasons of the controls that a page leaves out, and the value of {@link NotesReasons}. */
export function useLeftOutReasons() {
  const [reasons, note] = useReducer(noted, []);
  return { reasons: [...new Set(reasons)].sort(), note };
}

/** Says once which permissions the controls need that a page leaves out. */
export function LeftOutLine({ reasons }: { readonly reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return <Muted>You may not change all that is here. {oneSentence(reasons)}</Muted>;
}

/** Joins sentences of `reasonOf`: "You need the permission A; B or C." */
function oneSentence(reasons: readonly string[]): string {
  const [first = '', ...others] = reasons.map((reason) => reason.replace(/\.$/, ''));
  return `${[first, ...others.map((reason) => reason.replace(reasonStart, ''))].join('; ')}.`;
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
