import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { attentionSubject } from '@yardarm/contract/attention';
import { Acknowledge } from '../../entities/acknowledgements/acknowledge.tsx';
import { type ListedPlan, releasePlansQuery } from '../../entities/holds/now-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { Failure } from '../../ui/failure.tsx';
import { FlagLink } from '../../ui/flag-link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Hint, Muted } from '../../ui/text.tsx';
import { StateBadge } from '../release-plans/index.ts';

/** The release plans of the projects that the user can see, first those that need a person. */
export function ReleasePlans() {
  const plans = useQuery(releasePlansQuery);
  useEachNewer('events', plans.refetch);
  if (plans.error !== null) return <Failure error={plans.error} onRetry={() => void plans.refetch()} />;
  if (plans.data === undefined || plans.data.total === 0) return null;
  const { releasePlans, total } = plans.data;
  return (
    <SectionCard
      title="Release plans"
      description="Flags that are released gradually. Halted and paused plans come first."
    >
      <Stack gap="sm">
        {releasePlans.map((plan) => (
          <PlanFacts key={plan.id} plan={plan} />
        ))}
        {total > releasePlans.length && (
          <Muted>
            These are {releasePlans.length} of {total} plans.
          </Muted>
        )}
      </Stack>
    </SectionCard>
  );
}

function PlanFacts({ plan }: { readonly plan: ListedPlan }) {
  const { project, featureName, environment, milestoneName, milestoneOrder, totalMilestones, progress } = plan;
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <StateBadge progress={progress} />
        <FlagLink projectId={project} featureName={featureName} />
        <Text size="sm">in {environment}</Text>
        <Hint>{project}</Hint>
      </Group>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        Milestone {milestoneOrder + 1} of {totalMilestones}: {milestoneName}
        {progress.nextAt !== null && (
          <>
            . Next <RelativeTime at={progress.nextAt} ahead />
          </>
        )}
      </Text>
      {progress.reason !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {progress.reason}
        </Text>
      )}
      {progress.haltedAt !== null && (
        <Acknowledge
          subjects={[attentionSubject.plan(plan.id, progress.haltedAt)]}
          place={plan}
          of={`release plan of ${featureName}`}
        />
      )}
    </Stack>
  );
}
