import { List } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { OptionalReason } from '../../entities/change-reasons/optional-reason.tsx';
import { failuresOf, failureText } from '../../entities/holds/failures-of.ts';
import { type Override, overrideRoutes } from '../../entities/holds/now-queries.ts';
import { api } from '../../lib/api.ts';
import { useInvalidate } from '../../lib/use-invalidate.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { formatEnd } from '../../ui/dates.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ScrollingList } from './scrolling-list.tsx';

/** The route that ends an override. */
export const endRoute =
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';

interface Props {
  readonly overrides: readonly Override[];
  readonly onClose: () => void;
}

/** Ends overrides, after listing the flags that automation may change again. */
export function EndOverrides({ overrides, onClose }: Props) {
  const [reason, setReason] = useState<string>();
  // The overrides that have been ended: they are left out when the user tries again after an error.
  const ended = useRef(new Set<number>());
  const invalidate = useInvalidate();
  const run = async () => {
    const left = overrides.filter(({ id }) => !ended.current.has(id));
    const failed = await failuresOf(left, async ({ id, project: projectId, featureName, environment }) => {
      await api(endRoute, { params: { projectId, featureName, environment }, reason });
      ended.current.add(id);
    });
    if (failed.length === 0) {
      notifications.show({ message: `${overrides.length} overrides ended.` });
      return;
    }
    await invalidate(overrideRoutes);
    throw new Error(`${failed.length} of ${overrides.length} could not be ended. ${failureText(failed, 'override')}`);
  };
  return (
    <Confirm
      title={`End ${overrides.length} overrides?`}
      action={`End ${overrides.length} overrides`}
      color="sea"
      run={run}
      changes={overrideRoutes}
      onClose={onClose}
    >
      Actions may change these flags again, from the next signal on:
      <ScrollingList>
        {overrides.map(({ id, featureName, environment, placedBy, endsAt, reason: why }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            <b>{featureName}</b> in {environment}: overridden by {placedBy.name}{' '}
            {endsAt === null ? 'until it is ended' : <Until at={endsAt} />}. {why}
          </List.Item>
        ))}
      </ScrollingList>
      <OptionalReason value={reason} onChange={setReason} />
    </Confirm>
  );
}

function Until({ at }: { readonly at: string }) {
  return (
    <>
      until <RelativeTime at={at} ahead format={formatEnd} />
    </>
  );
}
