import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useReview } from '../../entities/change-requests/use-reviewed-change.ts';
import type { Place } from '../../entities/release-plans/plan-queries.ts';
import { type Safeguard, safeguardsQuery } from '../../entities/safeguards/safeguard-queries.ts';
import { describeSafeguard, describeStatus } from '../../entities/safeguards/safeguard-words.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { Muted, SmallBadge, Strong } from '../../ui/text.tsx';
import { PlanChangeDialog } from '../release-plans/index.ts';

const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

/** The safeguards of a flag in an environment and of its plan, with their metrics and last values. */
export function Safeguards({ place }: { readonly place: Place }) {
  const { data: safeguards = [] } = useQuery(safeguardsQuery(place));
  const [deleting, setDeleting] = useState<Safeguard>();
  const { reviewed } = useReview(place);
  const scope = { project: place.projectId, environment: place.environment };
  if (safeguards.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Safeguards">
      <Strong>Safeguards</Strong>
      {safeguards.map((safeguard) => (
        <Group key={safeguard.id} justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
          <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
            <Text size="sm">{describeSafeguard(safeguard)}</Text>
            <Group gap="xs">
              <StateBadge state={safeguard.status.state} />
              <Muted>{describeStatus(safeguard)}</Muted>
            </Group>
          </Stack>
          <Permitted needs={reviewed ? undefined : permissionOf(safeguard)} place={scope}>
            <Button
              variant="subtle"
              size="compact-xs"
              color="red"
              style={{ flexShrink: 0 }}
              onClick={() => setDeleting(safeguard)}
            >
              Delete
            </Button>
          </Permitted>
        </Group>
      ))}
      {deleting !== undefined && (
        <DeleteSafeguard place={place} safeguard={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </Stack>
  );
}

const states: Readonly<Record<Safeguard['status']['state'], { readonly label: string; readonly color: string }>> = {
  within: { label: 'Within', color: 'green' },
  triggered: { label: 'Triggered', color: 'red' },
  crossed: { label: 'Crossed', color: 'orange' },
  'no-data': { label: 'No data', color: 'gray' },
};

function StateBadge({ state }: { readonly state: Safeguard['status']['state'] }) {
  const { label, color } = states[state];
  return <SmallBadge color={color}>{label}</SmallBadge>;
}

/** Returns the permission to change a safeguard without review. */
function permissionOf({ action }: Safeguard): string {
  return action.type === 'disableFeatureEnvironment' ? 'UPDATE_FEATURE_ENVIRONMENT' : 'UPDATE_FEATURE_STRATEGY';
}

interface DeleteProps {
  readonly place: Place;
  readonly safeguard: Safeguard;
  readonly onClose: () => void;
}

function DeleteSafeguard({ place, safeguard, onClose }: DeleteProps) {
  const { action, id: safeguardId } = safeguard;
  const planId = action.type === 'disableFeatureEnvironment' ? undefined : action.id;
  const scope = { project: place.projectId, environment: place.environment };
  return (
    <PlanChangeDialog
      place={place}
      title="Delete the safeguard?"
      label="Delete safeguard"
      permitted={useMay()(permissionOf(safeguard), scope)}
      danger
      change={() => ({
        action: 'deleteSafeguard',
        feature: place.featureName,
        payload: { safeguardId, ...(planId === undefined ? {} : { planId }) },
      })}
      make={(reason) =>
        planId === undefined
          ? api(`DELETE ${environment}/safeguards/:safeguardId`, { params: { ...place, safeguardId }, reason })
          : api(`DELETE ${environment}/release-plans/:planId/safeguards/:safeguardId`, {
              params: { ...place, planId, safeguardId },
              reason,
            })
      }
      onClose={onClose}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {describeSafeguard(safeguard)}. Nothing looks at this any more.
      </Text>
    </PlanChangeDialog>
  );
}
