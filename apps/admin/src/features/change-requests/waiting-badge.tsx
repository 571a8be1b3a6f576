import { useQuery } from '@tanstack/react-query';
import { waitingQuery } from '../../entities/change-requests/request-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { holdsSomewhere, meQuery } from '../../lib/me.ts';
import { SmallBadge } from '../../ui/text.tsx';

/**
 * Shows the number of change requests that wait for the user. Renders nothing when there are none or the user may
 * not approve any.
 */
export function WaitingBadge() {
  const { data: me } = useQuery(meQuery);
  const mayReview =
    me !== undefined && holdsSomewhere(me.permissions, ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST']);
  const { data: waiting = 0, refetch } = useQuery({ ...waitingQuery, enabled: mayReview });
  useEachNewer('changeRequests', refetch, mayReview);
  if (waiting === 0) return null;
  return (
    <SmallBadge variant="filled" circle={waiting < 10} title={`${waiting} waiting for you`}>
      {waiting}
    </SmallBadge>
  );
}
