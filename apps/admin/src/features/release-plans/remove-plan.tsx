import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Place, Plan } from '../../entities/release-plans/plan-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { PlanChangeDialog } from './plan-change-dialog.tsx';

interface Props {
  readonly plan: Plan;
  readonly place: Place;
  readonly onClose: () => void;
}

/** Asks whether the flag keeps the strategies of a plan, and removes the plan. */
export function RemovePlan({ plan, place, onClose }: Props) {
  const [strategies, setStrategies] = useState<'keep' | 'remove'>('keep');
  const milestone = plan.milestones.find(({ id }) => id === plan.activeMilestoneId);
  const planId = plan.id;
  return (
    <PlanChangeDialog
      place={place}
      title={`Remove the plan ${plan.name}?`}
      label="Remove plan"
      permitted={useMay()('DELETE_FEATURE_STRATEGY', { project: place.projectId, environment: place.environment })}
      danger
      change={() => ({ action: 'deleteReleasePlan', feature: place.featureName, payload: { planId, strategies } })}
      make={(reason) =>
        api(
          'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId',
          { params: { ...place, planId }, query: { strategies }, reason },
        )
      }
      onClose={onClose}
    >
      <Text size="sm">No further milestone starts.{plan.shadow && ` ${place.featureName} is served as now.`}</Text>
      {!plan.shadow && (
        <Radio.Group
          label={`The strategies of ${milestone?.name ?? 'the milestone'}`}
          value={strategies}
          onChange={(value) => setStrategies(value === 'remove' ? 'remove' : 'keep')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="keep" label={`Keep them: ${place.featureName} is served as now`} />
            <Radio value="remove" label="Remove them: without another active strategy the flag is switched off" />
          </Stack>
        </Radio.Group>
      )}
    </PlanChangeDialog>
  );
}
