import { Fieldset, Tooltip } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { cloneElement } from 'react';
import { type Place, reasonOf, useMay } from '../lib/me.ts';
import { EmptyState } from './empty-state.tsx';

interface Props {
  /** Any of these permissions is enough. */
  readonly needs: string | readonly string[];
  readonly place?: Place;
  readonly children: ReactElement<{ disabled?: boolean }>;
}

/** What a person may not do is shown all the same, disabled, with the reason. */
export function Permitted({ needs, place, children }: Props) {
  const may = useMay();
  if (may(needs, place)) return children;
  return (
    <Tooltip label={reasonOf(needs, place)}>
      {/* What is disabled takes no focus, so what is around it does. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reached by keyboard too */}
      <span tabIndex={0}>{cloneElement(children, { disabled: true })}</span>
    </Tooltip>
  );
}

/** The fields of a form that only some may save: others can read them and not change them. The reason is at what saves. */
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

/** Stands where something would be that a person may not see, and that the server is not asked for. */
export function NotPermitted({ needs, place }: Pick<Props, 'needs' | 'place'>) {
  return (
    <EmptyState title="You may not see this">
      {reasonOf(needs, place)} Who manages roles can give you one that has it.
    </EmptyState>
  );
}

/** Marks a way that leads to what a person may not see, where the reason is told. */
export function NotPermittedMark() {
  return <IconLock size={14} role="img" aria-label="You may not see it" />;
}
