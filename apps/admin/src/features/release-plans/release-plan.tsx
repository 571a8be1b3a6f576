import { Badge, Button, Card, Group, Stack, Text, Timeline } from '@mantine/core';
import { IconCheck, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { attentionSubject } from '@yardarm/contract/attention';
import { useState } from 'react';
import { Acknowledge } from '../../entities/acknowledgements/acknowledge.tsx';
import { useReview } from '../../entities/change-requests/use-reviewed-change.ts';
import { useFlagAction } from '../../entities/flags/flag-queries.ts';
import { lowering, type Milestone, type Place, type Plan } from '../../entities/release-plans/plan-queries.ts';
import { describeStrategy } from '../../entities/strategies/describe-strategy.ts';
import { segmentsQuery } from '../../entities/strategies/strategy-queries.ts';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Muted, PartTitle } from '../../ui/text.tsx';
import { SaveAsTemplate } from '../release-templates/index.ts';
import { ApproveMilestone } from './approve-milestone.tsx';
import { ShowCourse } from './course/show-course.tsx';
import { EditGates } from './edit-gates.tsx';
import { PlanWatches } from './plan-watches.tsx';
import { describeCondition, describeGates, describeHalts, describePatience, describeProgress } from './plan-words.ts';
import { RehearsePlan } from './rehearsal.tsx';
import { RemovePlan } from './remove-plan.tsx';
import { StartMilestone } from './start-milestone.tsx';

const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

interface Props {
  readonly plan: Plan;
  readonly place: Place;
}

/**
 * The release plan of a flag in an environment: its milestones in order, with the active one and why the plan is there.
 */
export function ReleasePlan({ plan, place }: Props) {
  const [starting, setStarting] = useState<Milestone>();
  const [editing, setEditing] = useState<Milestone>();
  const [removing, setRemoving] = useState(false);
  const active = plan.milestones.findIndex(({ id }) => id === plan.activeMilestoneId);
  const rules = [describeHalts(plan), describePatience(plan)].filter((rule) => rule !== undefined);
  const scope = { project: place.projectId, environment: place.environment };
  const { reviewed } = useReview(place);
  return (
    <Card withBorder padding="sm" component="section" aria-label="Release plan">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <PartTitle style={{ overflowWrap: 'anywhere' }}>{plan.name}</PartTitle>
          <Group gap={4}>
            {plan.shadow && <Badge color="gray">Shadow mode</Badge>}
            <StateBadge progress={plan.progress} />
          </Group>
        </Group>
        {plan.shadow && (
          <Text size="sm">
            The plan records what it would do. {place.featureName} is served as its own strategies say.
          </Text>
        )}
        <Timeline active={active} bulletSize={22} lineWidth={2}>
          {plan.milestones.map((milestone, index) => (
            <Timeline.Item
              key={milestone.id}
              title={milestone.name}
              bullet={index < active ? <IconCheck size={12} aria-hidden /> : index + 1}
              {...(index === active ? { 'aria-current': 'step' as const } : {})}
            >
              <MilestoneText milestone={milestone} isLast={index === plan.milestones.length - 1} />
              {index === active && <Progress plan={plan} />}
              <MilestoneButtons
                milestone={milestone}
                side={index < active ? 'before' : index === active ? 'active' : 'ahead'}
                isLast={index === plan.milestones.length - 1}
                shadow={plan.shadow}
                place={place}
                onStart={() => setStarting(milestone)}
                onEdit={() => setEditing(milestone)}
              />
            </Timeline.Item>
          ))}
        </Timeline>
        {rules.length > 0 && <Muted style={{ overflowWrap: 'anywhere' }}>{rules.join(' ')}</Muted>}
        {plan.progress.haltedAt !== null && (
          <Acknowledge
            subjects={[attentionSubject.plan(plan.id, plan.progress.haltedAt)]}
            place={scope}
            of={`release plan of ${place.featureName}`}
          />
        )}
        <PlanWatches place={place} />
        <ShowCourse plan={plan} place={place} />
        <Group gap="xs">
          <ApproveMilestone plan={plan} place={place} />
          <PauseButton plan={plan} place={place} />
          <SaveAsTemplate plan={plan} projectId={place.projectId} />
          <RehearsePlan place={place} planId={plan.id} />
          <Permitted needs={reviewed ? undefined : 'DELETE_FEATURE_STRATEGY'} place={scope}>
            <Button variant="subtle" size="xs" color="red" onClick={() => setRemoving(true)}>
              Remove plan
            </Button>
          </Permitted>
        </Group>
      </Stack>
      {starting !== undefined && (
        <StartMilestone plan={plan} place={place} milestone={starting} onClose={() => setStarting(undefined)} />
      )}
      {editing !== undefined && (
        <EditGates plan={plan} place={place} milestone={editing} onClose={() => setEditing(undefined)} />
      )}
      {removing && <RemovePlan plan={plan} place={place} onClose={() => setRemoving(false)} />}
    </Card>
  );
}

interface ButtonsProps {
  readonly milestone: Milestone;
  /** The position of the milestone relative to the active one. */
  readonly side: 'before' | 'active' | 'ahead';
  readonly isLast: boolean;
  /** Whether the plan is in shadow mode, which its active milestone can end. */
  readonly shadow: boolean;
  readonly place: Place;
  readonly onStart: () => void;
  readonly onEdit: () => void;
}

