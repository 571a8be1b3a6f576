import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { cloneElement } from 'react';
import { type Place, useMay } from '../lib/me.ts';

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
  const names = typeof needs === 'string' ? needs : needs.join(' or ');
  return (
    <Tooltip label={`You need the permission ${names}${place?.environment ? ` in ${place.environment}` : ''}.`}>
      {/* What is disabled takes no focus, so what is around it does. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reached by keyboard too */}
      <span tabIndex={0}>{cloneElement(children, { disabled: true })}</span>
    </Tooltip>
  );
}
