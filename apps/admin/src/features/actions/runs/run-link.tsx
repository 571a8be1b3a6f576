import type { ReactNode } from 'react';
import { TextLink } from '../../../ui/link.tsx';

/** Leads to a run of which only the number is known. */
export function RunLink({ id, children }: { readonly id: number; readonly children?: ReactNode }) {
  return (
    <TextLink to="/runs/$runId" params={{ runId: String(id) }} size="sm" underline="always">
      {children ?? `Run ${id}`}
    </TextLink>
  );
}