/** The buttons that start a milestone and edit its gates. The gates cannot be edited once the milestone has ended. */
function MilestoneButtons({ milestone: { name }, side, isLast, shadow, place, onStart, onEdit }: ButtonsProps) {
  const { reviewed } = useReview(place);
  // Without the permission, a change can still be requested where review is required.
  const permitted = {
    needs: reviewed ? undefined : side === 'before' ? lowering : 'UPDATE_FEATURE_STRATEGY',
    place: { project: place.projectId, environment: place.environment },
  };
  const look = { variant: 'subtle', size: 'compact-xs' } as const;
  return (
    // The margin puts the labels in line with the text above. It is on the group, because disabled buttons have a
    // visible background.
    <Group gap={4} ml={-7}>
      {(side !== 'active' || shadow) && (
        <Permitted {...permitted}>
          <Button {...look} onClick={onStart}>
            {side === 'active' ? `Serve ${name}` : side === 'before' ? `Go back to ${name}` : `Start ${name} now`}
          </Button>
        </Permitted>
      )}
      {side !== 'before' && !isLast && (
        <Permitted {...permitted}>
          <Button {...look} aria-label={`Edit gates of ${name}`} onClick={onEdit}>
            Edit gates
          </Button>
        </Permitted>
      )}
    </Group>
  );
}

/** Says at the active milestone why the plan is there, and what it waits for. */
function Progress({ plan }: Pick<Props, 'plan'>) {
  return (
    <Text size="sm" component="div" fw={500} style={{ overflowWrap: 'anywhere' }}>
      {describeProgress(plan)}
      {plan.progress.nextAt !== null && (
        <>
          {' '}
          <RelativeTime at={plan.progress.nextAt} ahead />
        </>
      )}
      {describeGates(plan).map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
    </Text>
  );
}

interface StateLook {
  readonly label: string;
  readonly color: string;
  /** Whether the plan goes on only after a person does something or a hold ends. */
  readonly isStopped?: boolean;
}

const states: Readonly<Record<Plan['progress']['state'], StateLook>> = {
  completed: { label: 'All milestones started', color: 'green' },
  paused: { label: 'Paused', color: 'yellow.4', isStopped: true },
  held: { label: 'Halted by a hold', color: 'orange.4', isStopped: true },
  halted: { label: 'Halted by a person', color: 'orange.4', isStopped: true },
  off: { label: 'Flag is off', color: 'gray' },
  running: { label: 'Running', color: 'blue' },
  gated: { label: 'Waits for a condition', color: 'blue' },
  waiting: { label: 'Waits for a person', color: 'yellow.4', isStopped: true },
};

const haltedByAutomation: StateLook = { label: 'Halted by automation', color: 'orange.4', isStopped: true };

/** Returns whether a plan in this state goes on only after a person does something or a hold ends. */
export function isStopped(state: Plan['progress']['state']): boolean {
  return states[state].isStopped === true;
}

/** The state of a plan in two or three words. A plan that automation stopped, with a reason, is halted, not paused. */
export function StateBadge({ progress }: { readonly progress: Pick<Plan['progress'], 'state' | 'reason'> }) {
  const { state, reason } = progress;
  const { label, color } = state === 'paused' && reason !== null ? haltedByAutomation : states[state];
  // Filled, because yellow text on yellow is hard to read.
  return (
    <Badge color={color} variant={isStopped(state) ? 'filled' : 'light'} autoContrast>
      {label}
    </Badge>
  );
}

function MilestoneText({ milestone, isLast }: { readonly milestone: Milestone; readonly isLast: boolean }) {
  const { data: segments } = useQuery(segmentsQuery);
  const named = milestone.strategies
    .filter(({ disabled }) => !disabled)
    .map((strategy) =>
      describeStrategy({
        ...strategy,
        segments: strategy.segments.map((id) => segments?.find((segment) => segment.id === id)?.name ?? `#${id}`),
      }),
    );
  const condition = describeCondition(milestone, isLast);
  return (
    <Muted component="div" style={{ overflowWrap: 'anywhere' }}>
      {[named.join(' or '), condition].filter((part) => part !== undefined).join(', ')}
      {milestone.startedAt !== null && (
        <>
          . Started <RelativeTime at={milestone.startedAt} />
        </>
      )}
      {milestone.approvedAt !== null && (
        <>
          . Approved <RelativeTime at={milestone.approvedAt} />
        </>
      )}
    </Muted>
  );
}

function PauseButton({ plan, place }: Props) {
  const isPaused = plan.progress.state === 'paused';
  const scope = { project: place.projectId, environment: place.environment };
  const mayResume = useMay()('UPDATE_FEATURE_STRATEGY', scope);
  const [isAsking, setIsAsking] = useState(false);
  const change = useFlagAction((to: 'pause' | 'resume') =>
    to === 'resume'
      ? api(`POST ${environment}/progressions/:planId/resume`, { params: { ...place, planId: plan.id } })
      : api(`POST ${environment}/progressions/:planId/pause`, { params: { ...place, planId: plan.id } }),
  );
  if (plan.progress.state === 'completed') return null;
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <>
      <Permitted needs={isPaused ? 'UPDATE_FEATURE_STRATEGY' : lowering} place={scope}>
        <Button
          variant="light"
          size="xs"
          leftSection={<Icon size={14} aria-hidden />}
          loading={change.isPending}
          onClick={() => (mayResume ? change.mutate(isPaused ? 'resume' : 'pause') : setIsAsking(true))}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      </Permitted>
      {isAsking && (
        <Confirm
          title={`Pause ${plan.name}?`}
          action="Pause"
          color="sea"
          run={() => change.mutateAsync('pause')}
          changes={[]}
          onClose={() => setIsAsking(false)}
        >
          <Text size="sm">
            No milestone starts by itself until the plan is resumed. You may not resume it: that needs the permission
            UPDATE_FEATURE_STRATEGY.
          </Text>
        </Confirm>
      )}
    </>
  );
}
