import { Badge, Group } from '@mantine/core';
import { runStateNames } from '../action-search.ts';
import type { ListedRun } from './run-queries.ts';

/** In shadow mode nothing is done, whatever became of the run. */
const shadowNames: Readonly<Record<ListedRun['state'], string>> = {
  ...runStateNames,
  success: 'Would have been done',
  failed: 'Would have failed',
};

const triggers = { signal: undefined, replay: 'Replayed', 'take-back': 'Takes back' } as const;

type Stated = Pick<ListedRun, 'state' | 'shadow' | 'trigger'>;

/** What became of a run, and what is unusual about it. */
export function RunState({ run: { state, shadow, trigger } }: { readonly run: Stated }) {
  const unusual = [triggers[trigger], shadow ? 'Shadow mode' : undefined].filter((word) => word !== undefined);
  return (
    <Group gap={6}>
      <Badge
        variant={state === 'failed' ? 'filled' : 'light'}
        color={state === 'failed' ? 'red.9' : state === 'skipped' || shadow ? 'gray' : 'sea'}
        tt="none"
      >
        {(shadow ? shadowNames : runStateNames)[state]}
      </Badge>
      {unusual.map((word) => (
        <Badge key={word} variant="outline" color="gray" tt="none">
          {word}
        </Badge>
      ))}
    </Group>
  );
}
