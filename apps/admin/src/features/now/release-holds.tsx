import { List } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { useMay } from '../../lib/me.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { OptionalReason } from '../change-reasons/optional-reason.tsx';
import { afterReleaseOf, effectOf } from './hold-words.ts';
import { firstHours, KeepOffSelect, keepAutomationOff } from './keep-off.tsx';
import type { Held } from './now-queries.ts';

const route = 'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId';
const changed = ['GET /api/admin/now', 'GET /api/admin/leases', 'GET /api/admin/automation-overrides'] as const;

/** Releases holds, after showing the state that each flag has afterwards. */
export function ReleaseHolds({ holds, onClose }: { readonly holds: readonly Held[]; readonly onClose: () => void }) {
  const [reason, setReason] = useState<string>();
  const [hours, setHours] = useState(firstHours);
  const may = useMay();
  // After a person's decision the next signal must not undo it.
  const overridable = holds.filter(
    ({ heldBy, project, environment }) => heldBy.kind === 'run' && may('OVERRIDE_AUTOMATION', { project, environment }),
  );
  const queries = useQueryClient();
  const release = async () => {
    const failures: string[] = [];
    for (const hold of holds) {
      const { project: projectId, featureName, environment, id: leaseId } = hold;
      const params = { projectId, featureName, environment, leaseId };
      await api(route, { params, reason }).catch((error: unknown) =>
        failures.push(`${featureName} in ${environment}: ${errorMessage(error)}`),
      );
    }
    failures.push(...(await keepAutomationOff(overridable, hours, reason?.trim() || 'Released by hand')));
    if (failures.length === 0) {
      notifications.show({ message: holds.length === 1 ? 'Hold released.' : `${holds.length} holds released.` });
      return;
    }
    await Promise.all(changed.map((key) => queries.invalidateQueries({ queryKey: [key] })));
    throw new Error(`${failures.length} of ${holds.length} could not be released. ${failures.join(' ')}`);
  };
  const places = Map.groupBy(holds, placeOf);
  return (
    <Confirm
      title={holds.length === 1 ? 'Release hold?' : `Release ${holds.length} holds?`}
      action={holds.length === 1 ? 'Release hold' : `Release ${holds.length} holds`}
      color="sea"
      run={release}
      changes={changed}
      onClose={onClose}
    >
      <List size="sm" mb="sm">
        {[...places.values()].map((together) => (
          <Place key={together[0]?.id} holds={together} />
        ))}
      </List>
      {overridable.length > 0 && <KeepOffSelect value={hours} onChange={setHours} />}
      <OptionalReason value={reason} onChange={setReason} />
    </Confirm>
  );
}

function placeOf({ featureName, environment }: Held): string {
  return `${environment}/${featureName}`;
}

/** The state of a flag in an environment after its holds are released. */
function Place({ holds }: { readonly holds: readonly Held[] }) {
  const [hold] = holds;
  if (hold === undefined) return null;
  const { featureName, environment, configuredOn } = hold;
  const after = holds.length === 1 ? afterReleaseOf(hold) : `${configuredOn ? 'on' : 'off'}, as configured`;
  return (
    <List.Item style={{ overflowWrap: 'anywhere' }}>
      <b>{featureName}</b> in {environment}: held {holds.map(effectOf).join(' and ')}, then {after}
    </List.Item>
  );
}
