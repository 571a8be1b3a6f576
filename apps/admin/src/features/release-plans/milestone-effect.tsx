import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { effectQuery, type Milestone, type Place, type Plan } from '../../entities/release-plans/plan-queries.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { describeEffect } from './effect-words.ts';

interface Props {
  readonly plan: Plan;
  readonly place: Place;
  readonly milestone: Milestone;
  /** Whether the flag keeps its own strategies; `keep` when absent. */
  readonly strategies?: 'keep' | 'remove' | undefined;
}

/** Says how many sampled users, and recent contexts, would get or lose the flag if a milestone started now. */
export function MilestoneEffect({ plan, place, milestone, strategies }: Props) {
  const { data, error } = useQuery(effectQuery(place, plan, milestone.id, strategies));
  if (error !== null)
    return (
      <Text size="sm" role="status">
        The effect could not be computed: {errorMessage(error)}
      </Text>
    );
  const { counts, notes } =
    data === undefined ? { counts: ['Counting who would get the flag…'], notes: [] } : describeEffect(data, plan);
  return (
    <Stack gap={4} role="status" aria-label="Effect of the milestone">
      {[...counts, ...notes].map((sentence, index) => (
        <Text
          key={sentence}
          size="sm"
          {...(index < counts.length ? {} : { c: 'dimmed' })}
          style={{ overflowWrap: 'anywhere' }}
        >
          {sentence}
        </Text>
      ))}
    </Stack>
  );
}
