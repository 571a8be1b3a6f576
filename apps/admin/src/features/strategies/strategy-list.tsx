import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Over,
  PointerSensor,
  type UniqueIdentifier,
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
      accessibility={{ screenReaderInstructions: { draggable: howToMove }, announcements: told(sorted) }}
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

/** What screen readers are told while a strategy is moved. */
function told(strategies: readonly FeatureStrategy[]): Announcements {
  const nameOf = (id: UniqueIdentifier) => {
    const strategy = strategies.find((one) => one.id === id);
    return strategy?.title ?? strategy?.name ?? '';
  };
  const placeOf = (over: Over | null) =>
    over === null
      ? 'outside the list'
      : `at place ${strategies.findIndex(({ id }) => id === over.id) + 1} of ${strategies.length}`;
  return {
    onDragStart: ({ active }) => `${nameOf(active.id)} is picked up.`,
    onDragOver: ({ active, over }) => `${nameOf(active.id)} is ${placeOf(over)}.`,
    onDragEnd: ({ active, over }) => `${nameOf(active.id)} is put ${placeOf(over)}.`,
    onDragCancel: ({ active }) => `${nameOf(active.id)} stays where it was.`,
  };
}

const howToMove =
  'To move a strategy, press space or enter, move it with the arrow keys, and press space or enter again. Escape leaves it where it was.';
