import type { ReactNode } from 'react';
import { TextLink } from '../../ui/link.tsx';

/** A link to a run by its id, for callers that do not know the project and the action set of the run. */
export function RunLink({ id, children }: { readonly id: number; readonly children?: ReactNode }) {
  return (
    <TextLink to="/runs/$runId" params={{ runId: String(id) }} size="sm" underline="always">
      {children ?? `Run ${id}`}
    </TextLink>
  );
}
