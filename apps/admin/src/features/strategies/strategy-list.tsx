import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useMay } from '../../lib/me.ts';
import { useReport } from '../../ui/report.ts';
import { useFlagChange, useReview } from '../change-requests/use-change.ts';
import { StrategyItem } from './strategy-item.tsx';
import type { FeatureStrategy } from './strategy-queries.ts';

interface Props {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
  readonly strategies: readonly FeatureStrategy[];
}

/** The strategies of a flag in an environment, in the order that is changed by dragging or by keyboard; any one that holds is enough. */
export function StrategyList({ projectId, featureName, environment, strategies }: Props) {
  const place = { projectId, environment };
  const change = useFlagChange(place);
  const report = useReport();
  const may = useMay();
  const { reviewed } = useReview(place);
  const [order, setOrder] = useState<readonly string[]>();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  // Until the server has it, and not when it did not take it.
  const ids = order ?? strategies.map(({ id }) => id);
  const sorted = [...strategies].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  const moved = ({ active, over }: DragEndEvent) => {
    if (over === null || active.id === over.id) return;
    const next = arrayMove([...ids], ids.indexOf(String(active.id)), ids.indexOf(String(over.id)));
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
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={moved}
      accessibility={{ screenReaderInstructions: { draggable: howToMove } }}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
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
      </SortableContext>
    </DndContext>
  );
}

const howToMove =
  'To move a strategy, press space or enter, move it with the arrow keys, and press space or enter again. Escape leaves it where it was.';
