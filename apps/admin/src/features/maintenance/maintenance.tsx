import { Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { instanceQuery } from '../../lib/instance.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { Muted } from '../../ui/text.tsx';
import { useChange } from '../../ui/use-change.ts';

const changes = ['GET /api/admin/ui-config'] as const;

/** Starts and ends maintenance mode. */
export function Maintenance() {
  const [asking, setAsking] = useState(false);
  // Reads `ui-config`, because every user may read it, also without the permission to change maintenance mode.
  const maintenance = useQuery({ ...instanceQuery, select: ({ maintenanceMode }) => maintenanceMode });
  const set = (enabled: boolean) => api('POST /api/admin/maintenance', { body: { enabled } });
  const end = useChange({ run: () => set(false), changes });
  return (
    <Loaded query={maintenance} rows={1}>
      {(enabled) => (
        <Stack gap="sm">
          <Permitted needs={['ADMIN', 'UPDATE_MAINTENANCE_MODE']} stays>
            <Switch
              label="Maintenance mode"
              checked={enabled}
              onChange={() => (enabled ? end.mutate() : setAsking(true))}
            />
          </Permitted>
          <Muted maw={640}>
            Maintenance mode refuses all changes. SDKs and signals work as usual. A notice is shown to all users.
          </Muted>
          {asking && (
            <Confirm
              title="Start maintenance?"
              action="Start maintenance"
              run={() => set(true)}
              changes={changes}
              onClose={() => setAsking(false)}
            >
              Nothing can be changed until you end it.
            </Confirm>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
