import { Badge } from '@mantine/core';
import type { RequestState } from '../../entities/change-requests/request-queries.ts';

const colors: Readonly<Record<RequestState, string>> = {
  Draft: 'gray',
  'In review': 'sea',
  Approved: 'sea',
  Scheduled: 'sea',
  Applied: 'gray',
  Rejected: 'gray',
  Cancelled: 'gray',
};

/** The state of a change request. */
export function StateBadge({ state }: { readonly state: RequestState }) {
  return (
    <Badge variant={state === 'Approved' ? 'filled' : 'light'} color={colors[state]} miw="max-content">
      {state}
    </Badge>
  );
}
