import { Button, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useReview } from '../../entities/change-requests/use-reviewed-change.ts';
import type { Milestone, Place, Plan } from '../../entities/release-plans/plan-queries.ts';
import { myRolesQuery } from '../../entities/release-plans/plan-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { PlanChangeDialog } from './plan-change-dialog.tsx';

interface Props {
  readonly plan: Plan;
  readonly place: Place;
}

/** Returns the active milestone if a person has to approve it; undefined otherwise. */
function milestoneToApprove({ milestones, activeMilestoneId, progress }: Plan): Milestone | undefined {
  const active = milestones.find(({ id }) => id === activeMilestoneId);
  const waits = active?.transitionCondition?.approval?.by === 'person' && active.approvedAt === null;
  return waits && progress.state !== 'completed' && progress.state !== 'held' ? active : undefined;
}

/**
 * A button that approves the active milestone of a plan. Renders nothing unless the milestone waits for the approval of
 * a person who may be the signed-in user; the plan says which role it waits for.
 */
export function ApproveMilestone({ plan, place }: Props) {
  // The dialog keeps its milestone: when another user approves it meanwhile, the next one must not take its place.
  const [approving, setApproving] = useState<Milestone>();
  const milestone = milestoneToApprove(plan);
  const mayApprove = useMayApprove(place, milestone);
  const { reviewed } = useReview(place);
  if (milestone === undefined && approving === undefined) return null;
  return (
    <>
      {milestone !== undefined && (reviewed || mayApprove) && (
        <Button
          variant="light"
          size="xs"
          leftSection={<IconCheck size={14} aria-hidden />}
          onClick={() => setApproving(milestone)}
        >
          Approve {milestone.name}
        </Button>
      )}
      {approving !== undefined && (
        <ApproveDialog
          plan={plan}
          place={place}
          milestone={approving}
          permitted={mayApprove}
          onClose={() => setApproving(undefined)}
        />
      )}
    </>
  );
}

/** Returns whether the signed-in user has the permission, and the role that the gate of a milestone requires. */
function useMayApprove(place: Place, milestone: Milestone | undefined): boolean {
  const scope = { project: place.projectId, environment: place.environment };
  const may = useMay();
  const rule = milestone?.transitionCondition?.approval;
  const role = rule?.by === 'person' ? rule.role : undefined;
  const { data: mine } = useQuery({ ...myRolesQuery(place.projectId), enabled: role !== undefined });
  return may('UPDATE_FEATURE_STRATEGY', scope) && (role === undefined || mine?.includes(role) === true);
}

interface DialogProps extends Props {
  readonly milestone: Milestone;
  readonly permitted: boolean;
  readonly onClose: () => void;
}

function ApproveDialog({ plan, place, milestone, permitted, onClose }: DialogProps) {
  const next = plan.milestones[plan.milestones.findIndex(({ id }) => id === milestone.id) + 1];
  const ids = { planId: plan.id, milestoneId: milestone.id };
  const { state, waitsFor } = plan.progress;
  const when = state === 'gated' && waitsFor.length === 1 ? 'at once' : 'when the other conditions hold, too';
  return (
    <PlanChangeDialog
      place={place}
      title={`Approve ${milestone.name}?`}
      label={`Approve ${milestone.name}`}
      permitted={permitted}
      change={() => ({ action: 'approveMilestone', feature: place.featureName, payload: ids })}
      make={(reason) =>
        api(
          'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/approve',
          { params: { ...place, ...ids }, reason },
        )
      }
      onClose={onClose}
    >
      <Text size="sm">
        {next?.name} starts in {place.environment} {when}. The approval is forgotten when {milestone.name} starts anew,
        for example after a hold.
      </Text>
    </PlanChangeDialog>
  );
}
