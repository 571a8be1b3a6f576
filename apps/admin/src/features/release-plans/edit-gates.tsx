import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Condition, Milestone, Place, Plan } from '../../entities/release-plans/plan-queries.ts';
import { WaysToStop } from '../../entities/safeguards/ways-to-stop.tsx';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { conditionOf, type TimeDraft, TimeFields, timeOf, timeProblems } from '../release-templates/index.ts';
import { GateFields, gatesOf, isComplete, noGates, toGates } from './gate-fields.tsx';
import { PlanChangeDialog } from './plan-change-dialog.tsx';
import { describeNewGates } from './plan-words.ts';

const progression =
  '/api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:id' as const;

/** The paths of the errors of the server that are shown at their fields. */
const fields = [
  'transitionCondition.intervalMinutes',
  'transitionCondition.hours.days',
  'transitionCondition.hours.from',
  'transitionCondition.hours.to',
  'transitionCondition.hours.timeZone',
];

interface Props {
  readonly plan: Plan;
  readonly place: Place;
  readonly milestone: Milestone;
  readonly onClose: () => void;
}

/** Edits the gates of a milestone of a plan. Without gates, the next milestone starts when a person starts it. */
export function EditGates({ plan, place, milestone, onClose }: Props) {
  const { transitionCondition: before, id, name } = milestone;
  const [time, setTime] = useState(() => timeOf(before));
  const [gates, setGates] = useState(() => (before === null ? noGates : gatesOf(before)));
  const [isChecked, setIsChecked] = useState(false);
  const missing = time === null ? {} : timeProblems(time);
  const isValid = Object.keys(missing).length === 0 && (time === null || isComplete(gates));
  const condition = time === null ? null : requestedCondition(time, toGates(gates, place.environment));
  return (
    <PlanChangeDialog
      place={place}
      title={`Edit the gates of ${name}`}
      label={condition === null && before !== null ? 'Remove gates' : 'Save gates'}
      permitted={useMay()('UPDATE_FEATURE_STRATEGY', { project: place.projectId, environment: place.environment })}
      fields={fields}
      change={() => {
        setIsChecked(true);
        return isValid ? changeOf(place.featureName, id, condition) : undefined;
      }}
      make={(reason) => saveGates({ ...place, id }, condition, reason)}
      onClose={onClose}
    >
      {(problems) => (
        <Stack gap="sm">
          <TimeFields time={time} problems={{ ...problems, ...(isChecked ? missing : {}) }} onChange={setTime} />
          {time !== null && (
            <GateFields
              gates={gates}
              project={place.projectId}
              environment={place.environment}
              scope="milestone"
              isChecked={isChecked}
              onChange={setGates}
            />
          )}
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {describeNewGates(plan, id, condition)}
          </Text>
          <WaysToStop />
        </Stack>
      )}
    </PlanChangeDialog>
  );
}

/**
 * Returns the condition that the fields describe. The stored condition is not a basis, because gates that the user
 * removed have to be absent.
 */
function requestedCondition(time: TimeDraft, gates: ReturnType<typeof toGates>): Condition {
  const { intervalMinutes, hours } = conditionOf(time);
  return { intervalMinutes, ...(hours === undefined ? {} : { hours }), ...gates };
}

/** Returns the change in the format that change requests store. */
function changeOf(feature: string, sourceMilestone: string, transitionCondition: Condition | null) {
  return transitionCondition === null
    ? ({ action: 'deleteMilestoneProgression', feature, payload: { sourceMilestone } } as const)
    : ({
        action: 'changeMilestoneProgression',
        feature,
        payload: { sourceMilestone, transitionCondition },
      } as const);
}

/** Sets the gates of a milestone; null removes them. */
function saveGates(params: Place & { readonly id: string }, transitionCondition: Condition | null, reason: string) {
  return transitionCondition === null
    ? api(`DELETE ${progression}`, { params, reason })
    : api(`PUT ${progression}`, { params, body: { transitionCondition }, reason });
}
