import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useFlagChange, useReview } from '../../entities/change-requests/use-reviewed-change.ts';
import type { FeatureStrategy } from '../../entities/strategies/strategy-queries.ts';
import { useMay } from '../../lib/me.ts';
import { useReportError } from '../../ui/report-error.ts';
import { Sortable } from '../../ui/sortable.tsx';
import { StrategyItem } from './strategy-item.tsx';

interface Props {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
  readonly strategies: readonly FeatureStrategy[];
}

/**
 * Lists the strategies of a flag in an environment. They can be reordered by drag or keyboard. The flag is on when any
 * strategy matches.
 */
export function StrategyList({ projectId, featureName, environment, strategies }: Props) {
  const place = { projectId, environment };
  const change = useFlagChange(place);
  const report = useReportError();
  const may = useMay();
  const { reviewed } = useReview(place);
  const [order, setOrder] = useState<readonly string[]>();
  // Shows the new order until the server has saved or refused it.
  const ids = order ?? strategies.map(({ id }) => id);
  const sorted = [...strategies].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  const reorder = (next: readonly string[]) => {
    setOrder(next);
    change.mutate(
      {
        change: {
          action: 'reorderStrategy',
          feature: featureName,
          payload: next.map((id, sortOrder) => ({ id, sortOrder })),
        },
      },
      { onError: report, onSettled: () => setOrder(undefined) },
    );
  };
  const movable =
    strategies.length > 1 && (reviewed || may('UPDATE_FEATURE_STRATEGY', { project: projectId, environment }));
  const nameOf = (id: string) => {
    const strategy = strategies.find((present) => present.id === id);
    return strategy?.title ?? strategy?.name ?? id;
  };
  return (
    <Sortable ids={ids} onReorder={reorder} disabled={!movable} nameOf={nameOf}>
      <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {sorted.map((strategy) => (
          <StrategyItem
            key={strategy.id}
            projectId={projectId}
            environment={environment}
            strategy={strategy}
            movable={movable}
          />
        ))}
      </Stack>
    </Sortable>
  );
}
