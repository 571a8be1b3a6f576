import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { lowering, type Milestone, type Place, type Plan } from '../../entities/release-plans/plan-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { MilestoneEffect } from './milestone-effect.tsx';
import { PlanChangeDialog } from './plan-change-dialog.tsx';

interface Props {
  readonly plan: Plan;
  readonly place: Place;
  readonly milestone: Milestone;
  readonly onClose: () => void;
}

/** The choices in shadow mode: to stay in it, or to end it and keep or remove the strategies of the flag. */
type Ending = 'shadow' | 'keep' | 'remove';

/** Asks for confirmation and starts a milestone of a plan, which can end the shadow mode of the plan. */
export function StartMilestone({ plan, place, milestone, onClose }: Props) {
  const [ending, setEnding] = useState<Ending>(plan.activeMilestoneId === milestone.id ? 'keep' : 'shadow');
  const before = plan.milestones.find(({ id }) => id === plan.activeMilestoneId);
  const isEarlier = before !== undefined && plan.milestones.indexOf(milestone) < plan.milestones.indexOf(before);
  const scope = { project: place.projectId, environment: place.environment };
  const ids = { planId: plan.id, milestoneId: milestone.id };
  const isServed = !plan.shadow || ending !== 'shadow';
  const ends = plan.shadow && ending !== 'shadow' ? ending : undefined;
  return (
    <PlanChangeDialog
      place={place}
      title={`Start ${milestone.name}?`}
      label={`Start ${milestone.name}`}
      permitted={useMay()(isEarlier ? lowering : 'UPDATE_FEATURE_STRATEGY', scope)}
      change={() => ({
        action: 'startMilestone',
        feature: place.featureName,
        payload: { ...ids, ...(ends === undefined ? {} : { shadow: false, strategies: ends }) },
      })}
      make={(reason) =>
        api(
          'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/start',
          {
            params: { ...place, ...ids },
            ...(ends === undefined ? {} : { query: { shadow: 'false', strategies: ends } }),
            reason,
          },
        )
      }
      onClose={onClose}
    >
      {plan.shadow ? (
        <Radio.Group
          label={`The plan is in shadow mode. ${milestone.name} is`}
          value={ending}
          onChange={(value) => setEnding(value as Ending)}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="shadow" label={`only recorded: ${place.featureName} is served as now`} />
            <Radio value="keep" label="served from now on, beside the strategies of the flag" />
            <Radio value="remove" label="served from now on, instead of the strategies of the flag" />
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm">
          In {place.environment}, {place.featureName} is served as {milestone.name} says, instead of {before?.name}. Its
          time starts anew.
        </Text>
      )}
      {isServed && <MilestoneEffect plan={plan} place={place} milestone={milestone} strategies={ends} />}
    </PlanChangeDialog>
  );
}
